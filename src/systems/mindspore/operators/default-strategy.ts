import { greatestCommonDivisor } from "#core/arithmetic";
import { piecesWithoutRule, withoutOwnRule } from "../primitives/index.ts";
import type { OperatorCall, OperatorRule } from "./call.ts";
import { ruleOf } from "./rules.ts";

/**
 * The default strategy: batch parallel (mindspore.md §2.4). The dims that are split share one
 * number of pieces, the greatest common divisor of their sizes and the number of devices.
 */
export function batchParallel(
  call: OperatorCall,
  rule: OperatorRule,
): readonly (readonly number[])[] {
  const own = rule.defaultStrategies?.(call);
  if (own !== undefined) return own;
  const dims = rule.batchDims?.(call) ?? [[0, 0] as const];
  const shapes = rule.cutSizes?.(call) ?? call.dividing ?? call.shapes;
  const sizes = dims.map(([input, dim]) => Math.max(1, shapes[input]?.[dim] ?? 1));
  const pieces = withoutOwnRule.has(call.op)
    ? piecesWithoutRule(call, call.devices, sizes)
    : sizes.reduce(greatestCommonDivisor, call.devices);
  const isCut = (input: number, dim: number) =>
    dims.some(([other, at]) => other === input && at === dim);
  return shapes.map((shape, input) => shape.map((_, dim) => (isCut(input, dim) ? pieces : 1)));
}

/**
 * The default strategy of a call by the operator's name; `undefined` for an operator without a
 * known rule.
 */
export function defaultStrategy(call: OperatorCall): readonly (readonly number[])[] | undefined {
  const rule = ruleOf(call.op);
  return rule && batchParallel(call, rule);
}
