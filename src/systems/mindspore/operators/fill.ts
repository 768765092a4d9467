import { passed } from "#core/diagnostics";
import { integersIn, type OperatorCall, type OperatorRule, refused, valuesFrom } from "./call.ts";

/** FillV2: the strategy cuts the shape that is asked for, with an empty tuple for the value. */
export const fillRule: OperatorRule = {
  tuples: (call) => {
    const shape = shapeIn(call);
    const [cut = []] = call.strategies;
    if (shape === undefined) return refused("what FillV2 makes is not known here");
    const map = valuesFrom(cut.length, 0, cut.length);
    return passed({
      deviceMatrix: cut,
      inputMaps: call.shapes.map((dims) => dims.map(() => -1)),
      outputs: [{ shape, map }],
      forward: [],
    });
  },
  cutSizes: (call) => [shapeIn(call) ?? [], []],
};

function shapeIn({ attributes, arguments: [given] }: OperatorCall): readonly number[] | undefined {
  return integersIn(attributes.shape ?? given);
}
