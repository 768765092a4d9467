import { isSameShape } from "../stablehlo/types.ts";
import { floatOf, intOf, type OnnxCall, type OnnxMade } from "./call.ts";
import { dimsIn, tensorText } from "./values.ts";

/** Gemm: a matrix product plus a bias, with the factors `alpha` and `beta`. */
export function gemm(call: OnnxCall, x: string): OnnxMade {
  const { node, inputs, shapeOf } = call;
  const [, weight, bias] = inputs;
  if (weight === undefined) return undefined;
  const [alpha, beta] = [floatOf(node, "alpha", 1), floatOf(node, "beta", 1)];
  const left = intOf(node, "transA", 0) === 1 ? `${x}.transpose(0, 1)` : x;
  const w = tensorText(weight);
  const isTurned = intOf(node, "transB", 0) === 1;
  const added = bias === undefined || beta === 0 ? undefined : tensorText(bias);
  const isRow = isSameShape(shapeOf(2) ?? [], (shapeOf(1) ?? [0]).slice(0, 1));
  if (isTurned && added !== undefined && isRow && alpha === 1 && beta === 1)
    return `F.linear(${left}, ${w}, ${added})`;
  const product = isTurned ? `F.linear(${left}, ${w})` : `${left} @ ${w}`;
  const scaled = alpha === 1 ? product : `(${product}) * ${alpha}`;
  if (added === undefined) return scaled;
  return `${scaled} + ${beta === 1 ? added : `${added} * ${beta}`}`;
}

/** A norm over the dims from an axis on; weight and bias may broadcast to them. */
export function normalized(call: OnnxCall, x: string): OnnxMade {
  const { node, inputs, shapeOf } = call;
  const [term, weight, bias] = inputs;
  const rank = dimsIn(term);
  const axis = intOf(node, "axis", -1);
  const count = axis < 0 ? -axis : rank === undefined ? undefined : rank - axis;
  if (weight === undefined || count === undefined || count > 16) return undefined;
  const eps = floatOf(node, "epsilon", 1e-5);
  const name = node.op === "LayerNormalization" ? "layer_norm" : "rms_norm";
  const own = shapeOf(1);
  const whole = shapeOf(0)?.slice(-count) ?? own;
  const isWhole = (shape: readonly number[] | undefined) =>
    shape?.length === count && isSameShape(shape, whole ?? []);
  const texts = [weight, ...(bias ? [bias] : [])].map(tensorText);
  if (own !== undefined && isWhole(own) && (bias === undefined || isWhole(shapeOf(2))))
    return `F.${name}(${[x, `(${own.join(", ")},)`, ...texts].join(", ")}, eps=${eps})`;
  if (rank === undefined) return undefined;
  const sizes = Array.from({ length: count }, (_, at) => `${x}.shape[${rank - count + at}]`);
  return `F.${name}(${x}, (${sizes.join(", ")},), eps=${eps}) * ${texts.join(" + ")}`;
}

/** Before opset 13 softmax flattens all dims from the axis on into one. */
export function softmaxed({ node, inputs: [term], opset }: OnnxCall, x: string): OnnxMade {
  const name = node.op === "Softmax" ? "softmax" : "log_softmax";
  const axis = intOf(node, "axis", opset < 13 ? 1 : -1);
  const rank = dimsIn(term);
  if (opset >= 13 || axis === -1 || axis + 1 === rank) return `torch.${name}(${x}, ${axis})`;
  if (rank === undefined) return undefined;
  const sizes = Array.from({ length: rank }, (_, dim) => `${x}.shape[${dim}]`);
  const from = axis < 0 ? axis + rank : axis;
  return `torch.${name}(${x}.flatten(${from}), -1).reshape(${sizes.join(", ")})`;
}

/** Batch norm with the stored mean and variance; `undefined` in training mode. */
export function batchNormalized({ node, inputs, opset }: OnnxCall, x: string): OnnxMade {
  const [, weight, bias, mean, variance] = inputs.map((each) => each && tensorText(each));
  const isTraining =
    intOf(node, "training_mode", 0) === 1 || (opset < 7 && intOf(node, "is_test", 0) === 0);
  const isSpatial = intOf(node, "spatial", 1) === 1;
  if (isTraining || !isSpatial || mean === undefined || variance === undefined) return undefined;
  const eps = floatOf(node, "epsilon", 1e-5);
  return `F.batch_norm(${x}, ${mean}, ${variance}, ${weight}, ${bias}, eps=${eps})`;
}
