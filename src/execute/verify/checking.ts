import { runCpu } from "#execute/cpu";
import type { Cancel, Engine, EngineRun, EngineTask } from "#execute/engine";

/** A check that asks for runs of per-device programs, and continues with their results. */
export type Checking<Result> = Generator<EngineTask, Result, EngineRun>;

/** Runs a check whose runs are computed in doubles on the CPU, before this returns. */
export function onCpu<Result>(checking: Checking<Result>): Result {
  let next = checking.next();
  while (next.done !== true) {
    const { program, leaves, settings } = next.value;
    const inputs = new Map([...leaves].map(([id, { values }]) => [id, values]));
    next = checking.next({ held: runCpu(program, inputs, settings) });
  }
  return next.value;
}

/** Runs a check on any engine; throws the signal's reason once the check is cancelled. */
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
