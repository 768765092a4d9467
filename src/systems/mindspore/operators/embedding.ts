import { greatestCommonDivisor, product } from "#core/arithmetic";
import { passed } from "#core/diagnostics";
import { type OperatorRule, refused, type TupleCall } from "./call.ts";
import { gatherTuples } from "./gather.ts";

/**
 * Embedding of indices and a table: a Gather along dim 0 with its inputs swapped. Its indices are
 * not split; its table is split over all devices or not at all (mindspore.md §5.5).
 */
export const embeddingRule: OperatorRule = {
  takesOutStrategy: true,
  // MindSpore's default splits the table's rows, as if they were dim 0 of Gather's inputs.
  defaultStrategies: ({ shapes: [indices = [], [rows = 1] = []], devices }) => [
    indices.map(() => 1),
    [greatestCommonDivisor(rows, devices), 1],
  ],
  tuples: (call) => {
    const fault = embeddingFault(call);
    if (fault !== undefined) return refused(fault);
    const turned = gatherTuples({
      ...call,
      shapes: call.shapes.toReversed(),
      strategies: call.strategies.toReversed(),
      attributes: { ...call.attributes, axis: 0 },
      arguments: [],
      parameters: call.parameters.map((input) => call.shapes.length - 1 - input),
    });
    if (!turned.ok) return turned;
    const inferred = { ...turned.value, inputMaps: turned.value.inputMaps.toReversed() };
    return passed(inferred, turned.diagnostics);
  },
};

/** The default value 2.0 of `norm_type` in the JSON form of attributes. */
const norm2 = JSON.stringify({ float: 2 });

/** Values of Embedding's attributes with which MindSpore 2.10 can split it. */
const splitWith: Readonly<Record<string, (value: unknown) => boolean>> = {
  padding_idx: (value) => value == null,
  max_norm: (value) => value == null,
  norm_type: (value) => value == null || JSON.stringify(value) === norm2,
  scale_grad_by_freq: (value) => value !== true,
};

/**
 * The reason why MindSpore 2.10 refuses an Embedding whose Gather it would take; `undefined` if
 * there is none.
 */
function embeddingFault(call: TupleCall): string | undefined {
  const { shapes, strategies, attributes, devices } = call;
  const [indices = []] = shapes;
  const [indexCut = [], tableCut = []] = strategies;
  const given = Object.keys(splitWith).find(
    (name) => splitWith[name]?.(attributes[name]) === false,
  );
  if (given !== undefined) return `MindSpore 2.10 does not split Embedding with ${given}`;
  if (product(indexCut) !== 1) return "Embedding cannot split its indices";
  const pieces = product(tableCut);
  if (pieces !== 1 && pieces !== devices)
    return `Embedding splits its table over all ${devices} devices or not at all, not into ${pieces} pieces`;
  const [rows = 1] = tableCut;
  if (rows === 1 && indices.length !== 2)
    return "Embedding whose table keeps its rows takes indices of two dims in MindSpore 2.10";
  if ((indices[0] ?? 1) % rows === 0) return undefined;
  return `Embedding scatters dim 0 of its indices over ${rows} devices, which do not divide its ${indices[0]} elements`;
}
