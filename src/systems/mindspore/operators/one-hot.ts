import { passed } from "#core/diagnostics";
import { dimOf, type OperatorCall, type OperatorRule, refused, valuesFrom } from "./call.ts";

/**
 * OneHot: its first tuple has one entry per dim of the result, of which the new dim may be cut too;
 * on_value and off_value are numbers (MindSpore's `onehot_info`).
 */
export const oneHotRule: OperatorRule = {
  cutSizes: (call) => [resultShape(call), ...call.shapes.slice(1)],
  batchDims: (call) => ((call.shapes[0]?.[0] ?? 1) % call.devices === 0 ? [[0, 0]] : []),
  tuples: (call) => {
    const [cut = []] = call.strategies;
    const at = newDim(call);
    const shape = resultShape(call);
    if (at === undefined) return refused("OneHot has no such axis");
    const map = valuesFrom(shape.length, 0, shape.length);
    return passed({
      deviceMatrix: cut,
      inputMaps: [map.toSpliced(at, 1), ...call.shapes.slice(1).map(() => [])],
      outputs: [{ shape, map }],
      forward: [],
    });
  },
};

function newDim({ shapes, attributes }: OperatorCall): number | undefined {
  return dimOf(attributes.axis ?? -1, (shapes[0]?.length ?? 0) + 1);
}

function resultShape(call: OperatorCall): readonly number[] {
  const [indices = []] = call.shapes;
  const { depth, num_classes: classes } = call.attributes;
  const count = depth ?? classes;
  const size = typeof count === "number" ? count : 1;
  return indices.toSpliced(newDim(call) ?? indices.length, 0, size);
}
