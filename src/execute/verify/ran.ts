import { sum } from "#core/arithmetic";
import type { TensorId } from "#core/ir";
import { flatSteps, type SpmdProgram, type ValueId } from "#core/program";
import type { EngineRun } from "#execute/engine";
import type { ReferenceRun, Whole } from "#execute/reference";
import type { StepMatch } from "#execute/smaller";
import type { AtOnce } from "./runs-at-once.ts";

/** A finished run, for whoever reads numbers of it. */
export interface Ran {
  /** The program that ran: perhaps on smaller sizes or in fewer micro-batches than asked for. */
  readonly program: SpmdProgram;
  /**
   * That program with its micro-batches written out side by side; `run` holds the values of this
   * one.
   */
  readonly placed: SpmdProgram;
  readonly run: EngineRun;
  /** Where a step of `program`, written out, stands in `placed`. */
  readonly placeOf: (step: number) => number;
  /** The whole tensors of the unsharded run. */
  readonly wanted: ReadonlyMap<TensorId, Whole>;
  /** Numbers are words of 32 bits. */
  readonly isWrapped: boolean;
  /** The step that makes the first wrong value; absent where none is wrong or an input is. */
  readonly wrongStep?: number;
  /** The steps of the program of the text in this one, where it is another. */
  readonly match?: StepMatch;
  /** Measured seconds per step of the program, where the engine has a clock. */
  readonly seconds?: readonly number[];
}

interface Left extends Pick<Ran, "program" | "run" | "isWrapped"> {
  readonly ran: SpmdProgram;
  readonly atOnce: AtOnce | undefined;
  readonly reference: ReferenceRun;
  readonly wrongValue: ValueId | undefined;
}

/** Gathers what a run leaves behind. */
export function leftBehind(left: Left): Ran {
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

/** Which step of the program makes a value. */
function stepOf({ program, ran, atOnce }: Left, value: ValueId | undefined): number | undefined {
  if (value === undefined) return undefined;
  const made = flatSteps(ran).findIndex((step) =>
    step.kind === "local" ? step.outputs.includes(value) : step.output === value,
  );
  if (made < 0 || atOnce === undefined) return made < 0 ? undefined : made;
  return flatSteps(program).findLastIndex((_, at) => atOnce.placeOf(at) <= made);
}

/** Of micro-batches side by side, one step of the program may be several. */
function secondsOf({ program, atOnce, run }: Left): readonly number[] | undefined {
  const { seconds } = run;
  if (seconds === undefined || atOnce === undefined) return seconds;
  const places = flatSteps(program).map((_, at) => atOnce.placeOf(at));
  return places.map((from, at) => sum(seconds.slice(from, places[at + 1] ?? seconds.length)));
}
