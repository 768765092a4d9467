import { compile } from "#compile";
import type { Cancel, Engine } from "#execute/engine";
import {
  createPartClock,
  type Pace,
  paceOf,
  paceTexts,
  runPlanOn,
  type TimedRun,
} from "#execute/verify";
import type { RunSettings } from "./run-protocol.ts";

/** Measured paces by engine and kind of values. */
const known = new WeakMap<Engine, Map<RunSettings["values"], Pace>>();

/**
 * Pace of runs on an engine, measured once on small programs. Each runs twice and only the second
 * run counts, since the first one compiles. `undefined` if a run fails.
 */
export async function paceOn(
  engine: Engine,
  values: RunSettings["values"],
  clock: () => number,
  signal?: Cancel,
): Promise<Pace | undefined> {
  const paces = known.get(engine) ?? new Map<RunSettings["values"], Pace>();
  known.set(engine, paces);
  const before = paces.get(values);
  if (before !== undefined) return before;
  const runs: TimedRun[] = [];
  for (const text of [paceTexts.product, paceTexts.function, paceTexts.steps]) {
    const run = await timed(engine, text, values, clock, signal);
    if (run !== undefined) runs.push(run);
  }
  const [product, cells, steps] = runs;
  if (product === undefined || cells === undefined || steps === undefined) return undefined;
  const pace = paceOf({ product, function: cells, steps });
  paces.set(values, pace);
  return pace;
}

async function timed(
  engine: Engine,
  text: string,
  values: RunSettings["values"],
  clock: () => number,
  signal: Cancel | undefined,
): Promise<TimedRun | undefined> {
  const { plan, program } = compile(text);
  let last: TimedRun | undefined;
  for (let turn = 0; turn < 2; turn += 1) {
    const parts = createPartClock(clock);
    const { onPart } = parts;
    const options = { seed: 1, values, sizes: "own", mostWork: 2 ** 30, onPart } as const;
    const run = await runPlanOn(engine, plan, program, options, signal);
    if (!run.ok) return undefined;
    run.value.ran.run.release?.();
    const { seconds: own } = run.value.ran;
    const taken = parts.seconds();
    const devices = own?.reduce((sum, each) => sum + each, 0) ?? taken.devices;
    last = { program, seconds: { ...taken, devices } };
  }
  return last;
}
