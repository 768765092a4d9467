import { type Body, type Expr, index, mapped, pointwise, position, read } from "./body/body.ts";
import { add, less, lessEqual, remainder, select, sub } from "./body/expressions.ts";
import {
  type BoundCall,
  broadcastAnnotation,
  type CallShapes,
  fromFront,
  frozenAt,
  letter,
  listOf,
  numberOf,
  operandAt,
  outputAt,
  shapeAt,
} from "./call.ts";
import { define } from "./define.ts";
import type { LibraryEntry } from "./entry.ts";

/** The order of dims that `permute` and `transpose` ask for. */
function permuted(call: CallShapes): readonly number[] {
  const rank = shapeAt(call, 0).length;
  const order = listOf(call, "dims");
  if (order !== undefined) return order.map((dim) => fromFront(dim, rank));
  const a = fromFront(numberOf(call, "dim0", -2), rank);
  const b = fromFront(numberOf(call, "dim1", -1), rank);
  return Array.from({ length: rank }, (_, dim) => (dim === a ? b : dim === b ? a : dim));
}

function permuteAnnotation(call: CallShapes): string {
  const names = shapeAt(call, 0).map((_, dim) => letter(dim));
  return `${names.join(" ")} -> ${permuted(call).map(letter).join(" ")}`;
}

/**
 * The annotation of `expand`: an expanded dim is frozen in x and a number in the result; all others
 * keep a letter.
 */
function expandAnnotation(call: CallShapes): string {
  const { from, to } = expansion(call);
  const skipped = to.length - from.length;
  const outputs = to.map((size, dim) =>
    from[dim - skipped] === size ? letter(dim) : String(size),
  );
  const inputs = from.map((size, dim) =>
    to[dim + skipped] === size ? letter(dim + skipped) : `${letter(dim + skipped)}^`,
  );
  return `${inputs.join(" ")} -> ${outputs.join(" ")}`;
}

function expansion(call: CallShapes): { from: readonly number[]; to: readonly number[] } {
  const from = shapeAt(call, 0).map((size) => size ?? 1);
  const sizes = listOf(call, "size") ?? from;
  const skipped = sizes.length - from.length;
  return { from, to: sizes.map((size, dim) => (size < 0 ? (from[dim - skipped] ?? 1) : size)) };
}

/** x at the indices of the result; along dims of size 1 its only element. */
function expandBody(call: BoundCall): Body {
  const x = operandAt(call, 0);
  const skipped = outputAt(call, 0).shape.length - x.shape.length;
  const at = x.shape.map((size, dim) =>
    size === 1 ? ({ kind: "number", value: 0 } as const) : position(dim + skipped),
  );
  return pointwise(read(0, at));
}

/** The index along one dim shifted, as `flip` and `roll` do. */
function reindexed(
  name: string,
  parameters: readonly string[],
  place: (call: BoundCall, at: Expr, size: number, dim: number) => Expr,
  back: (call: BoundCall) => BoundCall["attributes"],
  sample: LibraryEntry["sample"],
): LibraryEntry {
  return define({
    name,
    parameters: ["x", ...parameters],
    tensors: 1,
    annotate: (call) => {
      const rank = shapeAt(call, 0).length;
      const dims = frozenAt(rank, (dim) => dimsIn(call, rank).includes(dim)).join(" ");
      return `${dims} -> ${dims}`;
    },
    body: (call) => {
      const { shape } = operandAt(call, 0);
      const moved = dimsIn(call, shape.length);
      const at = shape.map((size, dim) =>
        moved.includes(dim) ? place(call, position(dim), size, dim) : position(dim),
      );
      return pointwise(read(0, at));
    },
    gradient: (call) => [
      [{ op: name, operands: [{ from: "gradient", index: 0 }], attributes: back(call) }],
    ],
    linear: [[0]],
    sample,
  });
}

function dimsIn(call: Pick<CallShapes, "attributes">, rank: number): readonly number[] {
  return (listOf(call, "dims") ?? [0]).map((dim) => fromFront(dim, rank));
}

/** The part on one side of a diagonal: a comparison of indices, so rows and columns may be cut. */
function triangle(
  name: string,
  isKept: (row: Expr, column: Expr, diagonal: number) => Expr,
): LibraryEntry {
  return define({
    name,
    parameters: ["x", "diagonal"],
    tensors: 1,
    annotate: broadcastAnnotation,
    body: (call) => {
      const { dims } = operandAt(call, 0);
      const [row, column] = dims.slice(-2).map(({ identifiers }) => index(identifiers[0] ?? ""));
      if (row === undefined || column === undefined) throw new Error("a triangle needs two dims");
      const kept = isKept(row, column, numberOf(call, "diagonal", 0));
      return { tables: [], outputs: [mapped(select(kept, read(0), 0))] };
    },
    gradient: "derived",
    linear: [[0]],
    sample: (n) => ({ inputs: [[n("a"), n("b"), n("c")]], attributes: { diagonal: 0 } }),
  });
}

/** Operators that give elements of x at other places, or those on one side of a diagonal. */
export const movement: readonly LibraryEntry[] = [
  define({
    name: "permute",
    parameters: ["x", "dims"],
    gathers: "dims",
    tensors: 1,
    annotate: permuteAnnotation,
    body: () => pointwise(read(0)),
    gradient: "derived",
    linear: [[0]],
    sample: (n) => ({ inputs: [[n("a"), n("b"), n("c")]], attributes: { dims: [2, 0, 1] } }),
  }),
  define({
    name: "transpose",
    aliases: ["swapaxes"],
    parameters: ["x", "dim0", "dim1"],
    tensors: 1,
    annotate: permuteAnnotation,
    body: () => pointwise(read(0)),
    gradient: "derived",
    linear: [[0]],
    sample: (n) => ({ inputs: [[n("a"), n("b"), n("c")]], attributes: { dim0: 0, dim1: 1 } }),
  }),
  define({
    name: "expand",
    aliases: ["broadcast_to"],
    parameters: ["x", "size"],
    gathers: "size",
    tensors: 1,
    annotate: expandAnnotation,
    body: expandBody,
    gradient: (call) => [
      [
        {
          op: "sum_to",
          operands: [{ from: "gradient", index: 0 }],
          attributes: { size: operandAt(call, 0).shape },
        },
      ],
    ],
    linear: [[0]],
    sample: (n) => ({ inputs: [[n("a"), 1]], attributes: { size: [-1, n("b")] } }),
  }),
  reindexed(
    "flip",
    ["dims"],
    (_call, at, size) => sub(size - 1, at),
    (call) => call.attributes,
    (n) => ({ inputs: [[n("a"), n("b")]], attributes: { dims: [1] } }),
  ),
  reindexed(
    "roll",
    ["shifts", "dims"],
    (call, at, size, dim) => remainder(add(sub(at, shiftOf(call, dim)), size * 64), size),
    (call) => ({ ...call.attributes, shifts: (listOf(call, "shifts") ?? []).map((by) => -by) }),
    (n) => ({ inputs: [[n("a"), n("b")]], attributes: { shifts: [1], dims: [1] } }),
  ),
  triangle("tril", (row, column, diagonal) => lessEqual(column, add(row, diagonal))),
  triangle("triu", (row, column, diagonal) => less(add(row, diagonal - 1), column)),
];

function shiftOf(call: BoundCall, dim: number): number {
  const { shape } = operandAt(call, 0);
  const at = dimsIn(call, shape.length).indexOf(dim);
  return (listOf(call, "shifts")?.[at] ?? 0) % Math.max(1, shape[dim] ?? 1);
}
