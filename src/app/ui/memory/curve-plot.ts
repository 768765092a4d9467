import { scaleLinear } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";
import type { MemoryCurve, PassSpan } from "#app/scene/figures";

/** Layout of a memory curve in a box, in pixels. */
export interface CurvePlot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly line: string;
  readonly area: string;
  readonly x: (step: number) => number;
  readonly y: (bytes: number) => number;
  /** Step at a horizontal position. */
  readonly stepAt: (x: number) => number;
  /**
   * Vertical position of the device's memory limit; `undefined` if the limit is so high that the
   * curve would be flat.
   */
  readonly limit?: number;
  readonly ticks: readonly number[];
  /** Passes whose names fit. */
  readonly named: readonly PassSpan[];
}

const inset = { left: 58, right: 8, top: 14, bottom: 22 };

/** Largest ratio of limit to peak at which the limit is drawn; above, it is only written. */
const mostAbove = 4;

/** Width of a letter in pixels, to test whether a name fits. */
const letter = 5.8;

/** Lays a curve out in a box. */
export function plotOf(
  { bytes, peak, passes }: MemoryCurve,
  limitBytes: number,
  size: { readonly width: number; readonly height: number },
): CurvePlot {
  const [left, right] = [inset.left, Math.max(inset.left + 1, size.width - inset.right)];
  const [top, bottom] = [inset.top, size.height - inset.bottom];
  const most = bytes[peak] ?? 0;
  const isLimitShown = limitBytes <= mostAbove * most;
  const x = scaleLinear([0, bytes.length], [left, right]);
  const y = scaleLinear(
    [0, 1.04 * (isLimitShown ? Math.max(limitBytes, most) : most)],
    [bottom, top],
  );
  const points = drawnPoints(bytes, right - left);
  const across = ([step]: Point) => x(step);
  const up = ([, held]: Point) => y(held);
  return {
    ...{ left, right, top, bottom, x, y },
    line: line<Point>(across, up).curve(curveStepAfter)([...points]) ?? "",
    area: area<Point>(across, bottom, up).curve(curveStepAfter)([...points]) ?? "",
    stepAt: (at) => Math.min(bytes.length - 1, Math.max(0, Math.floor(x.invert(at)))),
    ...(isLimitShown && { limit: y(limitBytes) }),
    ticks: y.ticks(3),
    named: passes.filter(({ name, from, to }) => x(to + 1) - x(from) > letter * name.length + 2),
  };
}

type Point = readonly [step: number, bytes: number];

/**
 * Points of the curve, at most about one per pixel: steps that share a pixel are drawn by their
 * maximum.
 */
function drawnPoints(bytes: readonly number[], pixels: number): readonly Point[] {
  const every = Math.max(1, Math.ceil(bytes.length / Math.max(1, pixels)));
  const points: Point[] = [];
  for (let from = 0; from < bytes.length; from += every) {
    points.push([from, Math.max(...bytes.slice(from, from + every))]);
  }
  return [...points, [bytes.length, bytes.at(-1) ?? 0]];
}
