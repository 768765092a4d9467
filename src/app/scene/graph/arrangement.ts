import type { TensorId } from "#core/ir";
import { append } from "#core/records";
import { type Flow, type FlowEdge, type FlowNode, flowKey } from "./flow.ts";
import { chainOf, type Moves, movesOf } from "./rank-chains.ts";
import { arrivalsOf, entryBadgesOf } from "./rank-entries.ts";
import type { Arrival, Chain, RankGap } from "./rank-gap.ts";
import type { Ranking } from "./ranks.ts";

/**
 * Topological arrangement of the canvas, before coordinates: which gap each redistribution is in
 * and how each line runs.
 */
export interface Arrangement {
  readonly ranking: Ranking;
  /** The first input: a card above all ranks. */
  readonly top: TensorId | undefined;
  /** One gap above each rank and one below the last. */
  readonly gaps: readonly RankGap[];
  /**
   * Ranks whose glyphs are above and below the cards: ranks with several cards, or with a line
   * beside their card.
   */
  readonly abreast: ReadonlySet<number>;
  /** Redistributions below the glyph of the input or parameter they start from. */
  readonly under: ReadonlyMap<TensorId, readonly number[]>;
  /** Lines that run straight down to the next node of their column. */
  readonly straight: readonly FlowEdge[];
  /** Lines from a glyph straight into the card beside the glyph. */
  readonly side: readonly FlowEdge[];
}

/**
 * Assigns every redistribution a place: on the line between two neighbouring cards, below its
 * parameter's glyph, or on the line by which a value arrives from farther away.
 */
export function arrangementOf(flow: Flow, ranking: Ranking): Arrangement {
  const top = flow.sources.find(({ tensor }) => tensor.role === "input")?.tensor.id;
  const placed = new Set<number>();
  const moves = movesOf(flow, ranking);
  const under = underSources(flow, top, placed);
  const { followed, abreast } = followedDown(flow, ranking, { moves, top, placed });
  const straight = followed.flat().flatMap((chain) => chain.straight);
  const side = sideEdges(flow, top, under);
  const drawn = new Set([...straight, ...side]);
  const parts = { flow, ranking, moves, abreast, placed, drawn, straight: new Set(straight) };
  const gaps = followed.map((chains, rank) => gapOf(parts, chains, rank));
  return { ranking, top, gaps, abreast, under, straight, side };
}

interface Start {
  readonly moves: Moves;
  readonly top: TensorId | undefined;
  readonly placed: Set<number>;
}

/**
 * The chains below the cards of each rank, and the ranks that have a line or another card beside a
 * card.
 */
function followedDown(flow: Flow, ranking: Ranking, { moves, top, placed }: Start) {
  const abreast = new Set(ranking.ranks.flatMap((rows, rank) => (rows.length > 1 ? [rank] : [])));
  const below = cardsBelow(ranking);
  const followed = Array.from({ length: ranking.ranks.length + 1 }, (_, rank) =>
    startsOf(ranking, rank, top).map(({ start, column }) => {
      const next = below(rank, column);
      const goal = next !== undefined && isReachable(ranking, rank, next) ? next : undefined;
      const beside = ranking.ranks[rank] ?? [];
      const chain = chainOf(flow, moves, { start, goal, beside, placed });
      if (chain.isStraight && goal !== undefined) {
        for (let past = rank; past < ranking.rankOf(goal); past += 1) abreast.add(past);
      }
      return { ...chain, column, from: start };
    }),
  );
  return { followed, abreast };
}

/** State while the gaps are filled from top to bottom: placed redistributions and drawn edges. */
interface Filling {
  readonly flow: Flow;
  readonly ranking: Ranking;
  readonly moves: Moves;
  readonly abreast: ReadonlySet<number>;
  readonly straight: ReadonlySet<FlowEdge>;
  readonly placed: Set<number>;
  readonly drawn: Set<FlowEdge>;
}

function gapOf(filling: Filling, chains: readonly Chain[], rank: number): RankGap {
  const { flow, ranking, moves, abreast, straight, placed, drawn } = filling;
  const { columnOf } = ranking;
  const rows = ranking.ranks[rank] ?? [];
  const entryBadges = abreast.has(rank)
    ? entryBadgesOf(flow, moves, { rank, rows, chains, columnOf, placed, straight })
    : [];
  for (const { badge, out } of entryBadges) {
    placed.add(badge);
    drawn.add(out);
  }
  const hops = hopsOf(filling, { chains, rows, entryBadges });
  for (const hop of hops) drawn.add(hop);
  const arriving = entryBadges.flatMap(({ into, card }): readonly Arrival[] =>
    drawn.has(into) ? [] : [{ edge: into, badge: undefined, card }],
  );
  const arrivals = arrivalsOf(flow, moves, { rank, rows, placed, drawn });
  return { chains, hops, entryBadges, arrivals: [...arriving, ...arrivals] };
}

type Hopping = Pick<RankGap, "chains" | "entryBadges"> & { readonly rows: readonly number[] };

/** Lines from the ends of chains into the badges above cards, and into cards of other columns. */
function hopsOf(
  { flow, ranking, drawn }: Filling,
  { chains, rows, entryBadges }: Hopping,
): readonly FlowEdge[] {
  const open = chains.filter(({ items }) => items.at(-1)?.kind !== "output");
  const tails = new Map(open.map(({ tail, column }) => [flowKey(tail), column]));
  const intoBadges = entryBadges.map(({ into }) => into);
  return [
    ...intoBadges.filter(({ from }) => tails.has(flowKey(from))),
    ...rows.flatMap((row) =>
      (flow.intoCard.get(row) ?? []).filter(
        (edge) =>
          !drawn.has(edge) && isBeside(tails.get(flowKey(edge.from)), ranking.columnOf(row)),
      ),
    ),
  ];
}

function isBeside(column: number | undefined, other: number): boolean {
  return column !== undefined && column !== other;
}

/** Whether a line may run straight down into a card from the gap above a rank. */
function isReachable(ranking: Ranking, rank: number, row: number): boolean {
  const goal = ranking.rankOf(row);
  return goal === rank || ranking.areTogether(rank, goal);
}

/** Finds the first card of a column at or below a rank. */
function cardsBelow(ranking: Ranking): (rank: number, column: number) => number | undefined {
  const columns = new Map<number, { readonly rank: number; readonly row: number }[]>();
  ranking.ranks.forEach((rows, rank) => {
    for (const row of rows) append(columns, ranking.columnOf(row), { rank, row });
  });
  const seen = new Map<number, number>();
  // Ranks are asked in ascending order, so each column is scanned once.
  return (rank, column) => {
    const cards = columns.get(column) ?? [];
    let at = seen.get(column) ?? 0;
    while ((cards[at]?.rank ?? rank) < rank) at += 1;
    seen.set(column, at);
    return cards[at]?.row;
  };
}

function startsOf(
  ranking: Ranking,
  rank: number,
  top: TensorId | undefined,
): readonly { readonly start: FlowNode; readonly column: number }[] {
  if (rank > 0) {
    return (ranking.ranks[rank - 1] ?? []).map((row) => ({
      start: { kind: "card", row },
      column: ranking.columnOf(row),
    }));
  }
  if (top === undefined) return [];
  return [{ start: { kind: "source", tensor: top }, column: ranking.main }];
}

/**
 * Redistributions that start at a glyph beside its first reader and serve that reader, by tensor.
 */
function underSources(
  flow: Flow,
  top: TensorId | undefined,
  placed: Set<number>,
): ReadonlyMap<TensorId, readonly number[]> {
  const rows = new Map<TensorId, number | undefined>([
    ...flow.sources.map(({ tensor, row }) => [tensor.id, row] as const),
    ...flow.alone.map((tensor) => [tensor.id, undefined] as const),
  ]);
  const under = new Map<TensorId, number[]>();
  for (const { redistribution, producer, consumer } of flow.redistributions) {
    const { tensor, index } = redistribution;
    const isBeside = consumer === undefined || consumer === rows.get(tensor);
    if (producer !== undefined || tensor === top || !isBeside) continue;
    under.set(tensor, [...(under.get(tensor) ?? []), index]);
    placed.add(index);
  }
  return under;
}

function sideEdges(
  flow: Flow,
  top: TensorId | undefined,
  under: ReadonlyMap<TensorId, readonly number[]>,
): readonly FlowEdge[] {
  const rows = new Map(flow.sources.map(({ tensor, row }) => [tensor.id, row]));
  return flow.edges.filter(({ from, to, tensor }) => {
    if (tensor === top) return false;
    const hangs = under.get(tensor) ?? [];
    if (to.kind === "badge") return hangs.includes(to.redistribution);
    const isBeside = to.kind === "card" && rows.get(tensor) === to.row;
    const isHere = from.kind === "badge" && hangs.includes(from.redistribution);
    return isBeside && (from.kind === "source" || isHere);
  });
}
