import type { Rect } from "../mark.ts";
import type { Arrangement } from "./arrangement.ts";
import type { CanvasNodes } from "./canvas-nodes.ts";
import { entryStep } from "./column-widths.ts";
import { type FlowEdge, flowKey } from "./flow.ts";
import type { Arrival, EntryBadge, RankGap } from "./rank-gap.ts";

/** The x at which lines that do not come straight down enter the top edges of their cards. */
export interface EntryPorts {
  readonly ofHop: ReadonlyMap<FlowEdge, number>;
  readonly ofArrival: ReadonlyMap<Arrival, number>;
}

const entryInset = 14;
const entryRoom = 110;

/**
 * Assigns every line into a card its own x: lines from the left enter at the left, lines from the
 * right at the right.
 */
export function entryPorts(arrangement: Arrangement, boxes: CanvasNodes): EntryPorts {
  const { gaps, ranking, abreast, straight } = arrangement;
  const isStraight = new Set(straight.map(({ to }) => flowKey(to)));
  const ofHop = new Map<FlowEdge, number>();
  const ofArrival = new Map<Arrival, number>();
  gaps.forEach((gap, rank) => {
    const busy = new Set(gap.chains.map(({ column }) => column));
    for (const row of ranking.ranks[rank] ?? []) {
      const key = `card ${row}`;
      const card = boxes.byFlow.get(key);
      if (card === undefined) continue;
      const column = ranking.columnOf(row);
      const isFree = !busy.has(column) && !isStraight.has(key);
      const entries = entriesOf(gap, row, column);
      const places = abreast.has(rank)
        ? placesAbreast(card, entries, isFree)
        : placesAlone(card, entries, { column, isFree });
      for (const [at, { hop, arrival }] of entries.entries()) {
        const x = places[at] ?? card.x;
        if (hop !== undefined) ofHop.set(hop, x);
        if (arrival !== undefined) ofArrival.set(arrival, x);
      }
    }
  });
  return { ofHop, ofArrival };
}

/** A line into a card, or into a badge right above the card. */
interface Entry {
  readonly hop?: FlowEdge;
  readonly arrival?: Arrival;
  /** The column the line comes from; for a line from the lanes, the card's own column. */
  readonly from: number;
  readonly side: EntryBadge["side"] | undefined;
}

/** All lines into a card: hops ordered by source column, then arrivals from the lanes. */
function entriesOf({ chains, hops, entryBadges, arrivals }: RankGap, row: number, column: number) {
  const columns = new Map(chains.map((chain) => [flowKey(chain.tail), chain.column]));
  const badgeCards = new Map(entryBadges.map((entryBadge) => [entryBadge.into, entryBadge]));
  const rowOf = (edge: FlowEdge) =>
    edge.to.kind === "card" ? edge.to.row : badgeCards.get(edge)?.card;
  const hopping = hops.flatMap((hop): readonly Entry[] => {
    if (rowOf(hop) !== row) return [];
    const from = columns.get(flowKey(hop.from)) ?? column;
    return [{ hop, from, side: badgeCards.get(hop)?.side }];
  });
  const arriving = arrivals.flatMap((arrival): readonly Entry[] =>
    arrival.card === row
      ? [{ arrival, from: column, side: badgeCards.get(arrival.edge)?.side }]
      : [],
  );
  return [...hopping.toSorted((a, b) => a.from - b.from), ...arriving];
}

/**
 * Entry x positions right of the glyphs above the card; a badge at the left comes first, one at the
 * right last.
 */
function placesAbreast(card: Rect, entries: readonly Entry[], isFree: boolean): readonly number[] {
  const first = card.x + card.width / 2 + (isFree ? 0 : entryStep);
  const hops = entries.flatMap((entry, at) => (entry.hop === undefined ? [] : [at]));
  const arrivals = entries.flatMap((entry, at) => (entry.hop === undefined ? [at] : []));
  const weight = (at: number) => {
    const { side } = entries[at] ?? {};
    return side === "right" ? 1 : side === undefined ? 0 : -1;
  };
  const order = [...hops, ...arrivals.toReversed()].sort((a, b) => weight(a) - weight(b));
  return entries.map((_, at) => first + order.indexOf(at) * entryStep);
}

/**
 * Entry x positions: hops on both sides of the line that comes straight down, arrivals from the
 * lanes at the card's left.
 */
function placesAlone(
  card: Rect,
  entries: readonly Entry[],
  { column, isFree }: { readonly column: number; readonly isFree: boolean },
): readonly number[] {
  const middle = card.x + card.width / 2;
  const hops = entries.filter(({ hop }) => hop !== undefined);
  const left = hops.filter(({ from }) => from < column);
  const right = hops.filter(({ from }) => from > column);
  const arrivals = entries.filter(({ arrival }) => arrival !== undefined);
  const room = entryRoom - left.length * entryStep;
  const step = Math.min(entryStep, room / Math.max(arrivals.length, 1));
  return entries.map((entry) => {
    if (entry.arrival !== undefined) {
      return card.x + entryInset + (arrivals.length - 1 - arrivals.indexOf(entry)) * step;
    }
    if (isFree && hops.length === 1) return middle;
    const at = left.indexOf(entry);
    if (at >= 0) return middle - (left.length - at) * entryStep;
    return middle + (right.indexOf(entry) + 1) * entryStep;
  });
}
