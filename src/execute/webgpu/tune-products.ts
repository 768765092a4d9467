import type { GpuExecutor } from "./gpu-device.ts";
import type { GpuProgram, KernelCommand } from "./gpu-program.ts";
import { KernelText, literalIndex } from "./kernel-text.ts";
import { type Kernel, kernelOf, launchOf, overCells } from "./launch.ts";
import { writeProduct } from "./product-kernel.ts";
import type { ProductShape } from "./product-shape.ts";
import { tiles } from "./product-tile.ts";
import type { ProductTile, TileChoice } from "./tile-choice.ts";

/** A size of products with one product of it, and the tiles to try for it. */
interface Trial {
  readonly size: number;
  readonly from: number;
  readonly tiles: readonly ProductTile[];
}

const { small, middle, flat, square, wide, large } = tiles;

/** Square products measured on behalf of all products with about as many operations. */
const trials: readonly Trial[] = [
  {
    ...{ size: 256, from: 2 ** 20 },
    tiles: [small, middle].flatMap((tile) => [1, 2].map((parts) => ({ ...tile, parts }))),
  },
  {
    ...{ size: 512, from: 2 ** 27 },
    tiles: [small, middle, square].flatMap((tile) => [1, 4].map((parts) => ({ ...tile, parts }))),
  },
  {
    ...{ size: 1024, from: 2 ** 30 },
    tiles: [
      ...[middle, flat, square, wide].map((tile) => ({ ...tile, parts: 1 })),
      ...[square, wide, large].map((tile) => ({ ...tile, parts: 2 })),
      { ...large, parts: 4 },
    ],
  },
  {
    ...{ size: 2048, from: 2 ** 33 },
    tiles: [square, wide, large].map((tile) => ({ ...tile, parts: 1 })),
  },
];

/** Milliseconds of one product beyond which larger ones are not tried. */
const tooLong = 40;

/** Number of timed runs; the fastest counts. */
const rounds = 3;

/**
 * Measures the best tiles for products of each size on an adapter: a few seconds, mostly for
 * compiling kernels.
 */
export async function tuneProducts(
  executor: Pick<GpuExecutor, "limits" | "prepare">,
): Promise<readonly TileChoice[]> {
  const choices: TileChoice[] = [];
  for (const { size, from, tiles: tried } of trials) {
    let best: { readonly ms: number; readonly tile: ProductTile } | undefined;
    const programs = tried.map((tile) => ({ tile, program: productProgram(executor, size, tile) }));
    for (const { tile, program } of programs) {
      const ms = await timeOf(executor, program, timesOf(size));
      if (ms < (best?.ms ?? Number.POSITIVE_INFINITY)) best = { ms, tile };
    }
    if (best === undefined) continue;
    const { parts, ...tile } = best.tile;
    const groups = Math.ceil(size / tile.rows) * Math.ceil(size / tile.columns) * parts;
    choices.push({ from, tile, groups });
    if (best.ms > tooLong) break;
  }
  return choices;
}

/** A square product several times, so that its own time outweighs the time of submitting it. */
function productProgram(
  { limits }: Pick<GpuExecutor, "limits">,
  size: number,
  tile: ProductTile,
): GpuProgram {
  const dim = (strides: readonly [number, number, number]) => [{ length: size, strides }];
  const shape: ProductShape = {
    rows: dim([size, 0, size]),
    columns: dim([0, 1, 1]),
    batches: [],
    inner: dim([1, size, 0]),
    operands: [
      { buffer: 0, bases: [0] },
      { buffer: 1, bases: [0] },
    ],
    factor: 1,
  };
  const words = size ** 2;
  const common = { instances: 1, type: "f32", tile, traits: limits, followers: [] } as const;
  const result = { buffer: 2, bases: [0] };
  const kernel = writeProduct({ ...common, shape, result, partStride: words });
  const buffers = [words, words, words * tile.parts].map((each, at) => ({
    label: `trial ${at}`,
    words: each,
    ...(at < 2 && { content: someNumbers(each) }),
  }));
  const kernels = tile.parts === 1 ? [kernel] : [kernel, joinKernel(words, tile.parts, limits)];
  const all = Array.from({ length: timesOf(size) }, () => kernels).flat();
  let slot = 0;
  const commands = all.map((each) =>
    commandOf(each, buffers, each.cutGroups === undefined ? 0 : slot++),
  );
  return { buffers, commands, rows: noRows };
}

/** Number of runs of a product in one measurement. */
function timesOf(size: number): number {
  return Math.max(1, Math.min(32, Math.floor(2 ** 34 / size ** 3)));
}

const noRows = new Int32Array();

/** The kernel that adds the parts of sums up. */
function joinKernel(words: number, parts: number, limits: GpuExecutor["limits"]): Kernel {
  const text = new KernelText("f32");
  const launch = launchOf(words, 1, limits);
  overCells(text, launch, (cell) => {
    const from = text.buffer(2, "read");
    const read = (part: number) => `${from}[${text.sum(cell, literalIndex(part * words)).text}]`;
    const sum = Array.from({ length: parts }, (_, part) => read(part)).join(" + ");
    text.statement(`${text.buffer(0, "read_write")}[${cell.text}] = (${sum}) / ${10 * words}f;`);
  });
  return kernelOf(text, launch, words * parts, limits);
}

function commandOf(kernel: Kernel, buffers: GpuProgram["buffers"], slot: number): KernelCommand {
  return {
    ...{ kind: "kernel", label: "trial", workgroups: kernel.workgroups, work: kernel.work },
    code: kernel.code((buffer) => buffers[buffer]?.words ?? 1),
    buffers: kernel.bindings.map(({ buffer }) => buffer),
    ...(kernel.cutGroups !== undefined && { cut: { slot, groups: kernel.cutGroups } }),
  };
}

/** Singles between −1 and 1, as bits: zeros would let some adapters run faster. */
function someNumbers(words: number): Uint32Array {
  const numbers = Float32Array.from({ length: words }, (_, at) => ((at * 7919) % 251) / 125 - 1);
  return new Uint32Array(numbers.buffer);
}

/** Milliseconds of one product. */
async function timeOf(
  executor: Pick<GpuExecutor, "prepare">,
  program: GpuProgram,
  times: number,
): Promise<number> {
  const run = await executor.prepare(program);
  try {
    await run.send();
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round += 1) {
      const started = performance.now();
      await run.send();
      least = Math.min(least, performance.now() - started);
    }
    return least / times;
  } finally {
    run.release();
  }
}
