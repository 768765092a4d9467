import { broadcastShape, product } from "#core/arithmetic";
import { dimOf, type OperatorCall } from "../operators/call.ts";
import { matmulRoles } from "../operators/matmul-roles.ts";
import { modelOperator } from "../operators/model-operator.ts";
import { stretchedNames } from "../primitives/element-wise.ts";
import type { RankList } from "../redistribution/emitted.ts";

import { type RankOperator, shapesAlong } from "../redistribution/rank-list.ts";

/** The shape of a tensor on one device. */
export type LocalShape = readonly number[];

/**
 * The local shapes after an operator or a redistribution; "misfit" if the operands do not fit
 * together, `undefined` if unknown.
 */
export type LocalResults<T> = { readonly shapes: T } | "misfit" | undefined;

/** Further primitives that broadcast their operands to one shape. */
const otherStretched: ReadonlySet<string> = new Set([
  ...["Atan2Ext", "ClampTensor", "Fmax", "Fmin", "LogAddExp", "LogAddExp2"],
  ...["InplaceClampTensor", "MaskedFillScalar"],
]);

/** Arguments that hold lengths; MindSpore rewrites them for the expected local shapes. */
const saysLengths =
  /size|shape|multiples|begin|start|end|strides|length|repeat|sections|output|pad|depth|num|index/;

/**
 * The result shapes of an operator on one device for given local operand shapes, which may differ
 * from the planned slices.
 *
 * @param call the call, with local shapes
 * @param isAsWritten whether MindSpore leaves its arguments as the program gives them
 */
export function localResults(
  call: OperatorCall,
  isAsWritten: boolean,
): LocalResults<readonly LocalShape[]> {
  const { op, shapes, attributes } = call;
  if (stretchedNames.has(op) || otherStretched.has(op)) return alone(broadcastShape(shapes));
  if (/^(Batch)?MatMul(Ext)?$/.test(op)) {
    const roles = matmulRoles(call);
    return roles.ok ? { shapes: [roles.value.output] } : "misfit";
  }
  if (/^(KLDiv|TripletMarginLoss)$/.test(op) && broadcastShape(shapes) === undefined)
    return "misfit";
  if (op === "SoftMarginLoss" && new Set(shapes.map(String)).size > 1) return "misfit";
  if (op === "NarrowView" && isTooLong(call)) return "misfit";
  if (/^Stack(Ext)?$/.test(op) && new Set(shapes.map(String)).size > 1) return "misfit";
  if (op === "Concat" && !isJoined(call)) return "misfit";
  if (op === "Dense" && shapes[0]?.at(-1) !== shapes[1]?.at(-1)) return "misfit";
  if (op === "LayerNorm") return isScaled(call) ? { shapes: shapes.slice(0, 1) } : "misfit";
  if (!isAsWritten && Object.keys(attributes).some((name) => saysLengths.test(name)))
    return undefined;
  const strategies = shapes.map((shape) => shape.map(() => 1));
  const alike = { ...call, devices: 1, rank: 0 };
  const model = modelOperator(alike, { kind: "tuples", inputs: strategies });
  return model.ok ? { shapes: model.value.outputs.map(({ shape }) => shape) } : undefined;
}

function alone(shape: LocalShape | undefined): LocalResults<readonly LocalShape[]> {
  return shape === undefined ? "misfit" : { shapes: [shape] };
}

/** Whether a shape can be broadcast to another one. */
export function stretchesTo(shape: LocalShape, target: LocalShape): boolean {
  return broadcastShape([shape, target])?.join() === target.join();
}

/** Whether shapes differ only on the dim along which they are concatenated. */
function isJoined({ shapes, attributes }: OperatorCall): boolean {
  const axis = dimOf(attributes.axis ?? 0, shapes[0]?.length ?? 0);
  const others = shapes.map((shape) => shape.filter((_, dim) => dim !== axis).join());
  return new Set(others).size === 1;
}

/** Whether a slice reaches beyond the end of its dim. */
function isTooLong({ shapes: [x = []], attributes: { dim, start, length } }: OperatorCall) {
  if (typeof dim !== "number" || typeof length !== "number") return false;
  const size = x.at(dim) ?? 1;
  const from = typeof start === "number" ? start : 0;
  return (from < 0 ? from + size : from) + length > size;
}

/** Whether gamma and beta of a normalisation have the lengths of the normalised dims. */
function isScaled({ shapes: [x = [], ...scales] }: OperatorCall): boolean {
  return scales.every((scale) => scale.join() === x.slice(x.length - scale.length).join());
}

/**
 * The shape after a redistribution, for a block whose shape differs from the one for which the
 * redistribution was planned.
 */
export function localRedistributed(
  shape: LocalShape,
  { list, start }: RankList,
): LocalResults<LocalShape> {
  const expected = shapesAlong(start, list);
  let held = shape;
  for (const [at, operator] of list.entries()) {
    const made = redistributed(held, operator, expected[at] ?? start);
    if (made === undefined || made === "misfit") return made;
    held = made.shapes;
  }
  return { shapes: held };
}

function redistributed(
  shape: LocalShape,
  operator: RankOperator,
  expected: LocalShape,
): LocalResults<LocalShape> {
  if (operator.kind === "reshape") {
    const { shape: made } = operator;
    return product(made) === product(shape) ? { shapes: made } : "misfit";
  }
  if (operator.kind === "permute" || shape.length !== expected.length) return undefined;
  const { dim } = operator;
  const size = shape[dim] ?? 1;
  if (operator.kind === "concat") {
    return { shapes: shape.with(dim, size * operator.ranks.length) };
  }
  // Slice bounds were computed for the expected shape.
  const length = (expected[dim] ?? 1) / operator.count;
  const left = shape.map((each, at) =>
    at === dim
      ? Math.min(length, each - operator.index * length)
      : Math.min(each, expected[at] ?? 1),
  );
  return left.every((each) => each > 0) ? { shapes: left } : undefined;
}
