import { type CallShapes, dimOf, dimsOf, type KnownSize, shapeAt } from "./call.ts";

const letters = "abcdefghijlmopqrstuvwxyz";

/** Names for the leading dims of a tensor: `a b c …`, without the letters that contractions use. */
export function leading(count: number): string {
  return letters.slice(0, Math.max(0, count)).split("").join(" ");
}

/** The name of one dim. */
export function letter(dim: number): string {
  return letters[dim] ?? `d${dim}`;
}

/** All dims free but those that a test freezes. */
export function frozenAt(rank: number, isFrozen: (dim: number) => boolean): readonly string[] {
  return Array.from({ length: rank }, (_, dim) => `${letter(dim)}${isFrozen(dim) ? "^" : ""}`);
}

/**
 * The annotation of an element-wise operator with right-aligned broadcasting: letters come from
 * the longest shape, a dim of size 1 beside a larger one, or one of unknown size, writes `1`
 * (dimops.md §2.1).
 */
export function broadcastAnnotation(call: CallShapes): string {
  const tensors = call.inputs.filter((shape) => shape !== undefined);
  const rank = Math.max(0, ...tensors.map((shape) => shape.length));
  const stretched = (column: number) =>
    tensors.some((shape) => {
      const dim = column - (rank - shape.length);
      return dim >= 0 && shape[dim] !== 1;
    });
  const inputs = call.inputs.map((shape) => {
    if (shape === undefined) return "?";
    const dims = shape.map((size, dim) => {
      const column = dim + rank - shape.length;
      return size === 1 && stretched(column) ? "1" : letter(column);
    });
    return dims.join(" ") || "1";
  });
  const output = Array.from({ length: rank }, (_, column) => letter(column)).join(" ");
  return `${inputs.join(", ")} -> ${output || "1"}`;
}

/**
 * The leading dims of two operands before the two dims of their matrices, right-aligned: a dim of
 * size 1 beside a larger one writes `1`.
 */
export function batchDims(
  a: readonly KnownSize[],
  b: readonly KnownSize[],
): readonly [a: readonly string[], b: readonly string[], result: readonly string[]] {
  const rank = Math.max(a.length, b.length, 2) - 2;
  const names = Array.from({ length: rank }, (_, dim) => letter(dim));
  const of = (shape: readonly KnownSize[], other: readonly KnownSize[]) =>
    names.slice(rank - Math.max(0, shape.length - 2)).map((name, at) => {
      const beside = other[at + other.length - shape.length];
      return shape[at] === 1 && beside !== 1 && beside !== undefined ? "1" : name;
    });
  return [of(a, b), of(b, a), names];
}

/** Every dim free but the one that `dim` names; the result has the same dims. */
export function alongDim(call: CallShapes, otherwise = -1): string {
  const rank = shapeAt(call, 0).length;
  const frozen = dimOf(call, rank, otherwise);
  const dims = frozenAt(rank, (dim) => dim === frozen).join(" ");
  return `${dims} -> ${dims}`;
}

/** A reduction over the dims that `dim` names, `mark`ed; kept as 1 when asked. */
export function reducedAnnotation(call: CallShapes, mark: "+" | "^"): string {
  const rank = shapeAt(call, 0).length;
  const reduced = new Set(dimsOf(call, rank));
  const dims = Array.from({ length: rank }, (_, dim) => letter(dim));
  const inputs = dims.map((name, dim) => (reduced.has(dim) ? name + mark : name));
  const keeps = call.attributes.keepdim === true || call.attributes.keepdim === 1;
  const kept = dims.flatMap((name, dim) => {
    if (!reduced.has(dim)) return [name];
    return keeps ? ["1"] : [];
  });
  return `${inputs.join(" ")} -> ${kept.length === 0 ? "1" : kept.join(" ")}`;
}

/** A size as it is written in an annotation; one that nobody knows counts as 1. */
export function written(size: KnownSize): string {
  return String(size ?? 1);
}
