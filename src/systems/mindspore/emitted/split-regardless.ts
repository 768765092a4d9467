import type { OperatorCall } from "../operators/call.ts";
import type { OperatorModel } from "../operators/model-operator.ts";
import { piecesWithoutRule, withoutOwnRule } from "../primitives/index.ts";

/** Strategies and model of an operator. */
interface Placing {
  readonly strategies: readonly (readonly number[])[];
  readonly model: OperatorModel;
}

/**
 * Placement of an operator without a rule that computes along dim 0 of its first input: MindSpore
 * 2.10 splits that dim nevertheless, and assumes that its results are split on dim 0. `undefined`
 * for other operators.
 *
 * @param strategies the default ones, in which the dim of the computation is whole
 * @param results shapes of its results
 */
export function splitRegardlessOf(
  call: OperatorCall,
  strategies: readonly (readonly number[])[] | undefined,
  results: readonly (readonly number[])[],
): Placing | undefined {
  const { op, shapes, devices } = call;
  const pieces = piecesWithoutRule(call, devices);
  if (!withoutOwnRule.has(op) || (strategies?.[0]?.[0] ?? 1) > 1 || pieces < 2) return undefined;
  const repeated = devices / pieces;
  const axis = repeated > 1 ? 1 : 0;
  const mapOf = (shape: readonly number[], isCut: boolean) =>
    shape.map((_, dim) => (isCut && dim === 0 ? axis : -1));
  const sliceOf = (shape: readonly number[], isCut: boolean) =>
    shape.map((size, dim) => (isCut && dim === 0 ? size / pieces : size));
  const model: OperatorModel = {
    deviceMatrix: repeated > 1 ? [pieces, repeated] : [pieces],
    inputMaps: shapes.map((shape, input) => mapOf(shape, input === 0)),
    inputSlices: shapes.map((shape, input) => sliceOf(shape, input === 0)),
    outputs: results.map((shape) => ({
      shape,
      map: mapOf(shape, (shape[0] ?? 1) % pieces === 0),
      slice: sliceOf(shape, (shape[0] ?? 1) % pieces === 0),
    })),
    repeated,
    forward: [],
    mirror: [],
    lossDivisor: repeated,
  };
  const cut = shapes.map((shape, input) =>
    shape.map((_, dim) => (input === 0 && dim === 0 ? pieces : 1)),
  );
  return { strategies: cut, model };
}
