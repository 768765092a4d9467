import { greatestCommonDivisor } from "#core/arithmetic";
import { passed } from "#core/diagnostics";
import { specOf } from "../primitives/index.ts";
import { type OperatorCall, type OperatorRule, refused, type TupleCall } from "./call.ts";
import { firstRows, linkedRule } from "./linked.ts";

/** The strategy that cuts dim 0 of all inputs, over as many devices as divide all of them. */
function rowsOfAll({ shapes, devices }: OperatorCall): readonly (readonly number[])[] {
  const pieces = shapes.reduce((all, [rows = 1]) => greatestCommonDivisor(all, rows), devices);
  return shapes.map((shape) => shape.map((_, dim) => (dim === 0 ? pieces : 1)));
}

/**
 * Select (MindSpore's `select_info`): its inputs have equal strategies and ranks, and the two value
 * inputs one shape. A condition dim of length 1 is broadcast if nothing cuts it.
 */
export const selectRule: OperatorRule = {
  tuples: (call: TupleCall) => {
    const spec = specOf("Select");
    const [condition = [], chosen, other] = call.shapes;
    const isOne = chosen?.join() === other?.join() && condition.length === chosen?.length;
    if (!isOne || spec === undefined)
      return refused(
        "Select takes a condition of the rank of its other inputs, which have one shape",
      );
    const [first, ...further] = call.strategies.map((pieces) => pieces.join());
    if (further.some((pieces) => pieces !== first))
      return refused("the inputs of Select are cut alike");
    return linkedRule(spec).tuples?.(call) ?? refused("Select is not known here");
  },
  defaultStrategies: rowsOfAll,
};

/**
 * MaskedFillScalar has no rule of MindSpore's own: only dim 0 of the tensor is split. With a whole
 * mask, the remaining piece must be one row.
 */
export const maskedFillRule: OperatorRule = {
  tuples: ({ shapes: [x = [], mask = []], strategies: [[pieces = 1] = []] }) => {
    const rows = (x[0] ?? 1) / pieces;
    const over = mask.length === x.length ? (mask[0] ?? 1) : 1;
    if (pieces > 1 && over > 1 && rows > 1) {
      return refused("MaskedFillScalar is split on dim 0 of its input, and the mask is not");
    }
    const map = x.map((_, dim) => (dim === 0 ? 0 : -1));
    const inputMaps = [map, mask.map(() => -1)];
    return passed({ deviceMatrix: [pieces], inputMaps, outputs: [{ shape: x, map }], forward: [] });
  },
  defaultStrategies: firstRows,
};
