import {
  type CollectiveStep,
  type FlatStep,
  flatSteps,
  type SpmdProgram,
  type ValueId,
} from "#core/program";

/**
 * The program with one step per redistribution: DTensor is given a target layout and chooses the
 * collectives. An intermediate layout stays only if something else reads it.
 *
 * @param options.isDirect whether every redistribution starts from the operator's result, even if
 *   the plan's goes through another one's layouts
 */
export function withRedistributions(
  program: SpmdProgram,
  { isDirect = false }: { readonly isDirect?: boolean } = {},
): SpmdProgram {
  const steps = flatSteps(program);
  const reads = readCounts(program, steps);
  const made = new Map<ValueId, CollectiveStep>();
  let merged: FlatStep[] = [];
  for (const step of steps) {
    if (step.kind === "local") {
      merged.push(step);
      continue;
    }
    const before = made.get(step.input);
    const isOnTheWay = before?.reshard === step.reshard && (reads.get(step.input) ?? 0) === 1;
    const isSkipped = before !== undefined && isDirect;
    const whole = before && (isOnTheWay || isSkipped) ? joined(before, step) : asOne(step);
    if (before && isOnTheWay) merged.splice(merged.indexOf(before), 1);
    made.set(step.output, whole);
    merged.push(whole);
  }
  merged = withoutUnread(merged, [...program.outputs, ...program.made.values()]);
  const [first] = program.stages;
  if (first === undefined) return program;
  const runs = Math.max(...program.stages.map((stage) => stage.runs ?? 1));
  const held = new Set([...merged.flatMap(valuesOf), ...program.outputs, ...program.made.values()]);
  return {
    ...program,
    values: program.values.filter(({ id }) => held.has(id)),
    stages: [{ devices: first.devices, runs, steps: merged }],
  };
}

/** Removes redistributions to layouts that nothing reads any more. */
function withoutUnread(steps: readonly FlatStep[], kept: readonly ValueId[]): FlatStep[] {
  const read = new Set<ValueId>(kept);
  const left: FlatStep[] = [];
  for (const step of steps.toReversed()) {
    if (step.kind !== "local" && !read.has(step.output)) continue;
    for (const id of step.kind === "local" ? step.inputs : [step.input]) read.add(id);
    left.push(step);
  }
  return left.reverse();
}

function valuesOf(step: FlatStep): readonly ValueId[] {
  return step.kind === "local" ? [...step.inputs, ...step.outputs] : [step.input, step.output];
}

function readCounts(
  { outputs }: SpmdProgram,
  steps: readonly FlatStep[],
): ReadonlyMap<ValueId, number> {
  const counts = new Map<ValueId, number>();
  const read = steps.flatMap((step) => (step.kind === "local" ? step.inputs : [step.input]));
  for (const id of [...read, ...outputs]) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** A redistribution as one step; how DTensor does it is open, so it counts as an exchange. */
function asOne({ pairs: _, ...step }: CollectiveStep): CollectiveStep {
  return { ...step, collective: step.collective === "slice" ? "slice" : "exchange" };
}

function joined(before: CollectiveStep, step: CollectiveStep): CollectiveStep {
  const isFree = before.collective === "slice" && step.collective === "slice";
  return {
    ...asOne(step),
    collective: isFree ? "slice" : "exchange",
    input: before.input,
    moves: [...before.moves, ...step.moves],
    elements: before.elements + step.elements,
    bytes: before.bytes + step.bytes,
    seconds: before.seconds + step.seconds,
  };
}
