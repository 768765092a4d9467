import { greatestCommonDivisor } from "#core/arithmetic";
import type { Operator } from "#core/ir";

/**
 * The default strategy of an operator, as pieces per index axis: batch parallel (mindspore.md
 * §2.4).
 *
 * Dim 0 of the first input is cut; for MatMul and element-wise operators with several inputs, dim 0
 * of the result. The number of pieces is the greatest common divisor of its size and the number of
 * devices.
 */
export function batchParallelPieces(
  operator: Operator,
  devices: number,
): Readonly<Record<string, number>> {
  const [first] = operator.inputs;
  const [result] = operator.outputs;
  const isJoint = operator.inputs.length > 1;
  const rowOf = isJoint ? result : first;
  const cut = rowOf?.dims[0]?.splittable;
  const size = operator.axes.find(({ name }) => name === cut)?.size ?? 1;
  const pieces = greatestCommonDivisor(size, devices);
  return cut === undefined || pieces < 2 ? {} : { [cut]: pieces };
}
