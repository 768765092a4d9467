import type { Combine, Definition } from "#core/ir";
import { emitDefinition, type RangeOf } from "./definition.ts";
import type { BufferId } from "./gpu-program.ts";
import { gridOf, groupSize } from "./gpu-program.ts";
import { helperCode } from "./helpers.ts";
import {
  type Binding,
  KernelText,
  literalIndex,
  type NumberType,
  type Term,
} from "./kernel-text.ts";
import { asNumber } from "./numbers.ts";
import { type OutputSpace, registersOf } from "./output-space.ts";
import type { Scope } from "./scope.ts";
import { type Tile, tileOf } from "./tile.ts";

/** A kernel, what it binds, and the grid that runs it. */
export interface Kernel {
  /** The text; `SIZES` of buffers are filled in when they are bound. */
  readonly bindings: readonly Binding[];
  /** What instances read instead of literals, row-major; empty where all is literal. */
  readonly rows: readonly number[];
  readonly workgroups: readonly [number, number, number];
  readonly work: number;
  code(wordsOf: (buffer: BufferId) => number): string;
}

/** What a kernel makes. */
export interface KernelTask {
  readonly type: NumberType;
  readonly scope: Omit<Scope, "text" | "registers">;
  readonly space: OutputSpace;
  readonly target: BufferId;
  /** Tables that are summed up right before the result that reads them. */
  readonly inline: readonly (Definition & { readonly name: string })[];
  readonly definition: Definition;
  /** How a further value joins the one that is there; it replaces it when absent. */
  readonly merge?: Combine;
  readonly rangeOf: RangeOf;
}

/** Writes the kernel of a definition over the cells of a result. */
export function writeKernel(task: KernelTask): Kernel {
  const { type, scope, space, definition, inline, rangeOf } = task;
  const text = new KernelText(type);
  const { instances } = scope;
  const cells = space.counters.reduce((product, { length }) => product * length, 1);
  const folds = [...inline, definition];
  const work = instances * cells * folds.reduce((sum, each) => sum + costOf(each, rangeOf), 0);
  const main = folds.find(({ over }) => over.length > 0);
  const tile = main && tileOf(main, space, scope, work);
  const { places, threads } = placesOf(space, tile, text);
  const scopes = places.map(({ at }): Scope => {
    return { ...scope, text, registers: registersOf(space, at, text) };
  });
  const values = valuesAt(task, scopes, tile === undefined ? 1 : 4);
  for (const [at, place] of places.entries()) {
    const value = values[at];
    if (value !== undefined) store(task, place, value, text);
  }
  const workgroups = gridOf(threads, instances);
  const rows = Array.from({ length: text.columns.length === 0 ? 0 : instances }, (_, at) =>
    text.columns.map((column) => column[at] ?? 0),
  ).flat();
  return {
    bindings: text.bindings,
    rows,
    workgroups,
    work,
    code: (wordsOf) => assembled(text, threads, workgroups, rows.length, wordsOf),
  };
}

function costOf({ over }: Definition, rangeOf: RangeOf): number {
  return over.reduce((product, loop) => product * Math.max(1, rangeOf(loop).length), 2);
}

function valuesAt(
  { inline, definition, rangeOf }: KernelTask,
  scopes: readonly Scope[],
  unroll: number,
) {
  let inner = scopes;
  for (const { name, ...table } of inline) {
    const sums = emitDefinition(table, inner, rangeOf, unroll);
    inner = inner.map((scope, at) => {
      const sum = sums[at];
      if (sum === undefined) return scope;
      return { ...scope, tables: new Map(scope.tables).set(name, sum) };
    });
  }
  return emitDefinition(definition, inner, rangeOf, unroll);
}

/** One cell of a thread: where every counter stands, and whether that is a cell at all. */
interface Place {
  readonly at: readonly Term[];
  readonly guards: readonly string[];
}

interface Axis {
  /** Threads along the counter. */
  readonly threads: number;
  /** Where the cells of a thread stand. */
  readonly cells: (thread: Term) => readonly { readonly at: Term; readonly guard?: string }[];
}

function placesOf({ counters }: OutputSpace, tile: Tile | undefined, text: KernelText) {
  const axes = counters.map(({ length }, counter): Axis => {
    if (tile?.columns?.counter === counter) return columnsOf(tile, length, text);
    if (tile?.rows?.counter === counter) return rowsOf(tile.rows.count, length, text);
    return { threads: length, cells: (thread) => [{ at: thread }] };
  });
  const threads = axes.reduce((product, axis) => product * axis.threads, 1);
  let rest: Term = { ...literalIndex(0), text: "thread", high: threads - 1 };
  if (threads > 1) {
    const { literal: _, ...variable } = rest;
    rest = variable;
  }
  const cellsAt = axes
    .toReversed()
    .map((axis) => {
      const [outer, own] =
        rest.high < axis.threads ? [literalIndex(0), rest] : text.digits(rest, axis.threads);
      rest = outer;
      return axis.cells(own);
    })
    .reverse();
  const places = cellsAt.reduce<readonly Place[]>(
    (all, cells) =>
      all.flatMap(({ at, guards }) =>
        cells.map((cell) => ({
          at: [...at, cell.at],
          guards: cell.guard === undefined ? guards : [...guards, cell.guard],
        })),
      ),
    [{ at: [], guards: [] }],
  );
  return { places, threads };
}

/** Neighbouring rows, the last ones perhaps beyond the end: they repeat the last that is there. */
function rowsOf(count: number, length: number, text: KernelText): Axis {
  const threads = Math.ceil(length / count);
  return {
    threads,
    cells: (thread) =>
      Array.from({ length: count }, (_, row) =>
        cellAt(text.sum(text.scaled(thread, count), literalIndex(row)), length, text),
      ),
  };
}

/** Columns a workgroup's width apart, so that neighbouring threads read neighbouring words. */
function columnsOf({ columns, lanes }: Tile, length: number, text: KernelText): Axis {
  const count = columns?.count ?? 1;
  const blocks = Math.ceil(length / (lanes * count));
  return {
    threads: blocks * lanes,
    cells: (thread) => {
      const [block, lane] = text.digits(thread, lanes);
      const first = text.sum(text.scaled(block, lanes * count), lane);
      return Array.from({ length: count }, (_, column) =>
        cellAt(text.sum(first, literalIndex(column * lanes)), length, text),
      );
    },
  };
}

function cellAt(at: Term, length: number, text: KernelText) {
  if (at.high < length) return { at };
  const last = literalIndex(length - 1);
  const inside = text.compute("index", `min(${at.text}, ${last.text})`, [at], [0, length - 1]);
  return { at: inside, guard: `${at.text} < ${length}i` };
}

function store(
  { space, target, merge }: KernelTask,
  { at, guards }: Place,
  value: Term,
  text: KernelText,
): void {
  const moves = space.counters.map(({ step }, counter) =>
    text.scaled(at[counter] ?? literalIndex(0), step),
  );
  const word = moves.reduce((sum, move) => text.sum(sum, move), text.column(space.bases));
  const cell = `${text.buffer(target, "read_write")}[${word.text}]`;
  const number = asNumber(value, text).text;
  const joined = merge === undefined ? number : joinText(merge, cell, number);
  const line = `${cell} = ${joined};`;
  text.statement(
    guards.length === 0
      ? line
      : `if (${guards.map((guard) => `(${guard})`).join(" & ")}) { ${line} }`,
  );
}

/** Two numbers joined as a reduction joins them. */
export function joinText(combine: Combine, a: string, b: string): string {
  if (combine === "sum") return `${a} + ${b}`;
  if (combine === "prod") return `${a} * ${b}`;
  return `${combine}(${a}, ${b})`;
}

/** The whole module: bindings, the helpers that are called, and one thread per tile of cells. */
export function assembled(
  text: KernelText,
  threads: number,
  [across, down]: readonly [number, number, number],
  rowWords: number,
  wordsOf: (buffer: BufferId) => number,
): string {
  const buffers = text.bindings.map(({ buffer, access }, at) => {
    const space = access === "read" ? "read" : "read_write";
    return `@group(0) @binding(${at}) var<storage, ${space}> b${at}: array<${text.type}, ${wordsOf(buffer)}>;`;
  });
  const rows =
    rowWords === 0
      ? []
      : [
          `@group(0) @binding(${text.bindings.length}) var<storage, read> rows: array<i32, ${rowWords}>;`,
          `const COLUMNS = ${text.columns.length}i;`,
        ];
  return [
    ...buffers,
    ...rows,
    helperCode(text.helpers),
    `@compute @workgroup_size(${groupSize})`,
    "fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u) {",
    "  let instance = i32(group.z);",
    `  let thread = i32((group.y * ${across}u + group.x) * ${groupSize}u + local.x);`,
    // A branch makes what comes behind it slower, so it stands only where threads are too many.
    ...(across * down * groupSize === threads ? [] : [`  if (thread >= ${threads}i) { return; }`]),
    ...text.lines.map((line) => `  ${line}`),
    "}",
    "",
  ].join("\n");
}
