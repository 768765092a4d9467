import type { TensorId } from "#core/ir";
import {
  type Flow,
  type FlowEdge,
  type FlowNode,
  type FlowRedistribution,
  flowKey,
} from "./flow.ts";
import type { Ranking } from "./ranks.ts";

/** What stands on the line from one card to the next, from above. */
export type CenterItem =
  | { readonly kind: "badge"; readonly redistribution: number }
  | { readonly kind: "output"; readonly redistribution: number };

/** A line that comes in from the lanes at the left, with the badge that it passes, if any. */
export interface Arrival {
  readonly edge: FlowEdge;
  readonly badge: number | undefined;
  /** The row of the card below that it goes on into. */
  readonly card: number | undefined;
}

/** What stands below a card, on the line that leaves it downwards. */
export interface Chain {
  readonly column: number;
  readonly from: FlowNode;
  readonly items: readonly CenterItem[];
  /** The last thing on the line: the card itself, or a badge. */
  readonly tail: FlowNode;
}

/** A redistribution that stands right above the card that needs it. */
export interface Drop {
  readonly badge: number;
  readonly card: number;
  /** Into the badge, and from there into the card. */
  readonly into: FlowEdge;
  readonly out: FlowEdge;
  /** On which side of its line it stands: alone over it. */
  readonly side: "left" | "right" | "middle";
}

/** The space above a rank of cards; the last one lies below all cards. */
export interface Gap {
  /** Below the cards of the rank above, from left to right. */
  readonly chains: readonly Chain[];
  /** Lines from the tail of a chain into a card below in another column, or into its drop. */
  readonly hops: readonly FlowEdge[];
  readonly drops: readonly Drop[];
  readonly arrivals: readonly Arrival[];
}

/** Who stands where, before anything has a coordinate. */
export interface Arrangement {
  readonly ranking: Ranking;
  /** The first input, a card of its own above all others. */
  readonly top: TensorId | undefined;
  /** One gap above each rank and one below the last. */
  readonly gaps: readonly Gap[];
  /** Ranks in which glyphs stand above and below their cards: several cards, or a line beside one. */
  readonly abreast: ReadonlySet<number>;
  /** Redistributions below the glyph of the input or parameter that they start from. */
  readonly under: ReadonlyMap<TensorId, readonly number[]>;
  /** Lines that run straight down, from one thing to the next in its column. */
  readonly straight: readonly FlowEdge[];
  /** Lines from a glyph straight into the card beside it. */
  readonly side: readonly FlowEdge[];
}

/**
 * Gives every redistribution its place: on the line between two neighbouring cards, below its
 * parameter, or on the line with which a value arrives from farther away.
 */
export function arrangementOf(flow: Flow, ranking: Ranking): Arrangement {
  const top = flow.sources.find(({ tensor }) => tensor.role === "input")?.tensor.id;
  const placed = new Set<number>();
  const moves = movesOf(flow, ranking);
  const under = underSources(flow, top, placed);
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
  const straight = followed.flat().flatMap((chain) => chain.straight);
  const side = sideEdges(flow, top, under);
  const isStraight = new Set(straight);
  const drawn = new Set([...straight, ...side]);
  const gaps = followed.map((chains, rank): Gap => {
    const open = chains.filter(({ items }) => items.at(-1)?.kind !== "output");
    const tails = new Map(open.map(({ tail, column }) => [flowKey(tail), column]));
    const rows = ranking.ranks[rank] ?? [];
    const drops = abreast.has(rank)
      ? dropsOf(flow, moves, {
          rank,
          rows,
          chains,
          columnOf: ranking.columnOf,
          placed,
          straight: isStraight,
        })
      : [];
    for (const { badge, out } of drops) {
      placed.add(badge);
      drawn.add(out);
    }
    const intoDrops = drops.map(({ into }) => into);
    const hops = [
      ...intoDrops.filter(({ from }) => tails.has(flowKey(from))),
      ...rows.flatMap((row) =>
        (flow.intoCard.get(row) ?? []).filter(
          (edge) =>
            !drawn.has(edge) && isBeside(tails.get(flowKey(edge.from)), ranking.columnOf(row)),
        ),
      ),
    ];
    for (const hop of hops) drawn.add(hop);
    const arriving = drops.flatMap(({ into, card }): readonly Arrival[] =>
      drawn.has(into) ? [] : [{ edge: into, badge: undefined, card }],
    );
    const arrivals = arrivalsOf(flow, moves, { rank, rows, placed, drawn });
    return { chains, hops, drops, arrivals: [...arriving, ...arrivals] };
  });
  return { ranking, top, gaps, abreast, under, straight, side };
}

interface Dropping extends Omit<Entered, "drawn"> {
  readonly chains: readonly Chain[];
  readonly columnOf: (row: number) => number;
  readonly straight: ReadonlySet<FlowEdge>;
}

/** Redistributions for one card alone, at most one at each side of the lines that come from above. */
function dropsOf(
  flow: Flow,
  { byHome }: Moves,
  { rank, rows, chains, columnOf, placed, straight }: Dropping,
): readonly Drop[] {
  const busy = new Set(chains.map(({ column }) => column));
  const homes = byHome.get(rank) ?? [];
  return rows.flatMap((row) => {
    const entering = flow.intoCard.get(row) ?? [];
    const isFree = !busy.has(columnOf(row)) && !entering.some((edge) => straight.has(edge));
    const sides = isFree ? (["left", "right"] as const) : (["right"] as const);
    const here = homes.flatMap(({ redistribution: { index }, consumer }) => {
      const into = flow.intoBadge.get(index);
      const out = entering.find(
        ({ from }) => from.kind === "badge" && from.redistribution === index,
      );
      if (placed.has(index) || consumer !== row || into === undefined || out === undefined) {
        return [];
      }
      return flow.usesOfBadge(index) === 1 ? [{ badge: index, card: row, into, out }] : [];
    });
    const isAlone = isFree && here.length === 1 && entering.length === 1;
    return here.slice(0, sides.length).map((each, at): Drop => {
      return { ...each, side: isAlone ? "middle" : (sides[at] ?? "right") };
    });
  });
}

function isBeside(column: number | undefined, other: number): boolean {
  return column !== undefined && column !== other;
}

/** Whether a line may run straight down into a card from the gap above a rank. */
function isReachable(ranking: Ranking, rank: number, row: number): boolean {
  const goal = ranking.rankOf(row);
  return goal === rank || ranking.areTogether(rank, goal);
}

/** The next card of a column from a rank on. */
function cardsBelow(ranking: Ranking): (rank: number, column: number) => number | undefined {
  const columns = new Map<number, { readonly rank: number; readonly row: number }[]>();
  ranking.ranks.forEach((rows, rank) => {
    for (const row of rows) push(columns, ranking.columnOf(row), { rank, row });
  });
  const seen = new Map<number, number>();
  // Asked from above to below, so that each column is walked through once.
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

/** The redistributions by what they start from, by their index, and by the rank that they serve. */
interface Moves {
  readonly endsFrom: ReadonlyMap<string, readonly FlowRedistribution[]>;
  readonly byIndex: ReadonlyMap<number, FlowRedistribution>;
  readonly byHome: ReadonlyMap<number, readonly FlowRedistribution[]>;
}

function movesOf({ redistributions, intoBadge }: Flow, { rankOf }: Ranking): Moves {
  const endsFrom = new Map<string, FlowRedistribution[]>();
  const byHome = new Map<number, FlowRedistribution[]>();
  for (const each of redistributions) {
    const edge = intoBadge.get(each.redistribution.index);
    const isEnd = each.isInside || each.consumer === undefined;
    if (edge !== undefined && isEnd) push(endsFrom, flowKey(edge.from), each);
    const { consumer, producer } = each;
    const after = producer === undefined ? 0 : rankOf(producer) + 1;
    push(byHome, consumer === undefined ? after : rankOf(consumer), each);
  }
  const byIndex = new Map(redistributions.map((each) => [each.redistribution.index, each]));
  return { endsFrom, byIndex, byHome };
}

function push<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Redistributions that start at a glyph beside its first reader and serve that reader. */
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

interface Following {
  readonly start: FlowNode;
  /** The card below in the same column. */
  readonly goal: number | undefined;
  /** The cards of the rank below. */
  readonly beside: readonly number[];
  readonly placed: Set<number>;
}

/** Follows the line down from `start` to the card of a row, through what has no place yet. */
function chainOf(flow: Flow, moves: Moves, { start, goal, beside, placed }: Following) {
  const items: CenterItem[] = [];
  const straight: FlowEdge[] = [];
  let current = start;
  const pass = (edge: FlowEdge, redistribution: number) => {
    straight.push(edge);
    items.push({ kind: "badge", redistribution });
    placed.add(redistribution);
    current = edge.to;
  };
  for (;;) {
    const next = nextEnd(flow, moves, current, placed);
    if (next === undefined) break;
    pass(next.edge, next.end.redistribution.index);
    if (next.end.redistribution.reasons.some((reason) => reason.kind === "output")) {
      items.push({ kind: "output", redistribution: next.end.redistribution.index });
    }
  }
  const down = goal === undefined ? [] : pathTo(flow, moves, goal, current, placed);
  const path = down.length > 0 ? down : pathBeside(flow, moves, beside, current, placed);
  for (const edge of path) {
    if (edge.to.kind === "badge") pass(edge, edge.to.redistribution);
    else if (down.length > 0) straight.push(edge);
  }
  return { items, straight, tail: current, isStraight: down.length > 0 };
}

/** The way through redistributions into a card of the rank below in another column. */
function pathBeside(
  flow: Flow,
  moves: Moves,
  beside: readonly number[],
  current: FlowNode,
  placed: ReadonlySet<number>,
): readonly FlowEdge[] {
  for (const row of beside) {
    const path = pathTo(flow, moves, row, current, placed);
    if (path.length > 1) return path;
  }
  return [];
}

/** A redistribution from here that belongs to the maker: its own reduction, or the very end. */
function nextEnd(
  { intoBadge }: Flow,
  { endsFrom }: Moves,
  current: FlowNode,
  placed: ReadonlySet<number>,
): { readonly edge: FlowEdge; readonly end: FlowRedistribution } | undefined {
  const here = endsFrom.get(flowKey(current)) ?? [];
  for (const end of here) {
    const { index } = end.redistribution;
    const edge = intoBadge.get(index);
    if (edge !== undefined && !placed.has(index)) return { edge, end };
  }
  return undefined;
}

/** The edges from here into the card of a row, by the first operand that can be reached so. */
function pathTo(
  flow: Flow,
  { byIndex }: Moves,
  row: number,
  current: FlowNode,
  placed: ReadonlySet<number>,
): readonly FlowEdge[] {
  const goal = flowKey(current);
  for (const last of flow.intoCard.get(row) ?? []) {
    const path = [last];
    for (let from = last.from; flowKey(from) !== goal; ) {
      if (from.kind !== "badge" || placed.has(from.redistribution)) break;
      const edge = flow.intoBadge.get(from.redistribution);
      if (edge === undefined || byIndex.get(from.redistribution)?.consumer !== row) break;
      path.push(edge);
      from = edge.from;
    }
    const first = path.at(-1);
    if (first !== undefined && flowKey(first.from) === goal) return path.toReversed();
  }
  return [];
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

interface Entered {
  readonly rank: number;
  /** The cards below the gap. */
  readonly rows: readonly number[];
  readonly placed: ReadonlySet<number>;
  readonly drawn: ReadonlySet<FlowEdge>;
}

/** What comes into the gap above a rank from farther away; badges first, since they are wide. */
function arrivalsOf(
  flow: Flow,
  { byHome }: Moves,
  { rank, rows, placed, drawn }: Entered,
): readonly Arrival[] {
  const badges = (byHome.get(rank) ?? []).flatMap(
    ({ redistribution: { index }, consumer }): readonly Arrival[] => {
      if (placed.has(index)) return [];
      const edge = flow.intoBadge.get(index);
      if (edge === undefined) return [];
      const card =
        consumer !== undefined && entersCard(flow, index, consumer) ? consumer : undefined;
      return [{ edge, badge: index, card }];
    },
  );
  const here = new Set(badges.map(({ badge, card }) => `${badge} ${card}`));
  const lines = rows.flatMap((row) =>
    (flow.intoCard.get(row) ?? []).flatMap((edge): readonly Arrival[] => {
      const { from } = edge;
      if (drawn.has(edge)) return [];
      if (from.kind === "badge" && here.has(`${from.redistribution} ${row}`)) return [];
      return [{ edge, badge: undefined, card: row }];
    }),
  );
  return [...badges, ...lines];
}

function entersCard(flow: Flow, redistribution: number, row: number): boolean {
  const entering = flow.intoCard.get(row) ?? [];
  return entering.some(
    ({ from }) => from.kind === "badge" && from.redistribution === redistribution,
  );
}
