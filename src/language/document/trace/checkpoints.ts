// Checkpoints: parts of a program whose results are recomputed for the backward pass.

import type { Graph, Operator, OperatorId } from "#core/ir";
import type { Value } from "#language/python";
import type { BuiltGraph } from "../graph/build-graph.ts";
import type { Checkpoint, TracedOperator } from "./traced.ts";

/** Runs of the chosen modules with the operators of each; operators of submodules are included. */
export function runsOf(
  operators: readonly TracedOperator[],
  isChosen: (module: Value) => boolean,
): readonly Checkpoint[] {
  const runs = new Map<object, Map<number, Set<TracedOperator>>>();
  for (const operator of operators) {
    const frame = operator.frames.find(
      ({ receiver }) => receiver !== undefined && isChosen(receiver),
    );
    const layer = operator.layer !== undefined && isChosen(operator.layer);
    if (frame === undefined && !layer) continue;
    // A library layer is one operator, and so a run of its own.
    const [callee, ordinal] = frame ? [frame.callee, frame.ordinal] : [operator, 0];
    const ofCallee = runs.get(callee) ?? new Map<number, Set<TracedOperator>>();
    runs.set(callee, ofCallee.set(ordinal, (ofCallee.get(ordinal) ?? new Set()).add(operator)));
  }
  return [...runs.values()].flatMap((ofCallee) =>
    [...ofCallee.values()].map((found) => ({ operators: found, runsWhole: false })),
  );
}

/** Recomputed operators, by how they are recomputed. */
export interface RunAgain {
  /** Operators recomputed only if the backward pass reads their results. */
  readonly whereRead: readonly OperatorId[];
  /** Operators at the ends of parts, whose results are kept. */
  readonly handsOn: readonly OperatorId[];
  /** Parts that are recomputed as a whole, in order. */
  readonly whole: readonly (readonly OperatorId[])[];
}

/**
 * Operators of some parts that are recomputed. Results that a part hands on are kept, since the
 * recomputation of later parts starts from them; otherwise one part would be recomputed for the
 * next.
 */
export function runAgain(
  checkpoints: readonly Checkpoint[],
  { graph, operatorOf }: Pick<BuiltGraph, "graph" | "operatorOf">,
): RunAgain {
  const parts = checkpoints.map(({ operators, runsWhole }) => ({
    runsWhole,
    inside: new Set(
      [...operators].flatMap((traced) => {
        const operator = operatorOf.get(traced);
        return operator === undefined ? [] : [operator];
      }),
    ),
  }));
  const ends = parts.map(({ inside }) => readOutside(graph, inside));
  const whereRead = parts.flatMap(({ inside }, at) =>
    [...inside].filter((each) => ends[at]?.has(each) !== true).map(({ id }) => id),
  );
  const whole = parts.filter(({ runsWhole }) => runsWhole);
  return {
    whereRead,
    handsOn: ends.flatMap((each) => [...each].map(({ id }) => id)),
    whole: whole.map(({ inside }) => [...inside].map(({ id }) => id)),
  };
}

/** Operators of a part with a result that is read outside or is a program output. */
function readOutside({ operators, outputs }: Graph, inside: ReadonlySet<Operator>): Set<Operator> {
  const read = new Set(outputs);
  for (const operator of operators) {
    if (inside.has(operator)) continue;
    for (const { tensor } of operator.inputs) read.add(tensor);
  }
  return new Set(
    [...inside].filter((operator) => operator.outputs.some(({ tensor }) => read.has(tensor))),
  );
}
