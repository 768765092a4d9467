import { assemble, code } from "./wasm-assembler.ts";

/**
 * Numbers of a contraction in Wasm: doubles as the engine's own, singles, twice as many at once, or
 * words of 32 bits that wrap around.
 */
export type WasmNumbers = "f64" | "f32" | "i32";

/**
 * The rounding when a product is added to a sum: twice, or once if the processor can
 * (`relaxed_madd` of the relaxed vectors). Whole numbers come out the same; words are never
 * rounded.
 */
export type WasmSum = "rounded-twice" | "fused";

/**
 * Rows of a tile, and bytes of its columns: two vectors. Its 8 sums, the 2 vectors of a row of B
 * and an element of A fit the 15 vector registers that V8 has on x64.
 */
export const tileRows = 4;
export const tileBytes = 32;

export function sizeOf(numbers: WasmNumbers): number {
  return numbers === "f64" ? 8 : 4;
}

/** Names of the locals of `contract`, parameters first. */
const local = {
  ...{ a: 0, b: 1, c: 2, tiles: 3, k: 4, rowBytes: 5 },
  ...{ count: 6, fromB: 7, to: 8 },
  ...{ b0: 9, b1: 10, element: 11, sums: 12 },
} as const;

const { get, set, tee, i32, loop, branchIf } = code;
const rows = Array.from({ length: tileRows }, (_, row) => row);

/**
 * A module whose `contract(a, b, c, tiles, k, rowBytes)` adds products of packed tiles of rows and
 * one packed panel of columns to the same columns of C.
 *
 * A: tiles one after the other, in each for every k the elements of its rows side by side. B: for
 * every k the elements of its columns side by side. C: row-major, its rows so many bytes apart.
 */
export function contractionModule(numbers: WasmNumbers, sum: WasmSum): Uint8Array {
  const vector = code.v128(numbers);
  const body = loop([
    ...[...get(local.b), ...set(local.fromB)],
    ...[...get(local.k), ...set(local.count)],
    ...[...get(local.c), ...set(local.to)],
    ...rows.flatMap((row) => [
      ...[...get(local.to), ...vector.load(0), ...set(local.sums + 2 * row)],
      ...[...get(local.to), ...vector.load(16), ...set(local.sums + 2 * row + 1)],
      ...advance(local.to, get(local.rowBytes)),
    ]),
    ...addProducts(numbers, sum),
    ...rows.flatMap((row) => [
      ...[...get(local.c), ...get(local.sums + 2 * row), ...vector.store(0)],
      ...[...get(local.c), ...get(local.sums + 2 * row + 1), ...vector.store(16)],
      ...advance(local.c, get(local.rowBytes)),
    ]),
    ...countDown(local.tiles),
  ]);
  const vectors = 3 + 2 * tileRows;
  return assemble({ name: "contract", parameters: 6, integers: 3, vectors, body });
}

/** Adds the products of one element of each row with two vectors of the panel, over all k. */
function addProducts(numbers: WasmNumbers, sum: WasmSum): readonly number[] {
  const vector = code.v128(numbers);
  const size = sizeOf(numbers);
  const { relaxedMadd } = vector;
  const add = (to: number, of: number) =>
    sum === "fused" && relaxedMadd !== undefined
      ? [...get(local.element), ...get(of), ...get(to), ...relaxedMadd, ...set(to)]
      : [...get(to), ...get(local.element), ...get(of), ...vector.mul, ...vector.add, ...set(to)];
  return loop([
    ...[...get(local.fromB), ...vector.load(0), ...set(local.b0)],
    ...[...get(local.fromB), ...vector.load(16), ...set(local.b1)],
    ...rows.flatMap((row) => [
      ...[...get(local.a), ...vector.loadSplat(row * size), ...set(local.element)],
      ...add(local.sums + 2 * row, local.b0),
      ...add(local.sums + 2 * row + 1, local.b1),
    ]),
    ...advance(local.a, i32.constant(tileRows * size)),
    ...advance(local.fromB, i32.constant(tileBytes)),
    ...countDown(local.count),
  ]);
}

function advance(name: number, bytes: readonly number[]): readonly number[] {
  return [...get(name), ...bytes, ...i32.add, ...set(name)];
}

function countDown(name: number): readonly number[] {
  return [...get(name), ...i32.constant(1), ...i32.sub, ...tee(name), ...branchIf(0)];
}
