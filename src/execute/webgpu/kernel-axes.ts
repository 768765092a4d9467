import { type KernelText, literalIndex, type Term } from "./kernel-text.ts";
import type { OutputSpace } from "./output-space.ts";
import { quadSize } from "./scope.ts";
import type { Tile } from "./tile.ts";

/** Cell of a thread: the position of every counter, and the conditions for the cell to exist. */
export interface ThreadCell {
  readonly at: readonly Term[];
  readonly guards: readonly string[];
}

/** The cells of a tile: each by its number, or all by the counter of a loop. */
export interface TileCells {
  readonly rows: readonly Term[];
  readonly columns: readonly Term[];
}

function eachOf(tile: Tile | Turns | undefined): TileCells {
  const count = (of: number | undefined) =>
    Array.from({ length: of ?? 1 }, (_, at) => literalIndex(at));
  if (tile === undefined || "step" in tile) return { rows: [], columns: [] };
  return { rows: count(tile.rows?.count), columns: count(tile.columns?.count) };
}

export interface Axis {
  /** Threads along the counter. */
  readonly threads: number;
  /** The places of a thread's cells along the counter. */
  readonly cells: (thread: Term) => readonly { readonly at: Term; readonly guard?: string }[];
}

export function axesOf(
  { counters }: OutputSpace,
  tile: Tile | Turns | undefined,
  text: KernelText,
  { rows, columns }: TileCells = eachOf(tile),
): readonly Axis[] {
  return counters.map(({ length }, counter): Axis => {
    if (tile !== undefined && "step" in tile) {
      if (tile.counter === counter) return turnsAxis(tile, length, text);
      return { threads: length, cells: (thread) => [{ at: thread }] };
    }
    if (tile?.columns?.counter === counter) return columnsOf(tile, columns, length, text);
    if (tile?.rows?.counter === counter) return rowsOf(tile.rows.count, rows, length, text);
    return { threads: length, cells: (thread) => [{ at: thread }] };
  });
}

/** The cells of a thread: their position along every axis, computed from the thread's number. */
export function placesOf(
  axes: readonly Axis[],
  thread: Term,
  text: KernelText,
): readonly ThreadCell[] {
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

/**
 * The quotient of an index by a number of values; it is the same for a quad if four divides that
 * number.
 */
function quadTerm(outer: Term, values: number): Term {
  return values % quadSize === 0 ? { ...outer, varies: false } : outer;
}

/** Cells at equal distances along one counter, which a thread computes in turn. */
export interface Turns {
  readonly counter: number;
  readonly count: number;
  readonly step: number;
}

/**
 * The number of neighbouring threads along the last counter, so that they read neighbouring words.
 */
const turnWidth = 16;

/**
 * Turns along the longest counter: terms that do not depend on it are computed once for all of
 * them.
 */
export function turnsOf({ counters }: OutputSpace, spare: number): Turns | undefined {
  const lengths = counters.map(({ length }) => length);
  const longest = Math.max(1, ...lengths);
  const counter = lengths.lastIndexOf(longest);
  const isLast = counter === lengths.length - 1;
  const most = isLast ? Math.floor(longest / turnWidth) : longest;
  const count = Math.min(spare, most);
  if (count < 2) return undefined;
  return { counter, count, step: isLast ? turnWidth : Math.ceil(longest / count) };
}

export function turnLoop(count: number): string {
  return `for (var turn = 0i; turn < ${count}i; turn++)`;
}

/** Axis with one cell per turn; the thread stops at the first cell beyond the end. */
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

/** Neighbouring rows; rows beyond the end repeat the last one. */
function rowsOf(count: number, rows: readonly Term[], length: number, text: KernelText): Axis {
  const threads = Math.ceil(length / count);
  return {
    threads,
    cells: (thread) =>
      rows.map((row) => cellAt(text.sum(text.scaled(thread, count), row), length, text)),
  };
}

/** Columns a workgroup's width apart, so that neighbouring threads read neighbouring words. */
function columnsOf(
  { columns, lanes }: Tile,
  each: readonly Term[],
  length: number,
  text: KernelText,
): Axis {
  const count = columns?.count ?? 1;
  const blocks = Math.ceil(length / (lanes * count));
  return {
    threads: blocks * lanes,
    cells: (thread) => {
      const [outer, lane] = text.digits(thread, lanes);
      const block = quadTerm(outer, lanes);
      const first = text.sum(text.scaled(block, lanes * count), lane);
      return each.map((column) =>
        cellAt(text.sum(first, text.scaled(column, lanes)), length, text),
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
