import type { Graph, TensorId } from "#core/ir";
import type { Plan } from "#core/plan";

/** An attribute by which an operator runs as the text says, and what that operator makes. */
export interface GivenBy {
  readonly rule: string;
  readonly tensor: TensorId;
}

/**
 * The tensors whose blocks may differ from those of the unsharded program because an operator runs
 * as the text says (`unverified`): its results, and all that is computed of them.
 */
export function givenTensors(graph: Graph, { operators }: Plan): ReadonlyMap<TensorId, GivenBy> {
  const given = new Map<TensorId, GivenBy>();
  for (const { id, inputs, outputs } of graph.operators) {
    const rule = operators.get(id)?.unverified?.rule;
    if (rule === undefined && given.size === 0) continue;
    const before = inputs.map(({ tensor }) => given.get(tensor)).find((by) => by !== undefined);
    for (const { tensor } of outputs) {
      if (rule !== undefined) given.set(tensor, { rule, tensor });
      else if (before !== undefined) given.set(tensor, before);
    }
  }
  return given;
}
