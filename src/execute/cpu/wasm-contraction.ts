import {
  contractionModule,
  sizeOf,
  tileBytes,
  tileRows,
  type WasmNumbers,
  type WasmSum,
} from "./wasm-kernel.ts";

/** A block of A: its rows and columns, small enough for a processor's second cache. */
const block = { rows: 192, inner: 256 };

/** Used part of WebAssembly's interface; JavaScript engines outside a page have it too. */
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
  readonly sum: WasmSum;
  /**
   * Multiplies A (M × K) with B (K × N), which have the same length of `inner`.
   *
   * @returns the result, row-major with rows as long as said, until the next call
   */
  run(a: Factor, b: Factor): { readonly values: ArrayLike<number>; readonly rowLength: number };
}

/**
 * Matrix inside a list of numbers; its elements are at `from + outer[row or column] + inner[k]`.
 */
export interface Factor {
  readonly values: Numbers;
  readonly from: number;
  /** Offsets of the rows of A, or of the columns of B. */
  readonly outer: Int32Array;
  readonly inner: Int32Array;
}

type Numbers = Float64Array | Float32Array | Int32Array;

const arrays = { f64: Float64Array, f32: Float32Array, i32: Int32Array } as const;

const made = new Map<WasmNumbers, WasmContraction | undefined>();

/** A matrix product in WebAssembly; `undefined` if the engine has no WebAssembly with vectors. */
export function wasmContraction(numbers: WasmNumbers): WasmContraction | undefined {
  if (!made.has(numbers)) {
    made.set(
      numbers,
      (numbers === "i32" ? undefined : contractionBy(numbers, "fused")) ??
        contractionBy(numbers, "rounded-twice"),
    );
  }
  return made.get(numbers);
}

/**
 * Contraction for one way of summing; `undefined` if the JavaScript engine lacks its instructions.
 *
 * @internal
 */
export function contractionBy(numbers: WasmNumbers, sum: WasmSum): WasmContraction | undefined {
  const wasm = (globalThis as { WebAssembly?: Wasm }).WebAssembly;
  const bytes = contractionModule(numbers, sum);
  if (wasm === undefined || !wasm.validate(bytes)) return undefined;
  const memory = new wasm.Memory({ initial: 1 });
  const { contract } = new wasm.Instance(new wasm.Module(bytes), { env: { memory } }).exports;
  const size = sizeOf(numbers);
  const columns = tileBytes / size;

  const run: WasmContraction["run"] = (a, b) => {
    const [m, n, k] = [a.outer.length, b.outer.length, a.inner.length];
    const panels = Math.ceil(n / columns);
    const rowLength = panels * columns;
    const startB = block.rows * Math.min(k, block.inner);
    const startC = startB + rowLength * Math.min(k, block.inner);
    const end = startC + Math.ceil(m / tileRows) * tileRows * rowLength;
    const missing = end * size - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 2 ** 16));
    const all = new arrays[numbers](memory.buffer);
    all.fill(0, startC, end);

    for (let inner = 0; inner < k; inner += block.inner) {
      const depth = Math.min(block.inner, k - inner);
      pack(all.subarray(startB), b, { width: columns, outer: [0, n], inner, depth });
      for (let row = 0; row < m; row += block.rows) {
        const stop = Math.min(m, row + block.rows);
        pack(all, a, { width: tileRows, outer: [row, stop], inner, depth });
        const tiles = Math.ceil((stop - row) / tileRows);
        for (let panel = 0; panel < panels; panel += 1) {
          const fromB = startB + panel * columns * depth;
          const toC = startC + row * rowLength + panel * columns;
          contract(0, fromB * size, toC * size, tiles, depth, rowLength * size);
        }
      }
    }
    return { values: all.subarray(startC, end), rowLength };
  };
  return { numbers, sum, run };
}

interface Packing {
  /** Rows or columns of a tile. */
  readonly width: number;
  readonly outer: readonly [start: number, stop: number];
  readonly inner: number;
  readonly depth: number;
}

/**
 * Writes tiles one after the other: for every k the tile's elements side by side. The last tile is
 * filled up with 0.
 */
function pack(target: Numbers, factor: Factor, { width, outer, inner, depth }: Packing): void {
  const { values, from } = factor;
  const [start, stop] = outer;
  let at = 0;
  for (let tile = start; tile < stop; tile += width) {
    const end = Math.min(stop, tile + width);
    for (let k = inner; k < inner + depth; k += 1) {
      const base = from + (factor.inner[k] ?? 0);
      for (let each = tile; each < end; each += 1) {
        target[at++] = values[base + (factor.outer[each] ?? 0)] ?? Number.NaN;
      }
      for (let none = end; none < tile + width; none += 1) target[at++] = 0;
    }
  }
}
