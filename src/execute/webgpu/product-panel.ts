import type { KernelText } from "./kernel-text.ts";
import { type ProductDim, type ProductShape, stepsOf } from "./product-shape.ts";
import { threadsOf } from "./product-tile.ts";
import type { ProductTile } from "./tile-choice.ts";

/**
 * The way an operand is read: four steps of the sum at once, four of its lines at once, or word by
 * word. Lines are the rows of one operand, the columns of the other.
 */
type Reading = "steps" | "lines" | "words";

/** An operand as a workgroup reads it: a panel of some lines and some steps at a time. */
export interface Panel {
  /** Operand of the product: 0 has the rows, 1 has the columns. */
  readonly side: 0 | 1;
  readonly name: "a" | "b";
  readonly reading: Reading;
  readonly lines: readonly ProductDim[];
  readonly inner: readonly ProductDim[];
  readonly array: string;
  /** Lines of a panel, and vectors of four of them. */
  readonly height: number;
  readonly quads: number;
  readonly depth: number;
  readonly threads: number;
}

/** The panel of an operand, with its binding. */
export function panelOf(
  side: 0 | 1,
  shape: ProductShape,
  tile: ProductTile,
  text: KernelText,
): Panel {
  const { buffer } = shape.operands[side];
  const lines = side === 0 ? shape.rows : shape.columns;
  const height = side === 0 ? tile.rows : tile.columns;
  const reading = readingOf(side, shape, lines);
  return {
    ...{ side, name: side === 0 ? "a" : "b", reading, lines, inner: shape.inner, height },
    ...{ quads: height / 4, depth: tile.depth, threads: threadsOf(tile) },
    array: text.buffer(buffer, "read", reading === "words" ? 1 : 4),
  };
}

/**
 * The way to read an operand. Vectors need neighbouring words, and strides and starts that are
 * whole vectors.
 */
function readingOf(
  side: 0 | 1,
  { inner, batches, operands }: ProductShape,
  lines: readonly ProductDim[],
): Reading {
  const strideOf = ({ strides }: ProductDim) => strides[side];
  const isWhole = (dims: readonly ProductDim[]) => dims.every((dim) => strideOf(dim) % 4 === 0);
  const areBases = operands[side].bases.every((base) => base % 4 === 0);
  if (!areBases || !isWhole(batches)) return "words";
  const [step, ...others] = inner;
  const isRow = step !== undefined && strideOf(step) === 1 && step.length % 4 === 0;
  if (isRow && others.length === 0 && isWhole(lines)) return "steps";
  const last = lines.at(-1);
  const outer = lines.slice(0, -1);
  const areRows = last !== undefined && strideOf(last) === 1;
  const isEven = outer.length === 0 || (last?.length ?? 0) % 4 === 0;
  return areRows && isEven && isWhole(outer) && isWhole(inner) ? "lines" : "words";
}

/**
 * The offset of an index in vectors of `width` words: a sum of its digits along dims, times
 * strides.
 */
export function offsetText(
  index: string,
  dims: readonly ProductDim[],
  strideOf: (dim: ProductDim) => number,
  width: number,
): string {
  let below = stepsOf(dims);
  const terms = dims.map((dim, at) => {
    below /= dim.length;
    const over = below === 1 ? `(${index})` : `(${index}) / ${below}i`;
    const digit = at === 0 ? over : `${over} % ${dim.length}i`;
    return scaledText(digit, strideOf(dim) / width);
  });
  return terms.length === 0 ? "0i" : terms.join(" + ");
}

function scaledText(text: string, by: number): string {
  if (by === 0) return "0i";
  if (Number.isInteger(by)) return by === 1 ? `(${text})` : `(${text}) * ${by}i`;
  return `(${text}) / ${Math.round(1 / by)}i`;
}

/** Load of a thread: its registers, their reads, and their positions in the panel. */
export interface Load {
  readonly declare: readonly string[];
  /** Reads the words of the panel whose steps begin at `first`. */
  readonly fetch: (first: string) => string;
  readonly store: string;
}

/** Loads of a thread for one panel. */
export function loadsOf(panel: Panel): readonly Load[] {
  const loads = (panel.quads * panel.depth) / (panel.reading === "steps" ? 4 : 1);
  const each = panel.reading === "steps" ? stepLoad : lineLoad;
  return Array.from({ length: Math.ceil(loads / panel.threads) }, (_, at) => {
    const id = `${panel.name}${at}`;
    const { declare, fetch, store } = each(panel, id);
    const isSure = (at + 1) * panel.threads <= loads;
    const ifThere = (body: string) => (isSure ? body : `if (q${id} < ${loads}i) { ${body} }`);
    return {
      declare: [`let q${id} = t + ${at * panel.threads}i;`, ...declare],
      fetch: (first) => ifThere(fetch(first)),
      store: ifThere(store),
    };
  });
}

/** Four lines by four steps: four vectors along the steps, turned in registers. */
function stepLoad(panel: Panel, id: string): Load {
  const { name, quads, array } = panel;
  const rows = [0, 1, 2, 3];
  const turned = ["x", "y", "z", "w"].map((part, step) => {
    const parts = rows.map((row) => `r${id}_${row}.${part}`).join(", ");
    return `${name}_panel[(q${id}k * 4i + ${step}i) * ${quads}i + q${id}m] = VECTOR(${parts});`;
  });
  return {
    declare: [
      `let q${id}m = q${id} % ${quads}i; let q${id}k = q${id} / ${quads}i;`,
      ...rows.map((row) => `let o${id}_${row} = ${lineText(panel, id, row, 4)} + q${id}k;`),
      ...rows.map((row) => `var r${id}_${row} = ZERO;`),
    ],
    fetch: (first) =>
      rows
        .map((row) => {
          const read = `${array}[o${id}_${row} + ${first} / 4i]`;
          return `r${id}_${row} = ${ifInside(panel, read, `${first} + q${id}k * 4i`)};`;
        })
        .join(" "),
    store: turned.join(" "),
  };
}

/** A vector of four lines at one step: read at once, or word by word. */
function lineLoad(panel: Panel, id: string): Load {
  const { name, quads, array, side, inner, depth, reading } = panel;
  const isAlongSteps = reading === "words" && inner.at(-1)?.strides[side] === 1;
  const place = isAlongSteps
    ? `let q${id}m = q${id} / ${depth}i; let q${id}k = q${id} % ${depth}i;`
    : `let q${id}m = q${id} % ${quads}i; let q${id}k = q${id} / ${quads}i;`;
  const width = reading === "words" ? 1 : 4;
  const rows = width === 4 ? [0] : [0, 1, 2, 3];
  const offsets = rows.map((row) => `let o${id}_${row} = ${lineText(panel, id, row, width)};`);
  const fetch = (first: string) => {
    const step = `${first} + q${id}k`;
    const last = stepsOf(inner) - 1;
    const inside = isFull(panel) ? step : `min(${step}, ${last}i)`;
    const moved = offsetText(inside, inner, ({ strides }) => strides[side], width);
    const reads = rows.map((row) => `${array}[o${id}_${row} + ${moved}]`).join(", ");
    return `r${id} = ${ifInside(panel, width === 4 ? reads : `VECTOR(${reads})`, step)};`;
  };
  const store = `${name}_panel[q${id}k * ${quads}i + q${id}m] = r${id};`;
  return { declare: [place, ...offsets, `var r${id} = ZERO;`], fetch, store };
}

/** The start of a load's line; lines beyond the last are read as the last, and never stored. */
function lineText(panel: Panel, id: string, row: number, width: number): string {
  const { name, lines, side, height, reading } = panel;
  const total = stepsOf(lines);
  const last = reading === "lines" ? Math.floor((total - 1) / 4) * 4 : total - 1;
  const line = `${name}_first + q${id}m * 4i + ${row}i`;
  const inside = total % height === 0 ? line : `min(${line}, ${last}i)`;
  const offset = offsetText(inside, lines, ({ strides }) => strides[side], width);
  return `${name}_base / ${width}i + ${offset}`;
}

function isFull({ inner, depth }: Panel): boolean {
  return stepsOf(inner) % depth === 0;
}

/** A vector, or zeros beyond the last step. */
function ifInside(panel: Panel, read: string, step: string): string {
  return isFull(panel) ? read : `select(ZERO, ${read}, ${step} < ${stepsOf(panel.inner)}i)`;
}
