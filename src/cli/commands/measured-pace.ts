import { compile } from "#compile";
import type { RunOptions } from "#execute/verify";
import {
  createPartClock,
  type Pace,
  paceOf,
  paceTexts,
  runPlan,
  type TimedRun,
} from "#execute/verify";

/** Speed of runs on this processor, from the second run of each of a few small programs. */
export function measuredPace(values: RunOptions["values"]): Pace | undefined {
  const product = timed(paceTexts.product, values);
  const cells = timed(paceTexts.function, values);
  const steps = timed(paceTexts.steps, values);
  return product && cells && steps && paceOf({ product, function: cells, steps });
}

function timed(text: string, values: RunOptions["values"]): TimedRun | undefined {
  const { plan, program } = compile(text);
  let last: TimedRun | undefined;
  for (let turn = 0; turn < 2; turn += 1) {
    const { onPart, seconds } = createPartClock(() => performance.now());
    const options = { seed: 1, values, sizes: "own", mostWork: 2 ** 30, onPart } as const;
    if (!runPlan(plan, program, options).ok) return undefined;
    last = { program, seconds: seconds() };
  }
  return last;
}
