import { emitFollowers } from "./emit-followers.ts";
import { type KernelText, namedNumber, type Term } from "./kernel-text.ts";
import { offsetText } from "./product-panel.ts";
import { type ProductDim, type ProductEnd, type ProductShape, stepsOf } from "./product-shape.ts";
import type { ProductKernelTask } from "./product-task.ts";

const along = ({ strides }: ProductDim) => strides[2];

/**
 * The lines that store the cells of a thread: row by row, as vectors of four columns or word by
 * word.
 */
export function storeLines(task: ProductKernelTask, text: KernelText): readonly string[] {
  const { shape, tile } = task;
  const [rows, down] = [stepsOf(shape.rows), tile.rows / tile.perThread[0]];
  const guard = rows % tile.rows === 0 ? "" : `if (row < ${rows}i) `;
  return Array.from({ length: tile.perThread[0] }, (_, i) => [
    `{ let row = a_first + (y + ${Math.floor(i / 4) * down}i) * 4i + ${i % 4}i;`,
    `${guard}{ let rowAt = c_base + ${offsetText("row", shape.rows, along, 1)};`,
    ...rowLines(task, i, text),
    "} }",
  ]).flat();
}

/** The stores of one row of a thread. */
function rowLines(task: ProductKernelTask, i: number, text: KernelText): readonly string[] {
  const { shape, result, tile, partStride } = task;
  const [c, columns] = [tile.perThread[1], stepsOf(shape.columns)];
  const width = resultWidth(shape, result, partStride);
  const out = text.buffer(result.buffer, "read_write", width);
  const factor = shape.factor === 1 ? "" : ` * ${factorText(shape.factor, text)}`;
  const write = (column: string, cell: string) => {
    const word = `rowAt + ${offsetText(column, shape.columns, along, 1)}`;
    const line = `${out}[${width === 4 ? `(${word}) / 4i` : word}] = ${cell}${factor};`;
    return columns % tile.columns === 0 ? line : `if (${column} < ${columns}i) { ${line} }`;
  };
  return Array.from({ length: c / 4 }, (_, j) => {
    const column = `b_first + (x + ${(j * tile.columns) / c}i) * 4i`;
    if (width === 4) return [write(column, `c${i}_${j}`)];
    return [0, 1, 2, 3].map((lane) => write(`${column} + ${lane}i`, `c${i}_${j}[${lane}]`));
  }).flat();
}

function factorText(factor: number, { type }: KernelText): string {
  if (type === "i32") return `i32(${factor})`;
  const digits = String(Math.fround(factor));
  return /[.e]/.test(digits) ? `f32(${digits})` : `f32(${digits}.0)`;
}

/** Whether four columns are neighbouring words in the result, wherever they begin. */
function resultWidth(shape: ProductShape, { bases }: ProductEnd, partStride: number): 1 | 4 {
  const { rows, columns, batches } = shape;
  const last = columns.at(-1);
  const isRow = last !== undefined && along(last) === 1 && last.length % 4 === 0;
  const others = [...rows, ...batches, ...columns.slice(0, -1)];
  const isWhole = others.every((dim) => along(dim) % 4 === 0) && partStride % 4 === 0;
  return isRow && isWhole && bases.every((base) => base % 4 === 0) ? 4 : 1;
}

/** Follows the cells of a thread one by one: each is read again by the thread that has stored it. */
export function followCells(task: ProductKernelTask, text: KernelText): void {
  const { shape, tile, followers } = task;
  const [r, c] = tile.perThread;
  const [rows, columns] = [stepsOf(shape.rows), stepsOf(shape.columns)];
  text.open(`for (var i = 0i; i < ${r}i; i++)`);
  text.open(`for (var j = 0i; j < ${c}i; j++)`);
  text.statement(`let row = a_first + (y + i / 4i * ${tile.rows / r}i) * 4i + i % 4i;`);
  text.statement(`let column = b_first + (x + j / 4i * ${tile.columns / c}i) * 4i + j % 4i;`);
  text.statement(`if (row >= ${rows}i || column >= ${columns}i) { continue; }`);
  const rowText = offsetText("row", shape.rows, along, 1);
  const columnText = offsetText("column", shape.columns, along, 1);
  text.statement(`let cell = c_batch + ${rowText} + ${columnText};`);
  text.statement(`let made = ${storedText(task, text)};`);
  const { depth } = text;
  const cells = rows * columns * stepsOf(shape.batches);
  const place: Term = { text: "cell", kind: "index", depth, low: 0, high: cells - 1 };
  const digits = [{ term: place, step: 1, length: cells }];
  emitFollowers(followers, digits, namedNumber("made", depth), text);
  text.close();
  text.close();
}

function storedText({ shape, result, partStride }: ProductKernelTask, text: KernelText): string {
  const width = resultWidth(shape, result, partStride);
  const out = text.buffer(result.buffer, "read_write", width);
  const word = "(c_base - c_batch + cell)";
  return width === 4 ? `${out}[${word} / 4i][${word} % 4i]` : `${out}[${word}]`;
}
