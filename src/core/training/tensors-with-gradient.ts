import { type Graph, type Operator, type Tensor, type TensorId, tensorsById } from "#core/ir";
import { isFloat } from "#core/ir/types";

/** Whether a training step derives the loss by a tensor of the text and updates it. */
export function isTrained({ role, isFrozen }: Tensor): boolean {
  return role === "parameter" && isFrozen !== true;
}

/** Parameters that are trained, and all floats that are computed from one: integers and truth values have no gradient. */
export function tensorsWithGradient(graph: Graph): ReadonlySet<TensorId> {
  const trained = graph.tensors.filter(isTrained);
  const needed = new Set(trained.map(({ id }) => id));
  const tensors = tensorsById(graph);
  for (const { inputs, outputs, endsGradient } of graph.operators) {
    if (endsGradient === true) continue;
    if (!inputs.some(({ tensor }) => needed.has(tensor))) continue;
    for (const { tensor } of outputs)
      if (isFloat(tensors.get(tensor)?.dtype ?? "f32")) needed.add(tensor);
  }
  return needed;
}

/** Parameters, and their forms in another data type or shape, or with their dims reordered. */
export function parametersInOtherForms(
  { tensors, operators }: Graph,
  isWanted: (parameter: TensorId) => boolean = () => true,
): ReadonlySet<TensorId> {
  const parameters = tensors.filter(({ id, role }) => role === "parameter" && isWanted(id));
  const found = new Set(parameters.map(({ id }) => id));
  for (const { entry, inputs, outputs } of operators) {
    const [from] = inputs;
    if (from === undefined || !found.has(from.tensor) || !otherForms.has(entry ?? "")) continue;
    for (const { tensor } of outputs) found.add(tensor);
  }
  return found;
}

const otherForms: ReadonlySet<string> = new Set([
  ...["cast", "identity", "permute", "transpose", "reshape", "flatten", "squeeze", "unsqueeze"],
]);

/**
 * Operators on the way to the loss that end the gradient, since they compute no floats from trained
 * tensors, such as an `argmax` between a layer and its loss. Empty if every trained parameter has a
 * gradient.
 */
export function endsOfGradient(
  graph: Graph,
  loss: TensorId,
  hasGradient: (tensor: TensorId) => boolean,
): readonly Operator[] {
  const before = ancestorsOf(graph, loss);
  const isUntrained = (tensor: Tensor) =>
    isTrained(tensor) && before.has(tensor.id) && !hasGradient(tensor.id);
  if (!graph.tensors.some(isUntrained)) return [];
  const needed = tensorsWithGradient(graph);
  return graph.operators.filter(
    ({ inputs, outputs }) =>
      inputs.some(({ tensor }) => needed.has(tensor)) &&
      outputs.every(({ tensor }) => !needed.has(tensor)) &&
      outputs.some(({ tensor }) => before.has(tensor)),
  );
}

/** All tensors from which a tensor is computed. */
function ancestorsOf({ operators }: Graph, tensor: TensorId): ReadonlySet<TensorId> {
  const found = new Set([tensor]);
  for (const { inputs, outputs } of operators.toReversed())
    if (outputs.some((each) => found.has(each.tensor)))
      for (const each of inputs) found.add(each.tensor);
  return found;
}
