import { passed } from "#core/diagnostics";
import type { OperatorRule } from "./call.ts";
import { gatherRule } from "./gather.ts";

/** Embedding of indices and a table: Gather along dim 0 with its inputs the other way round. */
export const embeddingRule: OperatorRule = {
  // The rows of the table, which MindSpore takes for the first of Gather's inputs.
  batchDims: () => [[1, 0]],
  takesOutStrategy: true,
  tuples: (call) => {
    const turned = gatherRule.tuples?.({
      ...call,
      shapes: call.shapes.toReversed(),
      strategies: call.strategies.toReversed(),
      attributes: { ...call.attributes, axis: 0 },
      parameters: call.parameters.map((input) => call.shapes.length - 1 - input),
    });
    if (turned === undefined || !turned.ok) return turned ?? passed(nothing);
    const inferred = { ...turned.value, inputMaps: turned.value.inputMaps.toReversed() };
    return passed(inferred, turned.diagnostics);
  },
};

const nothing = { deviceMatrix: [], inputMaps: [], outputs: [], forward: [] };
