import { scaleLinear, scaleLog } from "d3-scale";
import { curveStepAfter, line } from "d3-shape";
import { type ReactNode, useRef } from "react";
import type { PlanCost } from "#app/engine";
import { formatBytes, formatSeconds } from "#app/scene/text";
import { isProven } from "#app/state/planning";
import { useWidth } from "../use-width.ts";
import { frontierOf, type Spot, type SurveyPoint, spotsOf } from "./survey-points.ts";

interface Props {
  readonly points: readonly SurveyPoint[];
  /** The text's own plan. */
  readonly own: PlanCost | undefined;
  readonly lit: string | undefined;
  readonly onLight: (key: string | undefined) => void;
  readonly onApply: (point: SurveyPoint) => void;
}

const height = 232;
const inset = { left: 64, right: 16, top: 12, bottom: 40 };

/** Scatter plot of plans by time and memory, with the Pareto frontier as a line. */
export function Scatter({ points, own, lit, onLight, onApply }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 400);
  const all: readonly PlanCost[] = own === undefined ? points : [...points, own];
  const x = scaleOf(
    all.map(({ bytes }) => bytes),
    [inset.left, width - inset.right],
  );
  const y = scaleOf(
    all.map(({ seconds }) => seconds),
    [height - inset.bottom, inset.top],
  );
  const place = ({ bytes, seconds }: PlanCost) => ({ x: x(bytes), y: y(seconds) });
  const frontier = frontierOf(points);
  const path = line<PlanCost>(
    (each) => x(each.bytes),
    (each) => y(each.seconds),
  ).curve(curveStepAfter);
  const spots = spotsOf(points, place);
  const isLit = ({ points: here }: Spot<SurveyPoint>) => here.some(({ key }) => key === lit);
  const told = spots.find(isLit);
  return (
    <figure className="planner-scatter" data-testid="survey-scatter">
      <div className="plot" ref={box} style={{ height }}>
        <svg width={width} height={height} aria-hidden="true">
          <Ticks
            scale={x}
            format={formatBytes}
            at={height - inset.bottom}
            count={ticksFor(width)}
            isAcross
          />
          <Ticks scale={y} format={formatSeconds} at={inset.left} count={4} />
          <Titles width={width} />
          <path className="frontier" d={path([...frontier]) ?? ""} />
          {own !== undefined && <OwnMark {...place(own)} />}
          {spots.map((spot) => (
            <Mark key={spot.points[0].key} spot={spot} isLit={isLit(spot)} />
          ))}
        </svg>
        {spots.map((spot) => (
          <Target key={spot.points[0].key} spot={spot} onLight={onLight} onApply={onApply} />
        ))}
      </div>
      <figcaption>
        {told === undefined ? legend : `${sentenceOf(told.points)}. A press applies it.`}
      </figcaption>
    </figure>
  );
}

/** Titles of the axes. */
function Titles({ width }: { readonly width: number }) {
  return (
    <>
      <text className="title" x={width - inset.right} y={height - 6} textAnchor="end">
        Memory of the fullest device
      </text>
      <text className="title" transform={`translate(11 ${inset.top}) rotate(-90)`} textAnchor="end">
        Time, model
      </text>
    </>
  );
}

interface TargetProps extends Pick<Props, "onLight" | "onApply"> {
  readonly spot: Spot<SurveyPoint>;
}

/** Pointer and keyboard target over a plan's mark; a press applies the plan. */
function Target({ spot, onLight, onApply }: TargetProps) {
  const { x: left, y: top, points } = spot;
  const [first] = points;
  return (
    <button
      type="button"
      className="mark"
      data-testid="survey-mark"
      style={{ left, top }}
      aria-label={`${sentenceOf(points)}. Apply ${first.name}`}
      onPointerEnter={() => onLight(first.key)}
      onPointerLeave={() => onLight(undefined)}
      onFocus={() => onLight(first.key)}
      onBlur={() => onLight(undefined)}
      onClick={() => onApply(first)}
    />
  );
}

const legend =
  "Circles are meshes, squares limits of memory on this one, filled where proven. The line joins what no other plan beats in both.";

function ticksFor(width: number): number {
  return width < 360 ? 3 : 4;
}

/** Ratio of largest to smallest value above which a scale is logarithmic. */
const mostLinear = 4;

/** A scale whose domain has a margin around the values. */
function scaleOf(values: readonly number[], range: readonly [number, number]) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (least > 0 && most / least > mostLinear) {
    return scaleLog([least / 1.3, most * 1.3], range);
  }
  const room = most > least ? Math.max(0.12 * (most - least), 0.01 * most) : 0.5 * (most || 1);
  return scaleLinear([Math.max(0, least - room), most + room], range);
}

interface TicksProps {
  readonly scale: ReturnType<typeof scaleOf>;
  readonly format: (value: number) => string;
  readonly at: number;
  readonly count: number;
  readonly isAcross?: boolean;
}

/** An axis with its ticks: across the bottom, or up the left. */
function Ticks({ scale, format, at, count, isAcross = false }: TicksProps): ReactNode {
  const [from = 0, to = 0] = scale.range();
  const ticks = apart(thinned(scale.ticks(count), 2 * count), format);
  return (
    <g className="axis">
      <path d={isAcross ? `M${from} ${at}H${to}` : `M${at} ${from}V${to}`} />
      {ticks.map((tick) => {
        const place = scale(tick);
        return isAcross ? (
          <g key={tick} transform={`translate(${place} ${at})`}>
            <path d="M0 0V4" />
            <text y={17} textAnchor="middle">
              {format(tick)}
            </text>
          </g>
        ) : (
          <g key={tick} transform={`translate(${at} ${place})`}>
            <path d="M0 0H-4" />
            <text x={-7} y={4} textAnchor="end">
              {format(tick)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** Ticks without those whose formatted text equals the previous tick's. */
function apart(ticks: readonly number[], format: (value: number) => string): readonly number[] {
  return ticks.filter((tick, at) => at === 0 || format(tick) !== format(ticks[at - 1] ?? tick));
}

/** At most `most` ticks, evenly picked: a logarithmic scale has one for every digit. */
function thinned(ticks: readonly number[], most: number): readonly number[] {
  const every = Math.ceil(ticks.length / most);
  return ticks.filter((_, at) => at % every === 0);
}

function Mark({
  spot: { x, y, points },
  isLit,
}: {
  readonly spot: Spot<SurveyPoint>;
  readonly isLit: boolean;
}) {
  const isSure = points.some(({ planned }) => isProven(planned));
  const state = `${isSure ? "proven" : ""} ${isLit ? "lit" : ""}`;
  return points[0].kind === "meshes" ? (
    <circle className={`point ${state}`} cx={x} cy={y} r={5} />
  ) : (
    <rect className={`point ${state}`} x={x - 4.5} y={y - 4.5} width={9} height={9} />
  );
}

function OwnMark({ x, y }: { readonly x: number; readonly y: number }) {
  return (
    <g className="own" transform={`translate(${x} ${y})`}>
      <path d="M0 -6L6 0L0 6L-6 0Z" />
      <text x={-9} y={4} textAnchor="end">
        your plan
      </text>
    </g>
  );
}

function sentenceOf([first, ...others]: Spot<SurveyPoint>["points"]): string {
  const { name, seconds, bytes, planned } = first;
  const proof = isProven(planned) ? "proven" : "not proven";
  const takes = `${formatSeconds(seconds)}, ${formatBytes(bytes)} on the fullest device, ${proof}`;
  const same = others.map((each) => each.name).join("; ");
  return `${name}: ${takes}${same === "" ? "" : `; so does ${same}`}`;
}
