import type { FlatStep, RepeatStep, SpmdProgram, StepNames, ValueId } from "./program.ts";

/**
 * The flat program of a folded one: every `repeat` replaced by its copies, each under its own
 * names. `unroll(fold(p))` equals the flat `p`; a program without repeats is returned as it is.
 */
export function unroll(program: SpmdProgram): SpmdProgram {
  const isFlat = program.stages.every(({ steps }) => steps.every(({ kind }) => kind !== "repeat"));
  if (isFlat) return program;
  const stages = program.stages.map((stage) => ({
    ...stage,
    steps: stage.steps.flatMap(copiesOf),
  }));
  return { ...program, stages };
}

/**
 * All steps of all stages in order, with repeats unrolled; steps that run for every micro-batch
 * occur once, unlike in `stepsAsRun`.
 */
export function flatSteps(program: SpmdProgram): readonly FlatStep[] {
  const flat: FlatStep[] = [];
  for (const { steps } of program.stages) {
    for (const step of steps) {
      if (step.kind === "repeat") flat.push(...copiesOf(step));
      else flat.push(step);
    }
  }
  return flat;
}

/** All steps in execution order; with micro-batches the steps of a run occur once per run. */
export function stepsAsRun(program: SpmdProgram): readonly FlatStep[] {
  return program.stages.flatMap(({ steps, runs = 1 }) => {
    const once = steps.flatMap(copiesOf);
    return Array.from({ length: runs }, () => once).flat();
  });
}

/** Flat steps of one run of a repeat (counted from 0), with their names in the flat program. */
export function runOf(step: RepeatStep, run: number): readonly FlatStep[] {
  const outer = outerNames(step, run);
  const entry = entryOfRun(step, run);
  return step.body.map((each, at) => named(each, step.names[at], entry, outer));
}

/**
 * Outer names of a body's values in one run; a name without an entry is the same inside and
 * outside.
 */
function outerNames(step: RepeatStep, run: number): ReadonlyMap<ValueId, ValueId> {
  const each = new Map(step.each.map(({ inside, outside }) => [inside, outside]));
  const carried = new Map(step.carried.map((hand) => [hand.inside, hand]));
  const nameIn = (at: number, inside: ValueId): ValueId => {
    const hand = carried.get(inside);
    if (hand === undefined) return nameAt(each.get(inside) ?? [], entryOfRun(step, at));
    return at === 0 ? hand.initial : nameIn(at - 1, hand.next);
  };
  return new Map(
    [...each.keys(), ...carried.keys()].map((inside) => [inside, nameIn(run, inside)]),
  );
}

/** The index into the lists of a repeat that belongs to a run. */
export function entryOfRun({ count, reverse }: RepeatStep, run: number): number {
  return reverse ? count - 1 - run : run;
}

/** Flat steps of a step: all runs of a `repeat`, otherwise the step itself. */
export function copiesOf(step: FlatStep | RepeatStep): readonly FlatStep[] {
  if (step.kind !== "repeat") return [step];
  return Array.from({ length: step.count }, (_, run) => runOf(step, run)).flat();
}

function named(
  step: FlatStep,
  names: StepNames | undefined,
  entry: number,
  outer: ReadonlyMap<ValueId, ValueId>,
): FlatStep {
  const nameOf = (id: ValueId) => outer.get(id) ?? id;
  if (step.kind === "local" && names?.kind === "local") {
    const operator = nameAt(names.operators, entry);
    return {
      ...step,
      operator,
      inputs: step.inputs.map(nameOf),
      outputs: step.outputs.map(nameOf),
    };
  }
  if (step.kind === "collective" && names?.kind === "collective") {
    const reasons = nameAt(names.reasons, entry);
    const reshard = nameAt(names.reshards, entry);
    return { ...step, input: nameOf(step.input), output: nameOf(step.output), reasons, reshard };
  }
  throw new Error(`a ${step.kind} step without its names`);
}

function nameAt<Name>(names: readonly Name[], entry: number): Name {
  const name = names[entry];
  if (name === undefined) throw new Error(`run ${entry} has no name`);
  return name;
}
