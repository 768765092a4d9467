import type { TensorId } from "#core/ir";
import type { PlanRequest } from "./problem.ts";

/**
 * The tensors whose gradients a training step makes: parameters from which the loss is reached, and
 * results on a path from such a parameter to the loss (planner-plain.md §9). None without training.
 */
export function gradientNeeds({ graph, training }: PlanRequest): ReadonlySet<TensorId> {
  if (training === undefined) return new Set();
  const trained = new Set(
    graph.tensors.flatMap(({ id, role }) => (role === "parameter" ? [id] : [])),
  );
  for (const { inputs, outputs } of graph.operators) {
    if (!inputs.some(({ tensor }) => trained.has(tensor))) continue;
    for (const { tensor } of outputs) trained.add(tensor);
  }
  const reaching = new Set<TensorId>([training.loss]);
  for (const { inputs, outputs } of graph.operators.toReversed()) {
    if (!outputs.some(({ tensor }) => reaching.has(tensor))) continue;
    for (const { tensor } of inputs) reaching.add(tensor);
  }
  return new Set([...trained].filter((tensor) => reaching.has(tensor)));
}
