// Parts of a program whose results are not kept for the backward pass but computed again.

import type { Graph, Operator, OperatorId } from "#core/ir";
import type { Value } from "#language/python";
import type { BuiltGraph } from "../graph/build-graph.ts";
import type { Checkpoint, TracedOperator } from "./traced.ts";

/** The runs of some modules, each with the operators of one: those of modules inside are part of it. */
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
    // A layer of the library computes in one operator, which is a run of its own.
    const [callee, ordinal] = frame ? [frame.callee, frame.ordinal] : [operator, 0];
    const ofCallee = runs.get(callee) ?? new Map<number, Set<TracedOperator>>();
    runs.set(callee, ofCallee.set(ordinal, (ofCallee.get(ordinal) ?? new Set()).add(operator)));
  }
  return [...runs.values()].flatMap((ofCallee) =>
    [...ofCallee.values()].map((found) => ({ operators: found, runsWhole: false })),
  );
}

/** Operators that run again, by how much of them does. */
export interface RunAgain {
  /** Where the backward pass reads their results. */
  readonly whereRead: readonly OperatorId[];
  /** Operators at the ends of parts: their results are kept. */
  readonly handsOn: readonly OperatorId[];
  /** Each a part that runs again as a whole, in order. */
  readonly whole: readonly (readonly OperatorId[])[];
}

/**
 * What of some parts runs again. What a part hands on is kept, since its readers outside begin with it:
 * else one part would run again for the next.
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

/** The operators of a part of which a result is read elsewhere, or is one of the program. */
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
