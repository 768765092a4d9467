import type { Graph, TensorId } from "#core/ir";

/** Parameters, and everything that is computed from one. */
export function tensorsWithGradient(graph: Graph): ReadonlySet<TensorId> {
  const trained = graph.tensors.filter(({ role }) => role === "parameter");
  const needed = new Set(trained.map(({ id }) => id));
  for (const { inputs, outputs } of graph.operators) {
    if (!inputs.some(({ tensor }) => needed.has(tensor))) continue;
    for (const { tensor } of outputs) needed.add(tensor);
  }
  return needed;
}
