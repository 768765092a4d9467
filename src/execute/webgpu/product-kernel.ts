import { KernelText } from "./kernel-text.ts";
import { type Kernel, kernelOf } from "./launch.ts";
import { loadsOf, offsetText, type Panel, panelOf } from "./product-panel.ts";
import { type ProductDim, stepsOf } from "./product-shape.ts";
import { followCells, storeLines } from "./product-store.ts";
import type { ProductKernelTask } from "./product-task.ts";
import { threadsOf } from "./product-tile.ts";
import type { ProductTile } from "./tile-choice.ts";

/** Steps of the sum that are written out one after the other, so that their places are known. */
const unroll = 4;

/**
 * Rows of workgroups that run column by column, so that simultaneous ones share rows and columns.
 */
const band = 8;

/**
 * Writes the kernel of a product. Workgroups hold panels of both operands in their own memory, as
 * vectors of four lines per step of the sum; threads keep their cells in registers. The next panels
 * are fetched while the present ones are multiplied.
 */
export function writeProduct(task: ProductKernelTask): Kernel {
  const { shape, tile, type, instances } = task;
  const text = new KernelText(type);
  text.groupSize = threadsOf(tile);
  const panels = [panelOf(0, shape, tile, text), panelOf(1, shape, tile, text)] as const;
  text.declarations.push(
    `alias VECTOR = vec4<${type}>;`,
    "const ZERO = VECTOR();",
    ...panels.map(
      ({ name, quads, depth }) => `var<workgroup> ${name}_panel: array<VECTOR, ${quads * depth}>;`,
    ),
  );
  const grid = gridOf(task);
  const lines = [...placeLines(task, grid), ...baseLines(task, text), ...sumLines(task, panels)];
  for (const line of [...lines, ...storeLines(task, text)]) text.statement(line);
  if (task.followers.length > 0) followCells(task, text);
  const blocks = grid.across * grid.down * grid.batches * tile.parts;
  const cells = stepsOf(shape.rows) * stepsOf(shape.columns) * grid.batches;
  const cost = 2 * cells * stepsOf(shape.inner);
  return kernelOf(text, { cells: 0, instances, perThread: 1, blocks }, cost, task.traits);
}

/** Workgroups along the columns and the rows, and per batch. */
interface Grid {
  readonly across: number;
  readonly down: number;
  readonly batches: number;
}

function gridOf({ shape, tile }: ProductKernelTask): Grid {
  return {
    across: Math.ceil(stepsOf(shape.columns) / tile.columns),
    down: Math.ceil(stepsOf(shape.rows) / tile.rows),
    batches: stepsOf(shape.batches),
  };
}

/** The lines that find a workgroup's cells, its batch and its part of the sum. */
function placeLines({ tile }: ProductKernelTask, grid: Grid): readonly string[] {
  const { across, down, batches } = grid;
  const perBand = band * across;
  return [
    "let t = i32(local.x);",
    `let tileAt = block % ${across * down}i; let outer = block / ${across * down}i;`,
    `let share = outer / ${batches}i; let batch = outer % ${batches}i;`,
    `let bandAt = tileAt / ${perBand}i; let inBand = tileAt % ${perBand}i;`,
    `let bandRows = min(${band}i, ${down}i - bandAt * ${band}i);`,
    `let a_first = (bandAt * ${band}i + inBand % bandRows) * ${tile.rows}i;`,
    `let b_first = (inBand / bandRows) * ${tile.columns}i;`,
  ];
}

/** The lines that find the start of the batch in both operands and in the result. */
function baseLines(
  { shape, tile, result, partStride }: ProductKernelTask,
  text: KernelText,
): readonly string[] {
  const batch = (strideOf: (dim: ProductDim) => number) =>
    offsetText("batch", shape.batches, strideOf, 1);
  const [a, b, c] = [...shape.operands, result].map(({ bases }) => text.column(bases).text);
  const share = tile.parts > 1 ? ` + share * ${partStride}i` : "";
  return [
    `let a_base = ${a} + ${batch(({ strides }) => strides[0])};`,
    `let b_base = ${b} + ${batch(({ strides }) => strides[1])};`,
    `let c_batch = ${batch(({ strides }) => strides[2])};`,
    `let c_base = ${c} + c_batch${share};`,
  ];
}

/** The lines of the sum: panel by panel, a thread adds to its cells. */
function sumLines(task: ProductKernelTask, panels: readonly [Panel, Panel]): readonly string[] {
  const { shape, tile } = task;
  const { depth, parts, perThread } = tile;
  const all = Math.ceil(stepsOf(shape.inner) / depth);
  const each = Math.ceil(all / parts);
  const loads = panels.flatMap(loadsOf);
  return [
    ...loads.flatMap(({ declare }) => declare),
    ...cellsOf(tile).map(([i, j]) => `var c${i}_${j} = ZERO;`),
    `let width = ${tile.columns / perThread[1]}i; let x = t % width; let y = t / width;`,
    `let begin = ${parts > 1 ? `share * ${each}i` : "0i"}; let end = min(begin + ${each}i, ${all}i);`,
    ...loads.map(({ fetch }) => fetch(`(begin * ${depth}i)`)),
    "for (var panel = begin; panel < end; panel++) {",
    ...loads.map(({ store }) => `  ${store}`),
    "  workgroupBarrier();",
    "  if (panel + 1i < end) {",
    `    let first = (panel + 1i) * ${depth}i;`,
    ...loads.map(({ fetch }) => `    ${fetch("first")}`),
    "  }",
    `  for (var k = 0i; k < ${depth}i; k += ${unroll}i) {`,
    ...range(unroll).flatMap((ahead) => ["    {", ...stepLines(task, panels, ahead), "    }"]),
    "  }",
    "  workgroupBarrier();",
    "}",
  ];
}

/** The lines of one step of the sum: a thread reads both panels, and adds to each cell. */
function stepLines(
  { tile, type }: ProductKernelTask,
  [a, b]: readonly [Panel, Panel],
  ahead: number,
): readonly string[] {
  const { perThread, rows, columns } = tile;
  const [r, c] = perThread;
  return [
    `let pa = (k + ${ahead}i) * ${a.quads}i + y; let pb = (k + ${ahead}i) * ${b.quads}i + x;`,
    ...range(r / 4).map((i) => `let a${i} = a_panel[pa + ${(i * rows) / r}i];`),
    ...range(c / 4).map((j) => `let b${j} = b_panel[pb + ${(j * columns) / c}i];`),
    ...cellsOf(tile).map(([i, j]) => {
      const own = `a${Math.floor(i / 4)}.${"xyzw"[i % 4]}`;
      return type === "f32"
        ? `c${i}_${j} = fma(VECTOR(${own}), b${j}, c${i}_${j});`
        : `c${i}_${j} += ${own} * b${j};`;
    }),
  ].map((line) => `      ${line}`);
}

/** The cells of a thread: rows, and vectors of four columns. */
function cellsOf({ perThread: [r, c] }: ProductTile): readonly (readonly [number, number])[] {
  return range(r).flatMap((i) => range(c / 4).map((j) => [i, j] as const));
}

function range(length: number): readonly number[] {
  return Array.from({ length }, (_, at) => at);
}
