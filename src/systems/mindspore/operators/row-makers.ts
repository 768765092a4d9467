import { greatestCommonDivisor } from "#core/arithmetic";
import { passed } from "#core/diagnostics";
import { specOf } from "../primitives/index.ts";
import { type OperatorCall, type OperatorRule, refused, valuesFrom } from "./call.ts";

/**
 * LinSpace, LinSpaceExt and Arange: one tuple cuts the row that they make. By default all devices do,
 * of Arange as many as divide it (asked of 2.10). Eye makes a whole table.
 */
export const rowRule: OperatorRule = {
  tuples: (call) => {
    const shape = madeBy(call);
    const [cut = shape.map(() => 1)] = call.strategies;
    if (call.op === "Eye" && call.strategies.flat().length > 0)
      return refused("Eye cannot be split");
    const inputMaps = call.shapes.map((dims) => dims.map(() => -1));
    if (call.op === "Eye") {
      return passed({
        deviceMatrix: [],
        inputMaps,
        outputs: [{ shape, map: shape.map(() => -1) }],
        forward: [],
      });
    }
    const map = valuesFrom(cut.length, 0, cut.length);
    return passed({ deviceMatrix: cut, inputMaps, outputs: [{ shape, map }], forward: [] });
  },
  defaultStrategies: (call) => {
    const { op, devices } = call;
    if (op === "Eye") return [];
    const [length = 1] = madeBy(call);
    return [[op === "Arange" ? greatestCommonDivisor(length, devices) : devices]];
  },
  cutSizes: (call) => (call.op === "Eye" ? [] : [madeBy(call)]),
};

function madeBy(call: OperatorCall): readonly number[] {
  const links = specOf(call.op)?.links(call);
  if (links === undefined || typeof links === "string") return [];
  return links.outputs[0]?.map(({ size }) => size) ?? [];
}
