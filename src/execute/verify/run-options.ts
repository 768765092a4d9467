import type { DType } from "#core/ir";
import type { TraceBody } from "#core/ir/body";
import type { SystemReshard } from "#core/program";
import type { Engine, InjectedFault, Precision } from "#execute/engine";
import type { ValueKind } from "#execute/reference";
import type { Comparison } from "./compare-run.ts";
import type { FinishedRun } from "./finished-run.ts";
import type { OwnNumbers } from "./own-numbers.ts";
import type { Pace } from "./pace.ts";
import type { RunSizes } from "./run-limits.ts";
import type { RunPart } from "./run-part.ts";

/**
 * The numbers of a run, its limits, and the fault to put in. A fault names its step among all steps
 * of one micro-batch, and happens in every micro-batch.
 */
export interface RunOptions {
  readonly seed: number;
  readonly values: ValueKind;
  /** The rounding of floats, by devices and in bounds; `full` when absent. */
  readonly precision?: Precision;
  /** Numbers for some inputs and parameters; all others are drawn from the seed. */
  readonly own?: readonly OwnNumbers[];
  readonly sabotage?: InjectedFault;
  /** Runs the bodies of registered functions; without it they run as products. */
  readonly traceBody?: TraceBody;
  /** Other systems' own steps, for smaller sizes of a plan that chooses them. */
  readonly systems?: SystemReshard;
  /** The number of a training step in its optimizer's count, from 1; the first when absent. */
  readonly optimizerStep?: number;
  /** The sizes of the run; `fit` by default. */
  readonly sizes?: RunSizes;
  /** The most index points of a run if smaller sizes are not possible; `mostAtOnce` by default. */
  readonly mostWork?: number;
  /** The measured pace of runs on the text's own sizes. */
  readonly pace?: Pace;
  /** Called when each part of the run begins. */
  readonly onPart?: (part: RunPart) => void;
}

/** The options of a run, with those of the engine. */
export interface CheckOptions extends RunOptions {
  /** Whether the engine computes in singles. */
  readonly isSingle: boolean;
  /** The most bytes of the values of a run. */
  readonly mostBytes?: number;
}

/** The comparison of a per-device program's run with the unsharded run. */
export interface RunResult extends Omit<Comparison, "wrongValue"> {
  /** The finished run. */
  readonly ran: FinishedRun;
  /** The element types to which results were rounded; absent if there was no rounding. */
  readonly rounded?: readonly DType[];
}

/** The options of a run on an engine. */
export function optionsOn({ isSingle, mostBytes }: Engine, options: RunOptions): CheckOptions {
  return { ...options, isSingle, ...(mostBytes !== undefined && { mostBytes }) };
}
