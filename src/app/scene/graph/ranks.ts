import { sum } from "#core/arithmetic";
import { groupedBy } from "#core/records";
import type { Flow, FlowNode } from "./flow.ts";

/** Rank and column of every card; both count from 0. Cards of one rank are side by side. */
export interface Ranking {
  /** Rows of the flow by rank, from left to right. */
  readonly ranks: readonly (readonly number[])[];
  readonly rankOf: (row: number) => number;
  readonly columnOf: (row: number) => number;
  readonly columnCount: number;
  /** The column of the first input. */
  readonly main: number;
  /**
   * Whether lines may run from one rank to another past the ranks between: no block boundary lies
   * between them.
   */
  readonly areTogether: (rank: number, other: number) => boolean;
}

/** Most cards in one rank; further cards of the same depth get ranks of their own. */
const mostAbreast = 4;

/** Most columns left of the main one. */
const mostLeft = 1;

/** A ranking with one card per rank, in program order. */
export function inOneColumn({ rows }: Flow): Ranking {
  return {
    ranks: rows.map((_, row) => [row]),
    rankOf: (row) => row,
    columnOf: () => 0,
    columnCount: 1,
    main: 0,
    areTogether: () => false,
  };
}

/**
 * Ranks by the longest path to a card within its section of the program, so that parallel branches
 * are side by side. Folded and open blocks are sections of their own.
 */
export function ranksOf(flow: Flow): Ranking {
  const makers = makersOf(flow);
  const stretches = stretchesOf(flow);
  const depths = depthsOf(flow, makers, stretches);
  const byDepth = groupedBy(flow.rows.keys(), (row) => `${stretches[row]} ${depths[row]}`);
  const groups = [...byDepth.values()].sort(
    ([a = 0], [b = 0]) =>
      (stretches[a] ?? 0) - (stretches[b] ?? 0) || (depths[a] ?? 0) - (depths[b] ?? 0),
  );
  const chunks = groups.flatMap(chunked);
  if (chunks.length === flow.rows.length) return inOneColumn(flow);
  const columns = new Map<number, number>();
  const ranks = chunks.map((rows) => placed(rows, makers, columns));
  const rankOf = new Map(ranks.flatMap((rows, rank) => rows.map((row) => [row, rank] as const)));
  const least = Math.min(0, ...new Set(columns.values()));
  const most = Math.max(0, ...new Set(columns.values()));
  const stretchAt = (rank: number) => stretches[ranks[rank]?.[0] ?? -1];
  return {
    ranks,
    rankOf: (row) => rankOf.get(row) ?? row,
    columnOf: (row) => (columns.get(row) ?? 0) - least,
    columnCount: most - least + 1,
    main: -least,
    areTogether: (rank, other) => stretchAt(rank) === stretchAt(other),
  };
}

/** The rows that produce the operands of each row; -1 for the first input. */
function makersOf(flow: Flow): readonly (readonly number[])[] {
  const top = flow.sources.find(({ tensor }) => tensor.role === "input")?.tensor.id;
  const makerOf = (node: FlowNode): number | undefined => {
    let from: FlowNode | undefined = node;
    while (from?.kind === "badge") from = flow.intoBadge.get(from.redistribution)?.from;
    if (from?.kind === "card") return from.row;
    return from !== undefined && from.tensor === top ? -1 : undefined;
  };
  return flow.rows.map((_, row) =>
    (flow.intoCard.get(row) ?? []).flatMap(({ from }) => makerOf(from) ?? []),
  );
}

/** Section number per row; only rows of one section may share a rank. */
function stretchesOf({ rows, folding }: Flow): readonly number[] {
  const starts = new Set(
    folding.openRuns.flatMap(({ firstRow, lastRow }) => [firstRow, lastRow + 1]),
  );
  let stretch = 0;
  return rows.map((row, at) => {
    const isAfterStack = rows[at - 1]?.kind === "stack";
    if (starts.has(at) || row.kind === "stack" || isAfterStack) stretch += 1;
    return stretch;
  });
}

/** Depth of each card: the longest chain of producers above it within its section. */
function depthsOf(
  { rows }: Flow,
  makers: readonly (readonly number[])[],
  stretches: readonly number[],
): readonly number[] {
  const depths: number[] = [];
  rows.forEach((_, row) => {
    const above = (makers[row] ?? []).filter(
      (maker) => maker >= 0 && maker < row && stretches[maker] === stretches[row],
    );
    depths.push(above.reduce((most, maker) => Math.max(most, (depths[maker] ?? 0) + 1), 0));
  });
  return depths;
}

function chunked(rows: readonly number[]): readonly (readonly number[])[] {
  const count = Math.ceil(rows.length / mostAbreast);
  const size = Math.ceil(rows.length / count);
  return Array.from({ length: count }, (_, at) => rows.slice(at * size, (at + 1) * size));
}

/**
 * Assigns the cards of a rank columns relative to the main one, each as near as possible to its
 * producers, and returns the rows from left to right.
 */
function placed(
  rows: readonly number[],
  makers: readonly (readonly number[])[],
  columns: Map<number, number>,
): readonly number[] {
  const wishes = rows.map((row) => {
    const from = (makers[row] ?? []).map((maker) => (maker < 0 ? 0 : (columns.get(maker) ?? 0)));
    return { row, wish: wishOf(from, rows.length === 1) };
  });
  const sorted = wishes.toSorted((a, b) => a.wish - b.wish || a.row - b.row);
  const [first] = sorted;
  const isFork = sorted.every(({ wish }) => wish === first?.wish);
  const left = isFork && rows.length > 2 ? 1 : 0;
  const least = -mostLeft;
  const most = least + mostAbreast - 1;
  let next = least;
  const places = sorted.map(({ wish }) => {
    const place = Math.max(next, Math.min(most, Math.round(wish) - left));
    next = place + 1;
    return place;
  });
  let room = most;
  for (let at = places.length - 1; at >= 0; at -= 1) {
    places[at] = Math.min(places[at] ?? 0, room);
    room = (places[at] ?? 0) - 1;
  }
  sorted.forEach(({ row }, at) => {
    columns.set(row, places[at] ?? 0);
  });
  return sorted.map(({ row }) => row);
}

/**
 * Wished column: that of the producers if they share one; else the main column for a card alone, or
 * their mean.
 */
function wishOf(from: readonly number[], isAlone: boolean): number {
  const distinct = new Set(from);
  if (distinct.size <= 1) return from[0] ?? 0;
  return isAlone ? 0 : sum(from) / from.length;
}
