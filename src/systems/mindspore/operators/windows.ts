import { numbersOf } from "../primitives/arguments.ts";
import {
  groupFault,
  overlapFault,
  resizeFault,
  sendsToNeighbours,
  windowFault,
} from "../primitives/window-checks.ts";
import type { OperatorCall, OperatorRule, TupleCall } from "./call.ts";
import { refused } from "./call.ts";

/**
 * A rule with the checks that some operators have besides: of dims over which windows slide
 * (MindSpore's `conv2d_info`, `maxpool_info`), of groups of BatchNorm, of sampled classes.
 */
export function withFaults(rule: OperatorRule): OperatorRule {
  const { tuples } = rule;
  if (tuples === undefined) return rule;
  return {
    ...rule,
    tuples: (call) => {
      const [cut = []] = call.strategies;
      const fault = windowFault(call, cut) ?? overlapFault(call, cut) ?? ownFault(call, cut);
      return fault === undefined ? tuples(call) : refused(fault);
    },
  };
}

function ownFault(call: TupleCall, cut: readonly number[]): string | undefined {
  const { op, attributes, devices } = call;
  const { group_size: group, remove_accidental_hits: removes } = attributes;
  const fault = groupFault(call, call.strategies) ?? resizeFault(call, cut);
  if (fault !== undefined) return fault;
  if (op === "UniformCandidateSampler" && removes === true && cut.some((pieces) => pieces > 1)) {
    return `${op} can be split only without remove_accidental_hits`;
  }
  const [images = 1, channels = 1] = numbersOf(call, "stride")?.slice(0, -2) ?? [];
  if (op === "Conv2D" && (images !== 1 || channels !== 1)) {
    return `the first two elements of the stride of Conv2D must be 1, not (${images}, ${channels})`;
  }
  if (op !== "BatchNorm" || typeof group !== "number") return undefined;
  if (group < 1 || devices % group !== 0 || !Number.isInteger(Math.log2(group))) {
    return `the group_size of BatchNorm must be a power of two that divides ${devices}, not ${group}`;
  }
  return cut[0] === devices
    ? undefined
    : `with a group_size dim 0 of BatchNorm must be cut over all ${devices} devices`;
}

/** Whether every device fetches the rows and columns beside its block from its neighbours. */
export function exchangesBorders(
  call: OperatorCall,
  strategies: readonly (readonly number[])[],
): boolean {
  return sendsToNeighbours(call, strategies[0] ?? []);
}
