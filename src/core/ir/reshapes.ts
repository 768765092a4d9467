import { product } from "#core/arithmetic";
import { type Body, type Expr, pointwise, position, read } from "./body/body.ts";
import { add, mul, quotient, remainder } from "./body/expressions.ts";
import {
  type BoundCall,
  type CallShapes,
  dimOf,
  dimsOf,
  fromFront,
  letter,
  listOf,
  numberOf,
  operandAt,
  outputAt,
  shapeAt,
} from "./call.ts";
import { define } from "./define.ts";
import type { EntrySpec, Gradient, LibraryEntry } from "./entry.ts";
import { joinedAnnotation, reshapeAnnotation } from "./reshape-annotation.ts";

/**
 * The elements of the result, row-major, are the elements of x: indices are converted through the
 * flat index.
 */
function sameElements(from: readonly number[], to: readonly number[]): Expr {
  const flat = to.reduce<Expr>((sum, size, dim) => add(mul(sum, size), position(dim)), {
    kind: "number",
    value: 0,
  });
  const strides = from.map((_, dim) => product(from.slice(dim + 1)));
  const at = from.map((size, dim) =>
    dim === 0
      ? quotient(flat, strides[0] ?? 1)
      : remainder(quotient(flat, strides[dim] ?? 1), size),
  );
  return read(0, at);
}

/**
 * Whether a body is a reshape: the elements of its first operand in row-major order, in another shape.
 * Only the first index axis of a group of dims is cut then (dimops.md §2.1), so a device's block is a
 * reshape too.
 */
export function isReshape({ inputs: [x], outputs: [result] }: BoundCall, body: Body): boolean {
  const [only, ...others] = body.outputs;
  if (x === undefined || result === undefined || only === undefined) return false;
  if (others.length + body.tables.length + only.over.length > 0) return false;
  return JSON.stringify(only.value) === JSON.stringify(sameElements(x.shape, result.shape));
}

/**
 * A reshape operator.
 *
 * @param open the annotation when sizes of the operand are unknown, from the names of its dims
 */
function reshaping(
  name: string,
  target: (call: CallShapes) => readonly number[],
  open: ((call: CallShapes, names: readonly string[]) => string) | undefined,
  extra: Pick<EntrySpec, "parameters" | "sample"> & Partial<EntrySpec>,
): LibraryEntry {
  return define({
    name,
    tensors: 1,
    annotate: (call) => {
      const shape = shapeAt(call, 0);
      return (
        joinedAnnotation(shape, shapeAsked(call)) ??
        (shape.includes(undefined)
          ? open?.(
              call,
              shape.map((_, dim) => letter(dim)),
            )
          : undefined) ??
        reshapeAnnotation(known(call), target(call))
      );
    },
    body: (call) => pointwise(sameElements(operandAt(call, 0).shape, outputAt(call, 0).shape)),
    gradient: (call) => [[splitBack(operandAt(call, 0).shape, outputAt(call, 0).shape)]],
    linear: [[0]],
    ...extra,
  });
}

/** The gradient's reshape has the groups of the forward one, so it is cut alike. */
function splitBack(shape: readonly number[], result: readonly number[]): Gradient[number] {
  return { ...backTo(shape), annotation: reshapeAnnotation(result, shape) };
}

function backTo(shape: readonly number[]): Gradient[number] {
  return { op: "reshape", operands: [{ from: "gradient", index: 0 }], attributes: { shape } };
}

function known(call: CallShapes): readonly number[] {
  return shapeAt(call, 0).map((size) => size ?? 1);
}

function shapeAsked(call: CallShapes): readonly number[] | undefined {
  return listOf(call, "shape") ?? listOf(call, "size");
}

/** Requested shape, with a −1 replaced by the remaining size. */
function asked(call: CallShapes): readonly number[] {
  const shape = shapeAsked(call) ?? [-1];
  const count = (sizes: readonly number[]) => product(sizes);
  const rest = count(shape.filter((size) => size >= 0));
  const total = count(known(call));
  const left = total === 0 && rest > 0 ? 0 : Math.max(1, total / Math.max(1, rest));
  return shape.map((size) => (size < 0 ? left : size));
}

function flattened(call: CallShapes): readonly number[] {
  const shape = known(call);
  const start = fromFront(numberOf(call, "start_dim", 0), shape.length);
  const end = fromFront(numberOf(call, "end_dim", -1), shape.length);
  const joined = product(shape.slice(start, end + 1));
  return [...shape.slice(0, start), joined, ...shape.slice(end + 1)];
}

function flattenedOpen(call: CallShapes, names: readonly string[]): string {
  const start = fromFront(numberOf(call, "start_dim", 0), names.length);
  const end = fromFront(numberOf(call, "end_dim", -1), names.length) + 1;
  const joined = names.slice(start, end);
  const bracket = joined.length > 1 ? [`(${joined.join(" ")})`] : joined;
  const result = [...names.slice(0, start), ...bracket, ...names.slice(end)];
  return `${names.join(" ")} -> ${result.join(" ")}`;
}

function squeezed(call: CallShapes): readonly number[] {
  const shape = known(call);
  const dims = new Set(dimsOf(call, shape.length));
  return shape.filter((size, dim) => size !== 1 || !dims.has(dim));
}

/**
 * The annotation of `squeeze` on open sizes: the named dim has one element; without a named dim,
 * open dims stay.
 */
function squeezedOpen(call: CallShapes, names: readonly string[]): string {
  const isSaid = (listOf(call, "dim") ?? listOf(call, "axis")) !== undefined;
  const dims = new Set(dimsOf(call, names.length));
  const isGone = shapeAt(call, 0).map(
    (size, dim) => dims.has(dim) && (size === 1 || (size === undefined && isSaid)),
  );
  const inputs = names.map((name, dim) => (isGone[dim] ? "1" : name));
  return `${inputs.join(" ")} -> ${names.filter((_, dim) => !isGone[dim]).join(" ") || "1"}`;
}

function unsqueezedOpen(call: CallShapes, names: readonly string[]): string {
  return `${names.join(" ")} -> ${names.toSpliced(dimOf(call, names.length + 1, 0), 0, "1").join(" ")}`;
}

function unsqueezed(call: CallShapes): readonly number[] {
  const shape = known(call);
  const at = dimOf(call, shape.length + 1, 0);
  return [...shape.slice(0, at), 1, ...shape.slice(at)];
}

/** Operators that keep the elements in their row-major order, in another shape. */
export const reshapes: readonly LibraryEntry[] = [
  reshaping("reshape", asked, undefined, {
    aliases: ["view"],
    parameters: ["x", "shape"],
    gathers: "shape",
    sample: (n) => ({ inputs: [[n("a"), 2 * n("b")]], attributes: { shape: [n("a"), n("b"), 2] } }),
  }),
  reshaping("flatten", flattened, flattenedOpen, {
    parameters: ["x", "start_dim", "end_dim"],
    sample: (n) => ({ inputs: [[n("a"), n("b"), n("c")]], attributes: { start_dim: 1 } }),
  }),
  reshaping("squeeze", squeezed, squeezedOpen, {
    parameters: ["x", "dim"],
    sample: (n) => ({ inputs: [[n("a"), 1, n("b")]], attributes: { dim: 1 } }),
  }),
  reshaping("unsqueeze", unsqueezed, unsqueezedOpen, {
    aliases: ["expand_dims"],
    parameters: ["x", "dim"],
    sample: (n) => ({ inputs: [[n("a"), n("b")]], attributes: { dim: 1 } }),
  }),
];
