import { flatSteps, type SpmdProgram } from "#core/program";
import { runCpu } from "#execute/cpu";
import {
  type CutFault,
  type Engine,
  type EngineRun,
  type InjectedFault,
  type StepFault,
  swapCuts,
  whyUndetectable,
} from "#execute/engine";
import { comparedRun } from "../verify/compare-run.ts";
import { resolveBodies } from "../verify/resolve-bodies.ts";
import { referenceFor, type Unsharded } from "../verify/unsharded.ts";

/** A tensor that is cut wrongly, with its name in words. */
export interface NamedCut extends CutFault {
  readonly name: string;
}

/** A wrong cut of every input and parameter that can be cut differently. */
export function cutsOf({ graph, values, made }: SpmdProgram): readonly NamedCut[] {
  return graph.tensors.flatMap(({ id, name, shape, producer }) => {
    const value = values.find((each) => each.id === made.get(id));
    const isCut = producer === undefined && value !== undefined;
    return isCut && swapCuts(value.layout, shape) !== undefined
      ? [{ tensor: id, how: "cut", name: `cut ${name}` }]
      : [];
  });
}

/** A fault in a collective, with its name in words. */
export interface NamedFault extends StepFault {
  readonly name: string;
}

const gpuFaults = ["drop", "swap", "group", "order"] as const;

/**
 * Every fault of a collective that misroutes messages, which a GPU can have too, without those that
 * surely cannot show.
 */
export function faultsOf(program: SpmdProgram): readonly NamedFault[] {
  return [...flatSteps(program).entries()].flatMap(([step, each]) =>
    each.kind === "collective"
      ? gpuFaults
          .filter((how) => whyUndetectable(program, each, how) === undefined)
          .map((how) => ({ step, how, name: `${how} ${each.collective}` }))
      : [],
  );
}

/**
 * The first wrong cell that each engine finds of a program with faults, on integers; its unsharded
 * runs are shared by all of them. Absent where the numbers outgrow integers.
 */
export function brokenRuns(engine: Engine, program: SpmdProgram, seed: number) {
  const bodies = resolveBodies(program.graph, undefined);
  const [doubles, singles] = [false, true].map((isSingle) =>
    referenceFor(program, { seed, values: "integers", isSingle }, bodies),
  );
  if (doubles === undefined || singles === undefined) return undefined;
  const inputs = new Map([...doubles.leaves].map(([id, { values }]) => [id, values]));
  const firstOf = (run: Pick<EngineRun, "held">, { reference, arithmetic }: Unsharded) => {
    const { first } = comparedRun(program, run, reference, arithmetic === "words");
    return first && { tensor: first.tensor, device: first.device, index: first.index };
  };
  return {
    onCpu: (sabotage: InjectedFault) =>
      firstOf({ held: runCpu(program, inputs, { values: "integers", sabotage }) }, doubles),
    onGpu: async (sabotage: InjectedFault) => {
      const { leaves, arithmetic } = singles;
      const run = await engine.run({ program, leaves, settings: { values: arithmetic, sabotage } });
      run.release?.();
      return firstOf(run, singles);
    },
  };
}
