import type { Combine, Definition } from "#core/ir";
import { emitDefinition, type RangeOf } from "./definition.ts";
import type { BufferId } from "./gpu-program.ts";
import { KernelText, literalIndex, type NumberType, type Term } from "./kernel-text.ts";
import { type AdapterTraits, type Kernel, kernelOf, launchOf, overCells } from "./launch.ts";
import { asNumber } from "./numbers.ts";
import { type OutputSpace, registersOf } from "./output-space.ts";
import { quadSize, type Scope } from "./scope.ts";
import { type Tile, tileOf } from "./tile.ts";

/** What a kernel makes. */
export interface KernelTask {
  readonly type: NumberType;
  readonly traits: AdapterTraits;
  readonly scope: Omit<Scope, "text" | "registers" | "hasQuads">;
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
  const { type, scope, space, definition, inline, rangeOf, traits } = task;
  const text = new KernelText(type);
  const { instances } = scope;
  const cells = space.counters.reduce((product, { length }) => product * length, 1);
  const folds = [...inline, definition];
  const cost = cells * folds.reduce((sum, each) => sum + costOf(each, rangeOf), 0);
  const main = folds.find(({ over }) => over.length > 0);
  const tile = main && tileOf(main, space, scope, { work: instances * cost, traits });
  const spare = launchOf(cells, instances, traits).perThread;
  const turns = tile === undefined ? turnsOf(space, spare) : undefined;
  const axes = axesOf(space, tile ?? turns, text);
  const threads = axes.reduce((product, axis) => product * axis.threads, 1);
  const launch = { cells: threads, instances, perThread: 1 };
  const hasQuads = traits.hasQuads && tile !== undefined && threads % quadSize === 0;
  overCells(text, launch, (thread) => {
    if (turns !== undefined) text.open(turnLoop(turns.count));
    const places = placesOf(axes, thread, text);
    const scopes = places.map(({ at }): Scope => {
      return { ...scope, hasQuads, text, registers: registersOf(space, at, text) };
    });
    const values = valuesAt(task, scopes, tile === undefined ? 1 : 4);
    for (const [at, place] of places.entries()) {
      const value = values[at];
      if (value !== undefined) store(task, place, value, text);
    }
    if (turns !== undefined) text.close();
  });
  return kernelOf(text, launch, cost, traits);
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
interface ThreadCell {
  readonly at: readonly Term[];
  readonly guards: readonly string[];
}

interface Axis {
  /** Threads along the counter. */
  readonly threads: number;
  /** Where the cells of a thread stand. */
  readonly cells: (thread: Term) => readonly { readonly at: Term; readonly guard?: string }[];
}

function axesOf(
  { counters }: OutputSpace,
  tile: Tile | Turns | undefined,
  text: KernelText,
): readonly Axis[] {
  return counters.map(({ length }, counter): Axis => {
    if (tile !== undefined && "step" in tile) {
      if (tile.counter === counter) return turnsAxis(tile, length, text);
      return { threads: length, cells: (thread) => [{ at: thread }] };
    }
    if (tile?.columns?.counter === counter) return columnsOf(tile, length, text);
    if (tile?.rows?.counter === counter) return rowsOf(tile.rows.count, length, text);
    return { threads: length, cells: (thread) => [{ at: thread }] };
  });
}

/** The cells of a thread, whose number tells where it stands along every axis. */
function placesOf(axes: readonly Axis[], thread: Term, text: KernelText): readonly ThreadCell[] {
  let rest = thread.high === 0 ? literalIndex(0) : thread;
  const cellsAt = axes
    .toReversed()
    .map((axis) => {
      const [outer, own] =
        rest.high < axis.threads ? [literalIndex(0), rest] : text.digits(rest, axis.threads);
      rest = quadTerm(outer, axis.threads);
      return axis.cells(own);
    })
    .reverse();
  return cellsAt.reduce<readonly ThreadCell[]>(
    (all, cells) =>
      all.flatMap(({ at, guards }) =>
        cells.map((cell) => ({
          at: [...at, cell.at],
          guards: cell.guard === undefined ? guards : [...guards, cell.guard],
        })),
      ),
    [{ at: [], guards: [] }],
  );
}

/** What is left of an index behind digits of so many values: the same for a quad if all fit in. */
function quadTerm(outer: Term, values: number): Term {
  return values % quadSize === 0 ? { ...outer, varies: false } : outer;
}

/** Cells that a thread makes one after the other along one counter, so many cells apart. */
interface Turns {
  readonly counter: number;
  readonly count: number;
  readonly step: number;
}

/** Neighbouring threads along the last counter, which neighbouring words belong to. */
const turnWidth = 16;

/** Turns along the longest counter: what does not depend on it is computed once for all of them. */
function turnsOf({ counters }: OutputSpace, spare: number): Turns | undefined {
  const lengths = counters.map(({ length }) => length);
  const longest = Math.max(1, ...lengths);
  const counter = lengths.lastIndexOf(longest);
  const isLast = counter === lengths.length - 1;
  const most = isLast ? Math.floor(longest / turnWidth) : longest;
  const count = Math.min(spare, most);
  if (count < 2) return undefined;
  return { counter, count, step: isLast ? turnWidth : Math.ceil(longest / count) };
}

function turnLoop(count: number): string {
  return `for (var turn = 0i; turn < ${count}i; turn++)`;
}

/** One cell per turn, the last ones perhaps beyond the end: there the thread stops. */
function turnsAxis({ count, step }: Turns, length: number, text: KernelText): Axis {
  return {
    threads: Math.ceil(length / (step * count)) * step,
    cells: (thread) => {
      const [block, lane] = text.digits(thread, step);
      const first = text.sum(text.scaled(block, step * count), lane);
      const turn: Term = { text: "turn", kind: "index", depth: 1, low: 0, high: count - 1 };
      const at = text.sum(first, text.scaled(turn, step));
      if (at.high < length) return [{ at }];
      text.statement(`if (${at.text} >= ${length}i) { break; }`);
      return [{ at: { ...at, high: length - 1 } }];
    },
  };
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
      const [outer, lane] = text.digits(thread, lanes);
      const block = quadTerm(outer, lanes);
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
  { at, guards }: ThreadCell,
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
