import { product } from "#core/arithmetic";
import { groupedBy } from "#core/records";
import type { PrimitiveCall } from "../../redistribution/primitives.ts";
import type { Slope, Slopes } from "./slope.ts";

/**
 * The gradient that one reader passes back, with the redistribution by which it reads the tensor.
 */
export interface PassedList {
  readonly list: readonly PrimitiveCall[];
  /** Elements per rank before the redistribution. */
  readonly elements: number;
  readonly slope: Slope;
}

/** The reverse of a forward collective. */
export interface TurnedStep {
  readonly sent: string;
  readonly ranks: readonly number[];
  readonly slope: Slope;
  /** The elements that a rank receives, as many as in the forward collective. */
  readonly elements: number;
}

/** The backward collective for each forward collective. */
const turned: ReadonlyMap<string, string> = new Map([
  ["AllGather", "ReduceScatter"],
  ["ReduceScatter", "AllGather"],
  ["AllReduce", "AllReduce"],
  ["AlltoAll", "AlltoAll"],
]);

/** The reverse of a redistribution step: its gradient, and the collective if it communicates. */
export function turnedStep(
  step: PrimitiveCall,
  given: Slope,
  slopes: Slopes,
): { slope: Slope; sent?: string } {
  const sent = turned.get(step[0]);
  const [op, shape] = step;
  // The compiler folds a Reshape of a constant with one element.
  const isOfOne = op === "Reshape" && Array.isArray(shape) && shape.every((size) => size === 1);
  const slope = slopes.of(["turned", step, given.number], isOfOne ? given.isConstant : false);
  return { slope, ...(sent !== undefined && { sent }) };
}

/**
 * The gradient of a tensor from those of its readers. Redistribution lists with an equal prefix up
 * to their first collective share it before MindSpore differentiates, so it is reversed once; later
 * common steps are not merged before that.
 *
 * @param devices number of devices in the group of all devices
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

/** Number of steps up to and including the first collective of a list; 0 without one. */
function headOf(list: PassedList["list"]): number {
  return list.findIndex(([op]) => turned.has(op)) + 1;
}

/** Elements per rank before each step of a list. */
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

/** The group of a collective: all devices if it names none. */
function ranksOf(step: PrimitiveCall, devices: number): readonly number[] {
  const group = step.at(-1);
  if (Array.isArray(group)) return group.map(Number);
  return Array.from({ length: devices }, (_, each) => each);
}
