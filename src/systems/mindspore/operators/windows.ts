import { sendsToNeighbours, windowFault } from "../primitives/windows.ts";
import type { OperatorCall, OperatorRule } from "./call.ts";
import { refused } from "./call.ts";

/** A rule with the checks of dims over which windows slide (MindSpore's `conv2d_info`, `maxpool_info`). */
export function withWindows(rule: OperatorRule): OperatorRule {
  const { tuples } = rule;
  if (tuples === undefined) return rule;
  return {
    ...rule,
    tuples: (call) => {
      const fault = windowFault(call, call.strategies[0] ?? []);
      return fault === undefined ? tuples(call) : refused(fault);
    },
  };
}

/** Whether every device fetches the rows and columns beside its block from its neighbours. */
export function exchangesBorders(
  call: OperatorCall,
  strategies: readonly (readonly number[])[],
): boolean {
  return sendsToNeighbours(call, strategies[0] ?? []);
}
