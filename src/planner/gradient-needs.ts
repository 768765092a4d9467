import type { Graph, TensorId } from "#core/ir";
import { gradientsInBackward } from "#core/training";
import type { PlanRequest } from "./problem.ts";

/**
 * The tensors whose gradients a training step makes: parameters from which the loss is reached, and
 * results on a path from such a parameter to the loss (planner-plain.md §9). None without training.
 * Under the product's own costs only those that its backward pass makes: no gradient passes through
 * a registered function without a derivative.
 */
export function gradientNeeds(request: PlanRequest): ReadonlySet<TensorId> {
  const { graph, training } = request;
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
  const made = request.model === undefined ? cachedGradientsInBackward(request, training) : trained;
  return new Set([...trained].filter((tensor) => reaching.has(tensor) && made.has(tensor)));
}

/** Remembered by graph, since every pricing of redistributions asks again. */
const known = new WeakMap<Graph, ReadonlyMap<TensorId, ReadonlySet<TensorId>>>();

/** The tensors with gradients in the backward pass of a program. */
function cachedGradientsInBackward(
  { graph, mesh }: PlanRequest,
  { loss }: NonNullable<PlanRequest["training"]>,
): ReadonlySet<TensorId> {
  const earlier = known.get(graph)?.get(loss);
  if (earlier !== undefined) return earlier;
  const made = gradientsInBackward(graph, mesh, loss);
  known.set(graph, new Map([[loss, made]]));
  return made;
}
