import { type Box, lengthOf, volumeOf } from "#core/indexspace";
import { partSize } from "#core/mesh";
import type { Value, ValueId } from "#core/program";
import type { WholeTensor } from "#execute/reference";
import type { BufferId } from "./gpu-program.ts";
import type { HeldBlock, Holding, Numbers } from "./program-builder.ts";
import { stridesOf } from "./regions.ts";

/** Blocks of one value, with the whole tensor to which they are compared. */
export interface Comparison {
  readonly value: ValueId;
  readonly buffer: BufferId;
  readonly rank: number;
  /**
   * Description of each block: first word, number of cells, and per dim its length, the tensor's
   * stride and its start.
   */
  readonly rows: Uint32Array;
  readonly blocks: number;
  /** Total words of all blocks. */
  readonly words: number;
  /** Cells of the largest block. */
  readonly cells: number;
  /** The tensor in the numbers of the run; the same object for all values of a tensor. */
  readonly wanted: Uint32Array<ArrayBuffer>;
}

/**
 * Comparisons that a device can make exactly: whole numbers with the same whole numbers. Left out
 * are contributions, which have to be summed first, and tensors with numbers that the device's own
 * cannot hold: the host compares those.
 */
export function comparisonsOf(
  values: readonly Value[],
  holdings: ReadonlyMap<ValueId, Holding>,
  wholes: ReadonlyMap<Value["tensor"], WholeTensor>,
  { type, isExact }: Numbers,
): readonly Comparison[] {
  if (!isExact) return [];
  const words = new Map<WholeTensor, Uint32Array<ArrayBuffer> | undefined>();
  return values.flatMap(({ id, tensor, layout }): readonly Comparison[] => {
    const [holding, whole] = [holdings.get(id), wholes.get(tensor)];
    const isPartial = layout.partials.some(({ part }) => partSize(part) > 1);
    if (holding === undefined || whole === undefined || isPartial) return [];
    if (!words.has(whole)) words.set(whole, exactWords(whole.values, type));
    const wanted = words.get(whole);
    const blocks = [...holding.blocks.values()].flat().filter(({ box }) => volumeOf(box) > 0);
    if (wanted === undefined || wanted.length === 0 || blocks.length === 0) return [];
    return [{ value: id, buffer: holding.buffer, wanted, ...rowsOf(blocks, whole.shape) }];
  });
}

/** Words that hold exactly the same numbers; `undefined` if some number has no exact word. */
function exactWords(
  values: Float64Array,
  type: Numbers["type"],
): Uint32Array<ArrayBuffer> | undefined {
  const numbers = type === "f32" ? Float32Array.from(values) : Int32Array.from(values);
  return numbers.every((each, at) => each === values[at])
    ? new Uint32Array(numbers.buffer)
    : undefined;
}

function rowsOf(blocks: readonly HeldBlock[], shape: readonly number[]) {
  const strides = stridesOf(shape.map((size) => ({ start: 0, stop: size })));
  const rows = blocks.flatMap(({ box, base }) => [
    ...[base, volumeOf(box)],
    ...box.flatMap((range: Box[number], dim) => [lengthOf(range), strides[dim] ?? 0, range.start]),
  ]);
  const cells = blocks.reduce((most, { box }) => Math.max(most, volumeOf(box)), 0);
  const words = blocks.reduce((sum, { box }) => sum + volumeOf(box), 0);
  return { rank: shape.length, rows: Uint32Array.from(rows), blocks: blocks.length, words, cells };
}

/** Threads of a workgroup, and approximate number of cells per thread. */
export const compareThreads = 64;
export const compareCells = 16;

/**
 * Kernel that counts differing cells. Bits are compared, except that both zeros of floats are
 * equal. It computes the position of a cell in the whole tensor independently of all code that
 * moves blocks in a run.
 */
export function compareKernel(rank: number, type: Numbers["type"]): string {
  const isSame = type === "f32" ? "a == b || ((a | b) & 0x7fffffffu) == 0u" : "a == b";
  return `@group(0) @binding(0) var<storage, read> held: array<u32>;
@group(0) @binding(1) var<storage, read> wanted: array<u32>;
@group(0) @binding(2) var<storage, read> rows: array<u32>;
@group(0) @binding(3) var<storage, read_write> differing: atomic<u32>;

const rank = ${rank}u;
const rowWords = ${2 + 3 * rank}u;
const threads = ${compareThreads}u;

/** Where a cell of a block lies in the whole tensor. */
fn placeOf(row: u32, cell: u32) -> u32 {
  var rest = cell;
  var place = 0u;
  for (var dim = rank; dim > 0u; dim -= 1u) {
    let at = row + 3u * dim - 1u;
    place += (rows[at + 2u] + rest % rows[at]) * rows[at + 1u];
    rest /= rows[at];
  }
  return place;
}

@compute @workgroup_size(${compareThreads})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  var count = 0u;
  for (var block = group.y; block < arrayLength(&rows) / rowWords; block += groups.y) {
    let row = block * rowWords;
    let base = rows[row];
    let cells = rows[row + 1u];
    let width = ${rank === 0 ? "1u" : "rows[row + rowWords - 3u]"};
    for (var first = group.x * ${compareThreads * compareCells}u; first < cells; first += groups.x * ${compareThreads * compareCells}u) {
      let end = min(first + ${compareThreads * compareCells}u, cells);
      var inRow = width;
      var place = 0u;
      for (var cell = first + lane; cell < end; cell += threads) {
        // Along a row of the last dim the place goes on as the cell does.
        if (inRow + threads < width) {
          inRow += threads;
          place += threads;
        } else {
          inRow = cell % width;
          place = placeOf(row, cell);
        }
        let a = held[base + cell];
        let b = wanted[place];
        if (!(${isSame})) { count += 1u; }
      }
    }
  }
  if (count > 0u) { atomicAdd(&differing, count); }
}
`;
}
