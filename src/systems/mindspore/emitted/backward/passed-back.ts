import { isFloat } from "#core/ir/types";
import { shapeOf, type TracedTensor } from "#language/document/trace";
import type { PlacedOperator } from "../placed-operators.ts";
import type { Slope, Slopes } from "./slope.ts";

/** Operators that become constants before MindSpore differentiates, whatever they read. */
const ends = /^(ZerosLike|OnesLike|Shape)$/u;

/** Whether gradients pass back through an operator to an operand. */
export function passesTo({ op }: PlacedOperator, at: number): boolean {
  // The running mean and variance of a BatchNorm are not differentiated.
  return !ends.test(op) && (op !== "BatchNorm" || at < 3);
}

/** Whether a tensor is differentiable. */
export function isSmooth({ dtype }: TracedTensor): boolean {
  return dtype === undefined || isFloat(dtype);
}

/** Whether an operator passes zeros back for any gradient. */
export function givesZeros({ op, traced }: PlacedOperator): boolean {
  return op === "Floor" || !traced.outputs.some(isSmooth);
}

/** Operators whose gradient of an operand does not read that operand. */
const linear =
  /^((Batch)?MatMul|MatMulExt|Add|Sub|Mul|Muls|Divs|AddExt|SubExt|BiasAdd|Neg|Conv2D|Gather|Reshape|Transpose|ExpandDims|Tile|Concat|Split|StridedSlice|Reduce(Sum|Mean)|SumExt|MeanExt)$/u;

/** Operators whose gradients read no operand. */
const adds = /^(Add|Sub|AddExt|SubExt|AddScalar|SubScalar|BiasAdd|Neg)$/u;

/** Operators whose gradients read no operand if the other operand is a number. */
const scales = /^(Mul|RealDiv|Div|Muls|Divs)$/u;

/**
 * The gradient that an operator passes back to an operand.
 *
 * @param given the gradients of its results; `undefined` for results without
 * @param numberOf the number of a value: equal values have the same
 */
export function passedBack(
  placed: PlacedOperator,
  at: number,
  given: readonly (Slope | undefined)[],
  numberOf: (tensor: TracedTensor) => number,
  slopes: Slopes,
): Slope {
  const { op, traced } = placed;
  const [first] = given;
  const input = traced.inputs[at];
  const [output] = traced.outputs;
  const shapes = [input, output].map((each) =>
    each?.kind === "tensor" ? shapeOf(each).join() : undefined,
  );
  const isPassed = at === 0 ? adds.test(op) && op !== "Neg" : op === "Add";
  if (first !== undefined && isPassed && shapes[0] === shapes[1]) return first;
  const isOwn = !linear.test(op) && !(at > 0 && /^(LayerNorm|RmsNorm)$/u.test(op));
  const read = traced.inputs.map((each, place) => {
    if (each.kind !== "tensor") return each.text;
    if (adds.test(op)) return shapeOf(each).join();
    return place === at && !isOwn ? shapes[0] : numberOf(each);
  });
  const { primitive, attributes, integers } = traced;
  const said = [primitive?.arguments, primitive?.attributes, attributes, integers];
  const numbers = given.map((slope) => slope?.number);
  const parts = [op, at, placed.strategies, said, read, numbers];
  return slopes.of(parts, constancy(placed, first, shapes));
}

function constancy(
  { op, traced }: PlacedOperator,
  given: Slope | undefined,
  shapes: readonly (string | undefined)[],
): boolean | undefined {
  if (given?.isConstant !== true) return given?.isConstant;
  const isScalar = shapes.every((shape) => shape === "");
  if (op === "Reshape") return isScalar || shapes.join() === ",1";
  if (adds.test(op)) return isScalar ? true : undefined;
  const operands = traced.inputs.filter((each) => each.kind === "tensor" && !isNumber(each));
  if (!scales.test(op) || operands.length > 1) return false;
  return isScalar ? true : undefined;
}

/** Whether a tensor is a constant scalar from the text. */
function isNumber({ constant, producer, role, shape }: TracedTensor): boolean {
  const isMade = producer === undefined && role !== "parameter";
  return constant !== undefined && isMade && shape?.length === 0;
}
