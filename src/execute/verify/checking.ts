import { runCpu } from "#execute/cpu";
import type { Cancel, Engine, EngineRun, EngineTask } from "#execute/engine";

/** A check asks for runs of per-device programs, and goes on with what they have done. */
export type Checking<Result> = Generator<EngineTask, Result, EngineRun>;

/** Gives a check the runs that it asks for, in doubles, before this returns. */
export function onCpu<Result>(checking: Checking<Result>): Result {
  let next = checking.next();
  while (next.done !== true) {
    const { program, leaves, settings } = next.value;
    const inputs = new Map([...leaves].map(([id, { values }]) => [id, values]));
    next = checking.next({ held: runCpu(program, inputs, settings) });
  }
  return next.value;
}

/** The same on any engine; throws what the signal says once the check is no longer wanted. */
export async function onEngine<Result>(
  engine: Engine,
  checking: Checking<Result>,
  signal?: Cancel,
): Promise<Result> {
  let next = checking.next();
  while (next.done !== true) {
    signal?.throwIfAborted();
    next = checking.next(await engine.run(next.value, signal));
  }
  return next.value;
}
