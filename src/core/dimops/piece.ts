import { type Box, boxOf, lengthOf, type Range } from "#core/indexspace";
import type { Json, Kwargs } from "./argument.ts";
import type { Bound } from "./bind.ts";
import type { Split } from "./split.ts";

/**
 * Part of a tensor held by one piece, in indices of the whole tensor.
 *
 * `value` marks partial sums: the part is summand `index` of `count`; with `count` 1 it is the
 * tensor itself.
 */
export interface PieceTensor {
  readonly kind: "tensor";
  readonly shape: readonly number[];
  readonly ranges: Box;
  readonly value: { readonly index: number; readonly count: number };
}

/** One argument of a piece: part of a tensor, or the whole operator's plain argument. */
export type PieceOperand = PieceTensor | { readonly kind: "plain"; readonly value: Json };

/** An operator, or one piece of it that runs on its own. */
export interface Piece {
  /** The annotation bound to the piece's own shapes and keyword arguments. */
  readonly bound: Bound;
  readonly inputs: readonly PieceOperand[];
  /** `undefined` for an ignored output. */
  readonly outputs: readonly (PieceTensor | undefined)[];
  readonly kwargs: Kwargs;
}

/** The operator as its own only piece. */
export function wholePiece(bound: Bound): Piece {
  return {
    bound,
    inputs: bound.inputs.map((input): PieceOperand => {
      return input.kind === "tensor" ? wholeTensor(input.shape) : input;
    }),
    outputs: bound.outputs.map((shape) => shape && wholeTensor(shape)),
    kwargs: bound.kwargs,
  };
}

/**
 * Piece `index` of `count` of a tensor. Cuts of cuts compose: ranges lie inside the parent's, and
 * share i of n cut into m gives the shares i·m + j of n·m.
 */
export function cutTensor(
  tensor: PieceTensor,
  split: Split,
  index: number,
  count: number,
): PieceTensor {
  if (split.kind === "R") return tensor;
  if (split.kind === "V") {
    const { value } = tensor;
    const share = { index: value.index * count + index, count: value.count * count };
    return { ...tensor, value: share };
  }
  const rank = tensor.ranges.length;
  const cutDims = new Set(split.dims.map((dim) => (dim < 0 ? dim + rank : dim)));
  const ranges = tensor.ranges.map((range, dim) => {
    return cutDims.has(dim) ? cutRange(range, index, count) : range;
  });
  return { ...tensor, ranges, shape: ranges.map(lengthOf) };
}

// A cut whose count need not divide the length (special rules allow that): the first pieces are
// longer by one.
function cutRange(range: Range, index: number, count: number): Range {
  const length = lengthOf(range);
  const longer = ((length % count) + count) % count;
  const start = (piece: number) => {
    return range.start + piece * Math.floor(length / count) + Math.min(piece, longer);
  };
  return { start: start(index), stop: start(index + 1) };
}

function wholeTensor(shape: readonly number[]): PieceTensor {
  return { kind: "tensor", shape, ranges: boxOf(shape), value: { index: 0, count: 1 } };
}
