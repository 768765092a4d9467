import { product } from "#core/arithmetic";
import { axisSizeOf } from "./flat-layout.ts";
import type { LogicalOperator } from "./infer-operators.ts";
import type { Redistribution } from "./redistribute.ts";

/** A logical operator as one rank executes it. */
export type RankOperator =
  | { readonly kind: "reshape"; readonly shape: readonly number[] }
  | { readonly kind: "concat"; readonly ranks: readonly number[]; readonly dim: number }
  | {
      readonly kind: "slice";
      readonly dim: number;
      readonly count: number;
      readonly index: number;
    }
  | {
      readonly kind: "permute";
      readonly ranks: readonly number[];
      readonly splitDim: number;
      readonly concatDim: number;
    };

/**
 * The operators of one rank, with its groups and the index of the piece that it keeps (mindspore.md
 * §3.5).
 */
export function listOfRank(
  { operators, matrices }: Redistribution,
  rank: number,
): readonly RankOperator[] {
  return operators.map((operator, at) => ofRank(operator, matrices[at] ?? [], rank));
}

function ofRank(operator: LogicalOperator, matrix: readonly number[], rank: number): RankOperator {
  switch (operator.op) {
    case "Reshape":
      return { kind: "reshape", shape: operator.shape };
    case "ConcatByAxis":
      return { kind: "concat", ranks: groupAlong(matrix, operator.axis, rank), dim: operator.dim };
    case "SplitByAxis": {
      const index = groupAlong(matrix, operator.axis, rank).indexOf(rank);
      return { kind: "slice", dim: operator.dim, count: operator.count, index };
    }
    case "PermuteByAxis": {
      const { splitDim, concatDim, axis } = operator;
      return { kind: "permute", ranks: groupAlong(matrix, axis, rank), splitDim, concatDim };
    }
  }
}

/** The ranks that differ from `rank` only along a device axis, in ascending coordinate order. */
export function groupAlong(
  deviceMatrix: readonly number[],
  axis: number,
  rank: number,
): readonly number[] {
  const size = axisSizeOf(deviceMatrix, axis);
  const stride = product(deviceMatrix.slice(deviceMatrix.length - axis));
  const digit = Math.floor(rank / stride) % size;
  return Array.from({ length: size }, (_, at) => rank + (at - digit) * stride);
}

/** The local shape after an operator. */
export function shapeAfter(shape: readonly number[], operator: RankOperator): readonly number[] {
  const sizeAt = (dim: number) => shape[dim] ?? 1;
  switch (operator.kind) {
    case "reshape":
      return operator.shape;
    case "concat":
      return shape.with(operator.dim, sizeAt(operator.dim) * operator.ranks.length);
    case "slice":
      return shape.with(operator.dim, sizeAt(operator.dim) / operator.count);
    case "permute": {
      const { splitDim, concatDim, ranks } = operator;
      const cut = shape.with(splitDim, sizeAt(splitDim) / ranks.length);
      return cut.with(concatDim, (cut[concatDim] ?? 1) * ranks.length);
    }
  }
}

/** The local shapes before each operator of a list, and the one after the last. */
export function shapesAlong(
  start: readonly number[],
  list: readonly RankOperator[],
): readonly (readonly number[])[] {
  const shapes = [start];
  for (const operator of list) shapes.push(shapeAfter(shapes.at(-1) ?? start, operator));
  return shapes;
}
