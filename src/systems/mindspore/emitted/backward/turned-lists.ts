import { product } from "#core/arithmetic";
import { groupedBy } from "#core/records";
import type { PrimitiveCall } from "../../redistribution/primitives.ts";
import type { Slope, Slopes } from "./slope.ts";

/** What one reader of a tensor passes back, behind the redistribution that it reads the tensor by. */
export interface PassedList {
  readonly list: readonly PrimitiveCall[];
  /** How many elements a rank has before the list. */
  readonly elements: number;
  readonly slope: Slope;
}

/** A collective of the forward pass that is turned round. */
export interface TurnedStep {
  readonly sent: string;
  readonly ranks: readonly number[];
  readonly slope: Slope;
  /** The elements that a rank receives, as many as on the way there. */
  readonly elements: number;
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
 *
 * @param devices how many devices the group of all of them has
 */
export function turnedLists(
  passed: readonly PassedList[],
  slopes: Slopes,
  devices: number,
  note: (step: TurnedStep) => void,
): Slope {
  const back = (
    list: PassedList["list"],
    from: number,
    to: number,
    elements: number,
    given: Slope,
  ) => {
    const sizes = sizesAlong(list, elements, devices);
    return list.slice(from, to).reduceRight((behind, step, at) => {
      const { slope, sent } = turnedStep(step, behind, slopes);
      const ranks = ranksOf(step, devices);
      const size = sizes[from + at] ?? elements;
      const received =
        step[0] === "AllGather" ? size * (ranks.length - 1) : size - size / ranks.length;
      if (sent !== undefined) note({ sent, ranks, slope, elements: received });
      return slope;
    }, given);
  };
  const heads = groupedBy(passed, ({ list }) => JSON.stringify(list.slice(0, headOf(list))));
  const parts = [...heads.values()].map((group) => {
    const [{ list = [], elements = 0 } = {}] = group;
    const head = headOf(list);
    const behind = group.map((each) =>
      back(each.list, head, each.list.length, each.elements, each.slope),
    );
    return back(list, 0, head, elements, slopes.sum(behind));
  });
  return slopes.sum(parts);
}

/** How many steps a list has up to its first collective; none without one. */
function headOf(list: PassedList["list"]): number {
  return list.findIndex(([op]) => turned.has(op)) + 1;
}

/** How many elements a rank has before each step of a list. */
function sizesAlong(list: PassedList["list"], start: number, devices: number): readonly number[] {
  let size = start;
  return list.map((step) => {
    const before = size;
    const [op, begin, end] = step;
    if (op === "AllGather") size *= ranksOf(step, devices).length;
    if (op === "StridedSlice" && Array.isArray(begin) && Array.isArray(end)) {
      size = product(end.map((stop, dim) => Number(stop) - Number(begin[dim])));
    }
    return before;
  });
}

/** The group of a collective: all devices where it names none. */
function ranksOf(step: PrimitiveCall, devices: number): readonly number[] {
  const group = step.at(-1);
  if (Array.isArray(group)) return group.map(Number);
  return Array.from({ length: devices }, (_, each) => each);
}
