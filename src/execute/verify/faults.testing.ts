import type { CollectiveStep, SpmdProgram } from "#core/program";
import { runCpu } from "#execute/cpu";
import {
  type HeldValues,
  type InjectedFault,
  type StepFaultKind,
  whyUndetectable,
} from "#execute/engine";
import { leafValues } from "#execute/reference";
import { runProgram } from "./run-program.ts";

/** Every collective that moves data, with its number. */
function collectivesOf(program: SpmdProgram): readonly (readonly [number, CollectiveStep])[] {
  const steps = program.stages.flatMap((stage) => stage.steps);
  return steps.flatMap((step, at) =>
    step.kind === "collective" && step.collective !== "slice" ? [[at, step] as const] : [],
  );
}

/** Whether the result of a step is the same on every device with and without a fault. */
function isSameData(
  program: SpmdProgram,
  step: CollectiveStep,
  sabotage: InjectedFault,
  seed: number,
) {
  const inputs = leafValues(program.graph, seed, "integers");
  const [right, wrong] = [undefined, sabotage].map((fault): HeldValues => {
    const options = {
      values: "integers" as const,
      ...(fault !== undefined && { sabotage: fault }),
    };
    return runCpu(program, inputs, options);
  });
  const made = [right, wrong].map((run) =>
    JSON.stringify(
      [...(run?.get(step.output) ?? [])].map(([device, blocks]) => [
        device,
        blocks.map(({ values }) => [...values]),
      ]),
    ),
  );
  return made[0] === made[1];
}

/** A fault that the comparison did not find, and the reason, if there is a good one. */
interface Survivor {
  readonly name: string;
  readonly seed: number;
  readonly reason: "same data" | undefined;
  /** Whether it is known before a run that the fault shows nothing. */
  readonly isKnown: boolean;
}

/**
 * Whether a run on one of several seeds finds a fault. One seed may not: weights in the wrong order
 * do nothing if everything that they are multiplied with is 0.
 */
function shows(program: SpmdProgram, sabotage: InjectedFault, seeds: readonly number[]): boolean {
  return seeds.some((seed) => {
    const run = runProgram(program, { seed, values: "integers", sabotage });
    return run.ok && !run.value.equal;
  });
}

/** Puts faults into every collective of programs, one at a time. */
export function plantFaults(
  seeds: readonly number[],
  programOf: (seed: number) => SpmdProgram,
  hows: readonly StepFaultKind[] = ["drop", "swap"],
) {
  const survivors: Survivor[] = [];
  const tried = new Map<string, number>();
  for (const seed of seeds) {
    const program = programOf(seed);
    for (const [step, collective] of collectivesOf(program)) {
      for (const how of hows) {
        const name = `${how} ${collective.collective}`;
        tried.set(name, (tried.get(name) ?? 0) + 1);
        const sabotage = { step, how };
        const isKnown = whyUndetectable(program, collective, how) !== undefined;
        if (shows(program, sabotage, isKnown ? [seed] : [seed, seed + 1, seed + 2])) {
          if (isKnown) throw new Error(`${name} of program ${seed} shows, against what is said`);
          continue;
        }
        const isSame = isSameData(program, collective, sabotage, seed);
        survivors.push({ name, seed, reason: isSame ? "same data" : undefined, isKnown });
      }
    }
  }
  return { tried, survivors };
}
