import type { FlatStep } from "#core/program";
import type { StepTime } from "./step-time.ts";

/** The steps of a pass, how long they take, and the lane of each. */
export interface Given {
  readonly steps: readonly FlatStep[];
  readonly times: readonly StepTime[];
  readonly lanes: Uint8Array;
}

/** Something that occupies one lane for a while: a step, or collectives that go together. */
export interface Task {
  readonly lane: number;
  readonly seconds: number;
  /** Of several that are ready for a free lane the least goes first. */
  readonly rank: number;
  /** Tasks that must have ended. */
  readonly after: readonly number[];
}

/** The tasks of a pass, and which of them each step belongs to. */
export interface Order {
  readonly tasks: readonly Task[];
  readonly taskOf: Int32Array;
  /** By step: the first step of its task. */
  readonly leads: Int32Array;
  /** By step: its part of the task's seconds. */
  readonly seconds: Float64Array;
}

/** Every step for itself, one after the other. */
export function orderAsWritten({ times, lanes }: Given): Order {
  return {
    tasks: times.map(({ seconds }, at) => ({
      ...{ lane: lanes[at] ?? 0, seconds, rank: at },
      after: at === 0 ? [] : [at - 1],
    })),
    taskOf: Int32Array.from(times, (_, at) => at),
    leads: Int32Array.from(times, (_, at) => at),
    seconds: Float64Array.from(times, ({ seconds }) => seconds),
  };
}
