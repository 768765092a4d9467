import { assemble, code } from "./wasm-assembler.ts";

/** Numbers of a contraction in Wasm: doubles as the engine's own, or singles, twice as many at once. */
export type WasmNumbers = "f64" | "f32";

/** Rows of a tile, and bytes of its columns: two vectors. */
const tileRows = 4;
const tileBytes = 32;

/** The part of WebAssembly's interface that is used; engines without a page have it too. */
interface Wasm {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => object;
  Memory: new (pages: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Instance: new (
    module: object,
    imports: { env: { memory: object } },
  ) => {
    exports: { contract: (...args: number[]) => void };
  };
}

/** A product of two matrices, packed and computed by tiles of 4 rows and two vectors. */
export interface WasmContraction {
  readonly numbers: WasmNumbers;
  /** Columns of a tile. */
  readonly columns: number;
  /**
   * Fills a result of M × N from elements of A (M × K) and B (K × N).
   *
   * @returns the result, row-major with rows as long as said, until the next call
   */
  run(shape: ContractionShape): { readonly values: ArrayLike<number>; readonly rowLength: number };
}

export interface ContractionShape {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly a: (row: number, k: number) => number;
  readonly b: (k: number, column: number) => number;
}

const made = new Map<WasmNumbers, WasmContraction | undefined>();

/** The contraction in Wasm; absent where there is no Wasm, or none with vectors. */
export function wasmContraction(numbers: WasmNumbers): WasmContraction | undefined {
  if (!made.has(numbers)) made.set(numbers, create(numbers));
  return made.get(numbers);
}

function create(numbers: WasmNumbers): WasmContraction | undefined {
  const wasm = (globalThis as { WebAssembly?: Wasm }).WebAssembly;
  const bytes = contractionModule(numbers);
  if (wasm === undefined || !wasm.validate(bytes)) return undefined;
  const memory = new wasm.Memory({ initial: 1 });
  const instance = new wasm.Instance(new wasm.Module(bytes), { env: { memory } });
  const size = numbers === "f64" ? 8 : 4;
  const columns = tileBytes / size;
  const run: WasmContraction["run"] = ({ m, n, k, a, b }) => {
    const [rowTiles, columnTiles] = [Math.ceil(m / tileRows), Math.ceil(n / columns)];
    const rowLength = columnTiles * columns;
    const [lengthA, lengthB] = [rowTiles * tileRows * k, rowLength * k];
    const needed = (lengthA + lengthB + rowTiles * tileRows * rowLength) * size;
    const missing = needed - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 2 ** 16));
    const all =
      numbers === "f64" ? new Float64Array(memory.buffer) : new Float32Array(memory.buffer);
    packRows(all, { m, k, rowTiles, a });
    packColumns(all.subarray(lengthA), { n, k, columns, columnTiles, b });
    const [startB, startC] = [lengthA * size, (lengthA + lengthB) * size];
    instance.exports.contract(0, startB, startC, rowTiles, columnTiles, k);
    return { values: all.subarray(lengthA + lengthB), rowLength };
  };
  return { numbers, columns, run };
}

type Numbers = Float64Array | Float32Array;

/** Tiles of rows one behind the other, in each the elements of a column side by side. */
function packRows(
  target: Numbers,
  { m, k, rowTiles, a }: Pick<ContractionShape, "m" | "k" | "a"> & { readonly rowTiles: number },
): void {
  let at = 0;
  for (let tile = 0; tile < rowTiles; tile += 1) {
    for (let inner = 0; inner < k; inner += 1) {
      for (let row = tile * tileRows; row < (tile + 1) * tileRows; row += 1) {
        target[at++] = row < m ? a(row, inner) : 0;
      }
    }
  }
}

/** Panels of columns one behind the other, in each the elements of a row side by side. */
function packColumns(
  target: Numbers,
  {
    n,
    k,
    columns,
    columnTiles,
    b,
  }: Pick<ContractionShape, "n" | "k" | "b"> & Record<"columns" | "columnTiles", number>,
): void {
  let at = 0;
  for (let tile = 0; tile < columnTiles; tile += 1) {
    for (let inner = 0; inner < k; inner += 1) {
      for (let column = tile * columns; column < (tile + 1) * columns; column += 1) {
        target[at++] = column < n ? b(inner, column) : 0;
      }
    }
  }
}

/** Names of the locals of `contract`, parameters first. */
const local = {
  ...{ a: 0, b: 1, c: 2, rowTiles: 3, columnTiles: 4, k: 5 },
  ...{ row: 6, column: 7, count: 8, fromA: 9, fromB: 10, to: 11 },
  ...{ b0: 12, b1: 13, element: 14, sums: 15 },
} as const;

const { get, set, tee, i32, loop, branchIf } = code;
const rows = Array.from({ length: tileRows }, (_, row) => row);

function step(name: number, bytes: readonly number[]): readonly number[] {
  return [...get(name), ...bytes, ...i32.add, ...set(name)];
}

function countDown(name: number): readonly number[] {
  return [...get(name), ...i32.constant(1), ...i32.sub, ...tee(name), ...branchIf(0)];
}

/** Adds the products of one element of each row with two vectors of a panel, over all k. */
function innerLoop(numbers: WasmNumbers): readonly number[] {
  const vector = code.v128(numbers);
  const size = numbers === "f64" ? 8 : 4;
  const add = (sum: number, of: number) => [
    ...[...get(sum), ...get(local.element), ...get(of)],
    ...[...vector.mul, ...vector.add, ...set(sum)],
  ];
  return loop([
    ...[...get(local.fromB), ...vector.load(0), ...set(local.b0)],
    ...[...get(local.fromB), ...vector.load(16), ...set(local.b1)],
    ...rows.flatMap((row) => [
      ...[...get(local.fromA), ...vector.loadSplat(row * size), ...set(local.element)],
      ...add(local.sums + 2 * row, local.b0),
      ...add(local.sums + 2 * row + 1, local.b1),
    ]),
    ...step(local.fromA, i32.constant(tileRows * size)),
    ...step(local.fromB, i32.constant(tileBytes)),
    ...countDown(local.count),
  ]);
}

/** One tile after the other, down the rows of a panel of columns. */
function rowLoop(numbers: WasmNumbers): readonly number[] {
  const vector = code.v128(numbers);
  const panelBytes = [...get(local.k), ...i32.mul, ...i32.constant(tileBytes), ...i32.mul];
  const rowBytes = [...get(local.columnTiles), ...i32.constant(tileBytes), ...i32.mul];
  return loop([
    ...[...get(local.b), ...get(local.column), ...panelBytes, ...i32.add, ...set(local.fromB)],
    ...[...get(local.k), ...set(local.count)],
    ...rows.flatMap((row) =>
      [0, 1].flatMap((half) => [...vector.zero, ...set(local.sums + 2 * row + half)]),
    ),
    ...innerLoop(numbers),
    ...rows.flatMap((row) => [
      ...[...get(local.to), ...get(local.sums + 2 * row), ...vector.store(0)],
      ...[...get(local.to), ...get(local.sums + 2 * row + 1), ...vector.store(16)],
      ...step(local.to, rowBytes),
    ]),
    ...countDown(local.row),
  ]);
}

/** `contract(a, b, c, rowTiles, columnTiles, k)`: panels outside, then tiles of rows, then k. */
function contractionModule(numbers: WasmNumbers): Uint8Array {
  const columnBytes = [...get(local.column), ...i32.constant(tileBytes), ...i32.mul];
  const body = loop([
    ...[...get(local.a), ...set(local.fromA)],
    ...[...get(local.c), ...columnBytes, ...i32.add, ...set(local.to)],
    ...[...get(local.rowTiles), ...set(local.row)],
    ...rowLoop(numbers),
    ...[...get(local.column), ...i32.constant(1), ...i32.add, ...tee(local.column)],
    ...[...get(local.columnTiles), ...i32.less, ...branchIf(0)],
  ]);
  const vectors = 3 + 2 * tileRows;
  return assemble({ name: "contract", parameters: 6, integers: 6, vectors, body });
}
