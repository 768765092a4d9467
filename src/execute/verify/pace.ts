import type { SpmdProgram } from "#core/program";
import { resolveBodies } from "./resolve-bodies.ts";
import type { RunPart } from "./run-part.ts";
import { type PointCounts, type RunWork, workOf } from "./run-work.ts";

/** How fast runs are on one engine and one machine, as it was measured there. */
export interface Pace {
  /** Points a second of the unsharded run, by what is computed. */
  readonly whole: PointCounts;
  /** Points a second of all devices together. */
  readonly devices: PointCounts;
  /** Seconds that a step takes however little it has to do. */
  readonly step: number;
  /** Elements a second that are compared. */
  readonly elements: number;
}

/** Seconds that each part of a run took. */
export type PartSeconds = Readonly<Record<RunPart, number>>;

/** A program that was run to see how fast that is. */
export interface TimedRun {
  readonly program: SpmdProgram;
  readonly seconds: PartSeconds;
}

/**
 * The programs by which a pace is measured, in native words: one large product, one large function
 * of every cell, and steps that have next to nothing to do.
 */
export const paceTexts = {
  product: "x = Tensor((192, 192))\nw = Tensor((192, 192))\ny = matmul(x, w)\n",
  function: "x = Tensor((256, 256))\ny = gelu(x)\n",
  steps: `x0 = Tensor((4,))\n${Array.from({ length: 16 }, (_, at) => `x${at + 1} = exp(x${at})\n`).join("")}`,
} as const;

/** The shortest time that a clock tells from none, in seconds. */
const tick = 1e-4;

/** The pace that runs of `paceTexts` show. */
export function paceOf(runs: Readonly<Record<keyof typeof paceTexts, TimedRun>>): Pace {
  const [product, cells, steps] = [runs.product, runs.function, runs.steps].map(
    ({ program, seconds }) => ({
      work: workOf(program, resolveBodies(program.graph, undefined)),
      seconds,
    }),
  );
  if (product === undefined || cells === undefined || steps === undefined)
    throw new Error("a pace is measured by three runs");
  const step = steps.seconds.devices / steps.work.steps;
  const perSecond = (points: number, seconds: number) => points / Math.max(tick, seconds);
  return {
    whole: {
      products: perSecond(product.work.whole.products, product.seconds.reference),
      others: perSecond(cells.work.whole.others, cells.seconds.reference),
    },
    devices: {
      products: perSecond(product.work.devices.products, product.seconds.devices - step),
      others: perSecond(cells.work.devices.others, cells.seconds.devices - step),
    },
    step,
    elements: perSecond(cells.work.elements, cells.seconds.comparison),
  };
}

/** Seconds of a run at a pace: all of its parts, one after the other. */
export function secondsAt({ whole, devices, steps, elements }: RunWork, pace: Pace): number {
  const along = (points: PointCounts, rates: PointCounts) =>
    points.products / rates.products + points.others / rates.others;
  return (
    along(whole, pace.whole) +
    along(devices, pace.devices) +
    steps * pace.step +
    elements / pace.elements
  );
}

/** Times the parts of a run, as its `onPart`; `seconds` ends the last of them. */
export function createPartClock(milliseconds: () => number) {
  const taken: Record<RunPart, number> = { reference: 0, devices: 0, comparison: 0 };
  let open: { readonly part: RunPart; readonly from: number } | undefined;
  const close = () => {
    if (open !== undefined) taken[open.part] += (milliseconds() - open.from) / 1000;
  };
  return {
    onPart: (part: RunPart): void => {
      close();
      open = { part, from: milliseconds() };
    },
    seconds: (): PartSeconds => {
      close();
      open = undefined;
      return taken;
    },
  };
}
