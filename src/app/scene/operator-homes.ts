import type { Graph, Operator, OperatorId, TensorId } from "#core/ir";
import { tensorsOf } from "./graph/tensor-caption.ts";
import { rememberedForPairs } from "./remembered.ts";

/** The operator of the text at whose row each operator of the program is drawn, by id. */
export const homesOf: (written: Graph, later: Graph) => ReadonlyMap<OperatorId, OperatorId> =
  rememberedForPairs(homesIn);

function homesIn({ operators: written }: Graph, later: Graph): ReadonlyMap<OperatorId, OperatorId> {
  const { operators } = later;
  const tensorOf = tensorsOf(later);
  const isWritten = new Set(written.map(({ id }) => id));
  const firstReaders = new Map<TensorId, OperatorId>();
  for (const { id, inputs } of written) {
    for (const { tensor } of inputs) if (!firstReaders.has(tensor)) firstReaders.set(tensor, id);
  }
  const homes = new Map<OperatorId, OperatorId>();
  for (const { id, of, outputs, inputs } of operators) {
    if (isWritten.has(id)) {
      homes.set(id, id);
      continue;
    }
    const [first] = outputs;
    const made = first === undefined ? undefined : tensorOf.get(first.tensor);
    const near = made?.replaces ?? made?.gradientOf;
    const reader = near === undefined ? undefined : firstReaders.get(near);
    const home = of ?? reader ?? homeBefore(inputs);
    if (home !== undefined && isWritten.has(home)) homes.set(id, home);
  }
  return homes;

  function homeBefore(inputs: Operator["inputs"]): OperatorId | undefined {
    for (const { tensor } of inputs) {
      const producer = tensorOf.get(tensor)?.producer;
      const home = producer === undefined ? undefined : homes.get(producer);
      if (home !== undefined) return home;
    }
    return undefined;
  }
}
