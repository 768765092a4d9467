import { passed } from "#core/diagnostics";
import { numbersOf } from "../primitives/arguments.ts";
import {
  groupFault,
  overlapFault,
  resizeFault,
  sendsToNeighbours,
  windowFault,
} from "../primitives/window-checks.ts";
import { convolvedWhole } from "../primitives/windows.ts";
import { type OperatorCall, type OperatorRule, refused, type TupleCall } from "./call.ts";

/**
 * Adds the extra checks of some operators to a rule: sliding windows (MindSpore's `conv2d_info`,
 * `maxpool_info`), groups of BatchNorm, sampled classes.
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

/** Whether each device fetches the rows and columns around its block from its neighbours. */
export function exchangesBorders(
  call: OperatorCall,
  strategies: readonly (readonly number[])[],
): boolean {
  return sendsToNeighbours(call, strategies[0] ?? []);
}

/**
 * Convolution: images and channels may be cut, height and width may not. 2.10 matches dim 1 of the
 * input with dim 0 of the weight, that is summed with output channels. This compiles, but its
 * results are wrong if channels are cut (its `convolution_info`).
 */
export const convolutionRule: OperatorRule = {
  tuples: (call) => {
    const { op, shapes, strategies } = call;
    const [x = [], weight = []] = strategies;
    if (shapes.length > 2) return refused(`${op} with a bias has no strategy in MindSpore 2.10`);
    if ([...x.slice(2), ...weight.slice(2)].some((pieces) => pieces > 1)) {
      return refused(`${op} cannot be split along height or width`);
    }
    const [images = 1, channels = 1] = x;
    const [made = 1, summed = 1] = weight;
    if (channels !== made) {
      return refused(
        `${op} needs equal strategy values on dim 1 of its input and dim 0 of its weight, but they are ${channels} and ${made}`,
      );
    }
    const links = convolvedWhole(call);
    const inferred = {
      deviceMatrix: [images, channels, summed],
      inputMaps: [
        [2, 1, -1, -1],
        [1, 0, -1, -1],
      ],
      outputs: links.outputs.map((dims) => ({
        shape: dims.map(({ size }) => size),
        map: [2, 0, -1, -1],
      })),
      forward: channels > 1 ? [{ primitive: "AllReduce", axes: [1] } as const] : [],
    };
    if (channels === 1 && summed === 1) return passed(inferred);
    const message = `${op} with channels that are split: MindSpore 2.10 takes the channels that are made for those that are summed, so its values are wrong`;
    return passed(inferred, [{ code: "mindspore/wrong-values", severity: "warning", message }]);
  },
};
