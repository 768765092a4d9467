import { sum } from "#core/arithmetic";
import type { LogicalOperator } from "./infer-operators.ts";
import { type RankOperator, shapesAlong } from "./rank-list.ts";

/** One primitive with its arguments, in MindSpore's order. */
export type PrimitiveCall = readonly [name: string, ...args: readonly unknown[]];

/** Names of the primitives to which logical operators are lowered (mindspore.md §3.5). */
export function primitiveNames(operators: readonly LogicalOperator[]): readonly string[] {
  return operators.flatMap(namesOf);
}

function namesOf(operator: LogicalOperator): readonly string[] {
  switch (operator.op) {
    case "Reshape":
      return ["Reshape"];
    case "SplitByAxis":
      return ["StridedSlice"];
    case "ConcatByAxis":
      return operator.dim === 0 ? ["AllGather"] : ["AllGather", "Split", "Concat"];
    case "PermuteByAxis":
      return ["AlltoAll"];
  }
}

/** Number of primitives of a list. */
export function primitiveCount(list: readonly RankOperator[]): number {
  const sizes = list.map((operator) => (operator.kind === "concat" && operator.dim > 0 ? 3 : 1));
  return sum(sizes);
}

/**
 * A list as MindSpore's checkpoint conversion engine prints it: AllConcat with ranks and axis,
 * StridedSlice with begin, end and strides in one list.
 */
export function printedList(
  list: readonly RankOperator[],
  start: readonly number[],
): readonly PrimitiveCall[] {
  const shapes = shapesAlong(start, list);
  return list.map((operator, at) => printed(operator, shapes[at] ?? start));
}

function printed(operator: RankOperator, shape: readonly number[]): PrimitiveCall {
  switch (operator.kind) {
    case "reshape":
      return ["Reshape", operator.shape];
    case "concat":
      return ["AllConcat", [...operator.ranks, operator.dim]];
    case "slice":
      return ["StridedSlice", sliceBounds(shape, operator).flat()];
    case "permute":
      return ["AlltoAll", [...operator.ranks, operator.splitDim, operator.concatDim]];
  }
}

/**
 * A list as primitives of a compiled graph.
 *
 * @param devices number of devices; the group of all of them is called WORLD_GROUP
 */
export function emittedPrimitives(
  list: readonly RankOperator[],
  start: readonly number[],
  devices: number,
): readonly PrimitiveCall[] {
  const shapes = shapesAlong(start, list);
  return list.flatMap((operator, at) => emitted(operator, shapes[at] ?? start, devices));
}

function emitted(
  operator: RankOperator,
  shape: readonly number[],
  devices: number,
): readonly PrimitiveCall[] {
  const group = (ranks: readonly number[]) => (ranks.length === devices ? "WORLD_GROUP" : ranks);
  switch (operator.kind) {
    case "reshape":
      return [["Reshape", operator.shape]];
    case "concat":
      return gathered(group(operator.ranks), operator.ranks.length, operator.dim);
    case "slice":
      return [["StridedSlice", ...sliceBounds(shape, operator)]];
    case "permute": {
      const { ranks, splitDim, concatDim } = operator;
      return [["AlltoAll", ranks.length, splitDim, concatDim, group(ranks)]];
    }
  }
}

/** AllGather concatenates blocks along dim 0; other dims need Split and Concat after it. */
function gathered(group: unknown, count: number, dim: number): readonly PrimitiveCall[] {
  const gather: PrimitiveCall = ["AllGather", group];
  return dim === 0 ? [gather] : [gather, ["Split", 0, count], ["Concat", dim]];
}

/** Begin, end and strides of a slice. */
function sliceBounds(
  shape: readonly number[],
  { dim, count, index }: Extract<RankOperator, { kind: "slice" }>,
): readonly (readonly number[])[] {
  const length = (shape[dim] ?? 1) / count;
  const begin = shape.map((_, at) => (at === dim ? index * length : 0));
  const end = shape.map((size, at) => (at === dim ? (index + 1) * length : size));
  return [begin, end, shape.map(() => 1)];
}
