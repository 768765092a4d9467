import { groupedBy } from "#core/records";
import type { PrimitiveCall } from "../../redistribution/primitives.ts";
import type { Slope, Slopes } from "./slope.ts";

/** What one reader of a tensor passes back, behind the redistribution that it reads the tensor by. */
export interface PassedList {
  readonly list: readonly PrimitiveCall[];
  readonly slope: Slope;
}

/** What a backward pass sends where the forward pass has a collective. */
const turned: ReadonlyMap<string, string> = new Map([
  ["AllGather", "ReduceScatter"],
  ["ReduceScatter", "AllGather"],
  ["AllReduce", "AllReduce"],
  ["AlltoAll", "AlltoAll"],
]);

/** A collective turned round, as its computation and by its name. */
export function turnedStep(
  step: PrimitiveCall,
  given: Slope,
  slopes: Slopes,
): { slope: Slope; sent?: string } {
  const sent = turned.get(step[0]);
  const [op, shape] = step;
  // The compiler reshapes a constant of one element itself.
  const isOfOne = op === "Reshape" && Array.isArray(shape) && shape.every((size) => size === 1);
  const slope = slopes.of(["turned", step, given.number], isOfOne ? given.isConstant : false);
  return { slope, ...(sent !== undefined && { sent }) };
}

/**
 * The gradient of a tensor by what its readers pass back. Lists that are alike up to their first
 * collective share it before MindSpore differentiates, so it is turned round once; what they share
 * further on is merged only behind that.
 */
export function turnedLists(
  passed: readonly PassedList[],
  slopes: Slopes,
  note: (sent: string, step: PrimitiveCall, slope: Slope) => void,
): Slope {
  const back = (list: PassedList["list"], given: Slope): Slope =>
    list.reduceRight((behind, step) => {
      const { slope, sent } = turnedStep(step, behind, slopes);
      if (sent !== undefined) note(sent, step, slope);
      return slope;
    }, given);
  const heads = groupedBy(passed, ({ list }) => JSON.stringify(headOf(list)));
  const parts = [...heads.values()].map((group) => {
    const head = headOf(group[0]?.list ?? []);
    const behind = group.map(({ list, slope }) => back(list.slice(head.length), slope));
    return back(head, slopes.sum(behind));
  });
  return slopes.sum(parts);
}

/** A list up to its first collective; empty without one. */
function headOf(list: PassedList["list"]): PassedList["list"] {
  return list.slice(0, list.findIndex(([op]) => turned.has(op)) + 1);
}
