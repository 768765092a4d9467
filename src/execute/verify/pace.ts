import type { SpmdProgram } from "#core/program";
import { resolveBodies } from "./resolve-bodies.ts";
import type { RunPart } from "./run-part.ts";
import { type PointCounts, type RunWork, workOf } from "./run-work.ts";

/** The measured speed of runs on one engine and one machine. */
export interface Pace {
  /** Points a second of the unsharded run, by the kind of computation. */
  readonly whole: PointCounts;
  /** Points a second of all devices together, by the kind of computation. */
  readonly devices: PointCounts;
  /** Least seconds of a step, whatever its work. */
  readonly step: number;
  /** Compared elements a second. */
  readonly elements: number;
}

/** Seconds that each part of a run took. */
export type PartSeconds = Readonly<Record<RunPart, number>>;

/** A program that was run to measure the pace. */
export interface TimedRun {
  readonly program: SpmdProgram;
  readonly seconds: PartSeconds;
}

/**
 * The programs that measure a pace, in native words: one large product, one large element-wise
 * function, and steps with next to no work.
 */
export const paceTexts = {
  product: "x = Tensor((192, 192))\nw = Tensor((192, 192))\ny = matmul(x, w)\n",
  function: "x = Tensor((256, 256))\ny = gelu(x)\n",
  steps: `x0 = Tensor((4,))\n${Array.from({ length: 16 }, (_, at) => `x${at + 1} = exp(x${at})\n`).join("")}`,
} as const;

/** Shortest time that a clock distinguishes from zero, in seconds. */
const tick = 1e-4;

/** The pace from runs of `paceTexts`. */
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

/** A clock for the parts of a run, to be called as its `onPart`; `seconds` ends the last part. */
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
