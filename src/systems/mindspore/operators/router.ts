import { specOf } from "../primitives/index.ts";
import { type OperatorRule, refused } from "./call.ts";
import { linkedRule } from "./linked.ts";

/** Of its six operands four are numbers, and MindSpore wants a tuple of one entry for each. */
const numbers = [[1], [1], [1], [1]];

/** TopPRouter: experts and their probabilities, cut alike on the groups of tokens. */
export const topPRouterRule: OperatorRule = {
  tuples: (call) => {
    const [experts = [], , , , , probabilities = []] = call.strategies;
    const spec = specOf("TopPRouter");
    const tensors = { ...call, strategies: [experts, probabilities] };
    const inferred = spec && linkedRule(spec).tuples?.(tensors);
    return inferred ?? refused("TopPRouter is not known here");
  },
  cutSizes: ({ shapes: [experts = [], probabilities = []] }) => [
    experts,
    ...numbers,
    probabilities,
  ],
  batchDims: () => [
    [0, 0],
    [5, 0],
  ],
};
