import { product } from "#core/arithmetic";
import type { Diagnostic } from "#core/diagnostics";
import { type Graph, type Operator, type OperatorId, type TensorId, tensorsById } from "#core/ir";
import { isContiguous, storagesOf, viewStrides } from "#core/ir/storages";
import type { Document } from "#language/document";
import { followsAssumed } from "#language/document/trace";

/** Operators whose result is always row-major. */
const rowMajor: ReadonlySet<string> = new Set(["linear", "matmul", "embedding", "layer_norm"]);

/**
 * Operators whose result is row-major if all operands are, as for images in the default memory
 * format.
 */
const plainOfPlain: ReadonlySet<string> = new Set([
  ...["conv1d", "conv2d", "conv3d", "batch_norm", "group_norm", "max_pool2d", "avg_pool2d"],
  ...["add", "sub", "mul", "div", "relu", "gelu", "silu", "leaky_relu", "sigmoid", "tanh"],
]);

/** Operators whose result lies as their only operand does. */
const keeping: ReadonlySet<string> = new Set([
  ...["identity", "cast", "add", "sub", "mul", "div", "neg", "exp", "relu", "gelu", "silu"],
  ...["tanh", "sigmoid", "sqrt", "dropout"],
]);

type Viewed = Pick<Document, "graph" | "built" | "source">;

/**
 * Calls of `x.view(…)` that PyTorch refuses, since no strides show the elements in that shape;
 * `reshape` would copy. Reported only where the order in memory is certain: for views of an input,
 * a parameter or a product without assumed sizes. A wrong number of elements is reported elsewhere.
 */
export function viewFaults({ graph, built, source }: Viewed): readonly Diagnostic[] {
  if (!graph.operators.some(({ op }) => op === "view")) return [];
  const { strides, views } = storagesOf(graph);
  const tensors = tensorsById(graph);
  const isPlain = (tensor: TensorId) =>
    isContiguous(tensors.get(tensor)?.shape ?? [], strides.get(tensor) ?? []);
  // Images may have been asked to lie with their channels last.
  const isCertain = certainty(graph, views, source.includes("channels_last") ? undefined : isPlain);
  const found = new Map<number, Diagnostic>();
  for (const [traced, { op, inputs, outputs, span }] of built.operatorOf) {
    const [shown, result] = [inputs[0]?.tensor, outputs[0]?.tensor];
    if (op !== "view" || shown === undefined || result === undefined) continue;
    const [from, to] = [tensors.get(shown), tensors.get(result)];
    const own = strides.get(shown);
    if (span === undefined || span.from < 0 || from === undefined || to === undefined) continue;
    if (product(from.shape) !== product(to.shape) || followsAssumed(traced.inputs)) continue;
    if (own === undefined || viewStrides(from.shape, own, to.shape) || !isCertain(shown)) continue;
    found.set(span.from, { code: "torch/no-view", severity: "error", message, span });
  }
  return [...found.values()];
}

const message =
  "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces): use reshape, or contiguous before it";

/** Whether the order of a tensor's elements in memory is certain. */
function certainty(
  { operators }: Graph,
  views: ReadonlySet<OperatorId>,
  isPlain: ((tensor: TensorId) => boolean) | undefined,
): (tensor: TensorId) => boolean {
  const makers = new Map<TensorId, Operator>(
    operators.flatMap((operator) =>
      operator.outputs.map(({ tensor }) => [tensor, operator] as const),
    ),
  );
  const known = new Map<TensorId, boolean>();
  const isCertain = (tensor: TensorId): boolean => {
    const said = known.get(tensor) ?? isMadeSo(tensor);
    known.set(tensor, said);
    return said;
  };
  const isMadeSo = (tensor: TensorId): boolean => {
    const maker = makers.get(tensor);
    if (maker === undefined || rowMajor.has(maker.entry ?? "")) return true;
    const isOfPlain = isPlain !== undefined && plainOfPlain.has(maker.entry ?? "");
    if (isOfPlain && maker.inputs.every((each) => isPlain(each.tensor) && isCertain(each.tensor)))
      return true;
    const source = maker.inputs[0]?.tensor;
    const isAlike = maker.inputs.length === 1 && keeping.has(maker.entry ?? "");
    return source !== undefined && (isAlike || views.has(maker.id)) && isCertain(source);
  };
  return isCertain;
}
