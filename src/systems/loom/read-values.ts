import type { Box, Projection } from "#core/indexspace";
import { counted } from "./document.ts";
import { type JsonNode, memberOf } from "./json-node.ts";

/** Largest coordinate that Loom keeps, as it counts in 32 bits. */
const maxCoordinate = 2 ** 31 - 1;

/** The fault of a range that follows the schema; `undefined` for a well-formed one. */
export function malformedRange(json: JsonNode | undefined): string | undefined {
  const start = numbersOf(memberOf(json, "start")?.value);
  const end = numbersOf(memberOf(json, "end")?.value);
  if (start.length !== end.length) {
    return `"start" has ${entries(start.length)}, but "end" has ${entries(end.length)}`;
  }
  const large = beyond([...start, ...end]);
  if (large !== undefined) return large;
  const axis = start.findIndex((value, at) => value > (end[at] ?? value));
  if (axis < 0) return undefined;
  return `"start" ${start[axis]} lies behind "end" ${end[axis]} in dim ${axis}`;
}

/** Box of a range; a malformed range gives a box with its bad ends clamped. */
export function rangeOf(json: JsonNode | undefined): Box {
  const end = numbersOf(memberOf(json, "end")?.value);
  return numbersOf(memberOf(json, "start")?.value).map((start, at) => {
    return { start, stop: Math.max(start, end[at] ?? start) };
  });
}

/**
 * The fault of a projection function that follows the schema; `undefined` for a well-formed one.
 *
 * `[]` and `[[]]` with an empty offset mean no rows over an index of any rank (loom.md §1.4).
 */
export function malformedProjection(json: JsonNode): string | undefined {
  const { matrix, offset, shape } = affineMapOf(json);
  const large = beyond([...matrix.flat(), ...offset, ...shape]);
  if (large !== undefined) return large;
  const columns = matrix[0]?.length ?? 0;
  const odd = matrix.findIndex((row) => row.length !== columns);
  if (odd >= 0) {
    return `row ${odd} of the matrix has ${entries(matrix[odd]?.length ?? 0)}, but row 0 has ${columns}`;
  }
  if (offset.length !== matrix.length) {
    return `the matrix has ${counted(matrix.length, "row")}, but "offset" has ${entries(offset.length)}`;
  }
  if (shape.length !== matrix.length) {
    return `the matrix has ${counted(matrix.length, "row")}, but "shape" has ${entries(shape.length)}`;
  }
  const dim = shape.findIndex((extent) => extent < 0);
  return dim < 0 ? undefined : `"shape" is negative (${shape[dim]}) in dim ${dim}`;
}

/** The projection of a well-formed projection function. */
export function projectionOf(json: JsonNode): Projection {
  const { matrix, offset, shape } = affineMapOf(json);
  return matrix.map((coefficients, dim) => {
    return { coefficients, offset: offset[dim] ?? 0, extent: shape[dim] ?? 1 };
  });
}

function affineMapOf(json: JsonNode) {
  const affineMap = memberOf(json, "affineMap")?.value;
  const projection = memberOf(affineMap, "projection")?.value;
  const rows = projection?.kind === "array" ? projection.items.map(numbersOf) : [];
  const offset = numbersOf(memberOf(affineMap, "offset")?.value);
  const shape = numbersOf(memberOf(json, "shape")?.value);
  const hasNoRow = rows.length === 1 && rows[0]?.length === 0 && offset.length === 0;
  return { matrix: hasNoRow ? [] : rows, offset, shape };
}

function numbersOf(json: JsonNode | undefined): readonly number[] {
  if (json?.kind !== "array") return [];
  return json.items.map((item) => (item.kind === "plain" ? Number(item.value) : 0));
}

function beyond(values: readonly number[]): string | undefined {
  const large = values.find((value) => Math.abs(value) > maxCoordinate);
  return large === undefined ? undefined : `${large} does not fit in the 32 bits of Loom`;
}

function entries(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}
