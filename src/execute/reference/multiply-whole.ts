/** Index axis, with the strides of the flat indices of both operands and the result. */
export interface Axis {
  readonly size: number;
  readonly a: number;
  readonly b: number;
  readonly out: number;
}

/** Cells of the result that are summed together, along both sides of a tile. */
const tile = 4;

/** Numbers of the left side that are kept packed at once. */
const mostPacked = 2 ** 20;

/** A matrix within a list of numbers, as a function of its flat index. */
export type Element = (flat: number) => number;

/** Two operands whose product is summed; the sums of several pairs add up. */
export interface Pair {
  readonly a: Element;
  readonly b: Element;
}

/** The offsets of a product's rows, columns and terms. */
export interface Extent {
  readonly rows: readonly Axis[];
  readonly columns: readonly Axis[];
  readonly inner: readonly Axis[];
}

/** Doubles, or words of 32 bits that wrap around. */
export type Packed = "doubles" | "words";

type Doubles = Float64Array;
type Words = Int32Array;
type Numbers = Doubles | Words;

/**
 * Adds up products of rows and columns by tiles of 4 × 4 cells, term by term in order: plain sums,
 * only the cells are visited in another order.
 *
 * @param from flat indices of the first element of both operands and the result
 * @param keep takes the sum of a cell, with its flat index in the result and in both operands
 */
export function multiplyWhole(
  { rows, columns, inner }: Extent,
  from: Pick<Axis, "a" | "b" | "out">,
  pairs: readonly Pair[],
  keep: (sum: number, out: number, a: number, b: number) => void,
  packed: Packed = "doubles",
): void {
  const [rowA, rowOut] = [offsets(rows, "a", from.a), offsets(rows, "out", from.out)];
  const [columnB, columnOut] = [offsets(columns, "b", from.b), offsets(columns, "out", 0)];
  const terms = [offsets(inner, "a", 0), offsets(inner, "b", 0)] as const;
  const depth = terms[0].length;
  const chunk = Math.max(tile, Math.floor(mostPacked / depth / tile) * tile);
  const numbers = (count: number): Numbers =>
    packed === "words" ? new Int32Array(count) : new Float64Array(count);
  const right = pairs.map(() => numbers(tile * depth));
  const left = pairs.map(() => numbers(Math.min(chunk, rowA.length + tile) * depth));
  const sums = numbers(tile * tile);
  for (let first = 0; first < rowA.length; first += chunk) {
    const last = Math.min(rowA.length, first + chunk);
    for (const [at, { a }] of pairs.entries()) {
      for (let row = first; row < last; row += tile)
        pack(left[at], (row - first) * depth, a, rowA, row, terms[0]);
    }
    for (let column = 0; column < columnB.length; column += tile) {
      for (const [at, { b }] of pairs.entries()) pack(right[at], 0, b, columnB, column, terms[1]);
      for (let row = first; row < last; row += tile) {
        sums.fill(0);
        for (const at of pairs.keys())
          addTile(left[at], (row - first) * depth, right[at], depth, sums);
        for (let i = 0; i < tile && row + i < last; i += 1) {
          for (let j = 0; j < tile && column + j < columnB.length; j += 1) {
            const out = (rowOut[row + i] ?? 0) + (columnOut[column + j] ?? 0);
            keep(sums[tile * i + j] ?? 0, out, rowA[row + i] ?? 0, columnB[column + j] ?? 0);
          }
        }
      }
    }
  }
}

/** The flat indices along all points of some axes, the last one fastest. */
export function offsets(axes: readonly Axis[], of: "a" | "b" | "out", from: number): Float64Array {
  let found = Float64Array.of(from);
  for (const axis of axes) {
    const next = new Float64Array(found.length * axis.size);
    let to = 0;
    for (const each of found)
      for (let at = 0; at < axis.size; at += 1) next[to++] = each + at * axis[of];
    found = next;
  }
  return found;
}

/** Packs a tile's elements side by side for every term; lines beyond the last are filled with 0. */
function pack(
  target: Numbers | undefined,
  from: number,
  element: Element,
  lines: Float64Array,
  first: number,
  terms: Float64Array,
): void {
  if (target === undefined) return;
  for (let line = 0; line < tile; line += 1) {
    const base = lines[first + line];
    let to = from + line;
    for (const term of terms) {
      target[to] = base === undefined ? 0 : element(base + term);
      to += tile;
    }
  }
}

/** Adds the products of 4 rows and 4 columns, over all terms, to 16 sums. */
function addTile(
  a: Numbers | undefined,
  fromA: number,
  b: Numbers | undefined,
  depth: number,
  sums: Numbers,
): void {
  if (a instanceof Float64Array && b instanceof Float64Array && sums instanceof Float64Array)
    addDoubles(a, fromA, b, depth, sums);
  else if (a instanceof Int32Array && b instanceof Int32Array && sums instanceof Int32Array)
    addWords(a, fromA, b, depth, sums);
}

/**
 * `addTile` on doubles. The sums are single variables, so that a processor keeps them in registers.
 * The loop is not shared with words: taking the multiplication as an argument makes it over ten
 * times slower once both kinds have run.
 */
function addDoubles(a: Doubles, fromA: number, b: Doubles, depth: number, sums: Doubles): void {
  let c00 = sums[0] as number;
  let c01 = sums[1] as number;
  let c02 = sums[2] as number;
  let c03 = sums[3] as number;
  let c10 = sums[4] as number;
  let c11 = sums[5] as number;
  let c12 = sums[6] as number;
  let c13 = sums[7] as number;
  let c20 = sums[8] as number;
  let c21 = sums[9] as number;
  let c22 = sums[10] as number;
  let c23 = sums[11] as number;
  let c30 = sums[12] as number;
  let c31 = sums[13] as number;
  let c32 = sums[14] as number;
  let c33 = sums[15] as number;
  for (let p = fromA, q = 0; q < tile * depth; p += tile, q += tile) {
    const a0 = a[p] as number;
    const a1 = a[p + 1] as number;
    const a2 = a[p + 2] as number;
    const a3 = a[p + 3] as number;
    const b0 = b[q] as number;
    const b1 = b[q + 1] as number;
    const b2 = b[q + 2] as number;
    const b3 = b[q + 3] as number;
    c00 += a0 * b0;
    c01 += a0 * b1;
    c02 += a0 * b2;
    c03 += a0 * b3;
    c10 += a1 * b0;
    c11 += a1 * b1;
    c12 += a1 * b2;
    c13 += a1 * b3;
    c20 += a2 * b0;
    c21 += a2 * b1;
    c22 += a2 * b2;
    c23 += a2 * b3;
    c30 += a3 * b0;
    c31 += a3 * b1;
    c32 += a3 * b2;
    c33 += a3 * b3;
  }
  sums[0] = c00;
  sums[1] = c01;
  sums[2] = c02;
  sums[3] = c03;
  sums[4] = c10;
  sums[5] = c11;
  sums[6] = c12;
  sums[7] = c13;
  sums[8] = c20;
  sums[9] = c21;
  sums[10] = c22;
  sums[11] = c23;
  sums[12] = c30;
  sums[13] = c31;
  sums[14] = c32;
  sums[15] = c33;
}

/** `addTile` on words, whose products and sums wrap around. */
function addWords(a: Words, fromA: number, b: Words, depth: number, sums: Words): void {
  let c00 = sums[0] as number;
  let c01 = sums[1] as number;
  let c02 = sums[2] as number;
  let c03 = sums[3] as number;
  let c10 = sums[4] as number;
  let c11 = sums[5] as number;
  let c12 = sums[6] as number;
  let c13 = sums[7] as number;
  let c20 = sums[8] as number;
  let c21 = sums[9] as number;
  let c22 = sums[10] as number;
  let c23 = sums[11] as number;
  let c30 = sums[12] as number;
  let c31 = sums[13] as number;
  let c32 = sums[14] as number;
  let c33 = sums[15] as number;
  for (let p = fromA, q = 0; q < tile * depth; p += tile, q += tile) {
    const a0 = a[p] as number;
    const a1 = a[p + 1] as number;
    const a2 = a[p + 2] as number;
    const a3 = a[p + 3] as number;
    const b0 = b[q] as number;
    const b1 = b[q + 1] as number;
    const b2 = b[q + 2] as number;
    const b3 = b[q + 3] as number;
    c00 = (c00 + Math.imul(a0, b0)) | 0;
    c01 = (c01 + Math.imul(a0, b1)) | 0;
    c02 = (c02 + Math.imul(a0, b2)) | 0;
    c03 = (c03 + Math.imul(a0, b3)) | 0;
    c10 = (c10 + Math.imul(a1, b0)) | 0;
    c11 = (c11 + Math.imul(a1, b1)) | 0;
    c12 = (c12 + Math.imul(a1, b2)) | 0;
    c13 = (c13 + Math.imul(a1, b3)) | 0;
    c20 = (c20 + Math.imul(a2, b0)) | 0;
    c21 = (c21 + Math.imul(a2, b1)) | 0;
    c22 = (c22 + Math.imul(a2, b2)) | 0;
    c23 = (c23 + Math.imul(a2, b3)) | 0;
    c30 = (c30 + Math.imul(a3, b0)) | 0;
    c31 = (c31 + Math.imul(a3, b1)) | 0;
    c32 = (c32 + Math.imul(a3, b2)) | 0;
    c33 = (c33 + Math.imul(a3, b3)) | 0;
  }
  sums[0] = c00;
  sums[1] = c01;
  sums[2] = c02;
  sums[3] = c03;
  sums[4] = c10;
  sums[5] = c11;
  sums[6] = c12;
  sums[7] = c13;
  sums[8] = c20;
  sums[9] = c21;
  sums[10] = c22;
  sums[11] = c23;
  sums[12] = c30;
  sums[13] = c31;
  sums[14] = c32;
  sums[15] = c33;
}
