import type { FlatStep } from "#core/program";
import { type Lists, ListsWriter } from "./lists.ts";

/** The steps of a pass, how long they take (`StepTime`), and the lane of each. */
export interface Given {
  readonly steps: readonly FlatStep[];
  readonly seconds: Float64Array;
  readonly fixed: Float64Array;
  readonly launch: Float64Array;
  readonly lanes: Uint8Array;
}

/** Tasks, each occupying one lane for some seconds: a step, or collectives that run together. */
export interface Tasks {
  readonly lanes: Uint8Array;
  readonly seconds: Float64Array;
  /** Priorities: of the tasks ready for a free lane the least rank goes first. */
  readonly ranks: Float64Array;
  /** For each task, the tasks that must have ended before. */
  readonly after: Lists;
}

/** The tasks of a pass, and the task of each step. */
export interface Order {
  readonly tasks: Tasks;
  readonly taskOf: Int32Array;
  /** For each step, the first step of its task. */
  readonly leads: Int32Array;
  /** For each step, its part of the task's seconds. */
  readonly seconds: Float64Array;
}

/** Order in which every step is a task of its own, one after the other. */
export function orderAsWritten({ seconds, lanes }: Given): Order {
  const places = Int32Array.from(seconds.keys());
  const after = new ListsWriter(seconds.length, seconds.length);
  for (const at of places) {
    if (at > 0) after.add(at - 1);
    after.next();
  }
  const tasks = { lanes, seconds, ranks: Float64Array.from(places), after: after.finish() };
  return { tasks, taskOf: places, leads: places, seconds };
}
