import { sum } from "#core/arithmetic";
import type { TensorId } from "#core/ir";
import { flatSteps, type SpmdProgram, type ValueId } from "#core/program";
import type { EngineRun } from "#execute/engine";
import type { ReferenceRun, WholeTensor } from "#execute/reference";
import type { StepMatch } from "#execute/smaller";
import type { AtOnce } from "./runs-at-once.ts";

/** A finished run, for readers of its numbers. */
export interface FinishedRun {
  /** The program that ran: perhaps on smaller sizes or in fewer micro-batches than requested. */
  readonly program: SpmdProgram;
  /** That program with its micro-batches side by side; `run` holds the values of this program. */
  readonly placed: SpmdProgram;
  readonly run: EngineRun;
  /** The index in `placed` of a step of `program`, written out. */
  readonly placeOf: (step: number) => number;
  /** The whole tensors of the unsharded run. */
  readonly wanted: ReadonlyMap<TensorId, WholeTensor>;
  /** Whether numbers are words of 32 bits. */
  readonly isWrapped: boolean;
  /** The step that makes the first wrong value; absent without one, and for a wrong input. */
  readonly wrongStep?: number;
  /** The steps of the text's program matched with this one, if it is another one. */
  readonly match?: StepMatch;
  /** Measured seconds per step of the program, if the engine has a clock. */
  readonly seconds?: readonly number[];
}

interface Left extends Pick<FinishedRun, "program" | "run" | "isWrapped"> {
  readonly ran: SpmdProgram;
  readonly atOnce: AtOnce | undefined;
  readonly reference: ReferenceRun;
  readonly wrongValue: ValueId | undefined;
}

/** Collects the results of a run. */
export function leftBehind(left: Left): FinishedRun {
  const { program, ran, atOnce, run, reference, isWrapped, wrongValue } = left;
  const seconds = secondsOf(left);
  const wrongStep = stepOf(left, wrongValue);
  return {
    ...{ program, placed: ran, run, isWrapped, wanted: reference.tensors },
    placeOf: atOnce?.placeOf ?? ((step) => step),
    ...(wrongStep !== undefined && { wrongStep }),
    ...(seconds !== undefined && { seconds }),
  };
}

/** The step of the program that makes a value. */
function stepOf({ program, ran, atOnce }: Left, value: ValueId | undefined): number | undefined {
  if (value === undefined) return undefined;
  const made = flatSteps(ran).findIndex((step) =>
    step.kind === "local" ? step.outputs.includes(value) : step.output === value,
  );
  if (made < 0 || atOnce === undefined) return made < 0 ? undefined : made;
  return flatSteps(program).findLastIndex((_, at) => atOnce.placeOf(at) <= made);
}

/** Seconds by step; with micro-batches side by side several may be one step of the program. */
function secondsOf({ program, atOnce, run }: Left): readonly number[] | undefined {
  const { seconds } = run;
  if (seconds === undefined || atOnce === undefined) return seconds;
  const places = flatSteps(program).map((_, at) => atOnce.placeOf(at));
  return places.map((from, at) => sum(seconds.slice(from, places[at + 1] ?? seconds.length)));
}
