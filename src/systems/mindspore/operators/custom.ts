import { passed } from "#core/diagnostics";
import { type OperatorRule, refused } from "./call.ts";

/**
 * Custom: every operand and result has the layout that is given for it, without collectives
 * (MindSpore's `custom_info`). Tuples, defaults and results without a Layout are refused.
 */
export const customRule: OperatorRule = {
  tuples: () => refused("Custom takes Layouts of all inputs and results only"),
  layouts: ({ op, maps, outMaps = [], attributes, deviceMatrix }) => {
    const shapes = resultShapes(attributes.out_shapes);
    if (outMaps.length !== shapes.length) {
      return refused(`${op} has ${outMaps.length} output layouts for ${shapes.length} results`);
    }
    const outputs = shapes.map((shape, at) => ({ shape, map: outMaps[at] ?? [] }));
    return passed({ deviceMatrix, inputMaps: maps, outputs, forward: [] });
  },
  // MindSpore has no default; this one makes the tuple rule refuse the operator.
  defaultStrategies: ({ shapes }) => shapes.map((shape) => shape.map(() => 1)),
  takesOutLayout: true,
};

function resultShapes(value: unknown): readonly (readonly number[])[] {
  return Array.isArray(value) ? (value as readonly (readonly number[])[]) : [];
}
