import { passed } from "#core/diagnostics";
import { type OperatorRule, refused } from "./call.ts";

/**
 * Custom: every operand and result lies as its Layout says, and nothing is sent (MindSpore's
 * `custom_info`); no tuples, no default, and no result without a Layout.
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
  // MindSpore accepts no default; this one makes it report the operator.
  defaultStrategies: ({ shapes }) => shapes.map((shape) => shape.map(() => 1)),
  takesOutLayout: true,
};

function resultShapes(value: unknown): readonly (readonly number[])[] {
  return Array.isArray(value) ? (value as readonly (readonly number[])[]) : [];
}
