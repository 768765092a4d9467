import type { TensorId } from "#core/ir";
import {
  type Flow,
  type FlowEdge,
  type FlowNode,
  type FlowRedistribution,
  flowKey,
} from "./flow.ts";

/** What stands on the line from one card to the next, from above. */
export type CenterItem =
  | { readonly kind: "badge"; readonly redistribution: number }
  | { readonly kind: "output"; readonly redistribution: number };

/** A line that comes in from the lanes at the left, with the badge that it passes, if any. */
export interface Arrival {
  readonly edge: FlowEdge;
  readonly badge: number | undefined;
  /** Whether it goes on into the card below. */
  readonly entersCard: boolean;
}

/** The space above a card; the last one lies below all cards. */
export interface Gap {
  readonly center: readonly CenterItem[];
  readonly arrivals: readonly Arrival[];
}

/** Who stands where, before anything has a coordinate. */
export interface Arrangement {
  /** The first input, a card of its own above all others. */
  readonly top: TensorId | undefined;
  /** One gap above each card and one below the last. */
  readonly gaps: readonly Gap[];
  /** Redistributions below the glyph of the input or parameter that they start from. */
  readonly under: ReadonlyMap<TensorId, readonly number[]>;
  /** Lines that run straight down the middle, from one thing to the next. */
  readonly straight: readonly FlowEdge[];
  /** Lines from a glyph at the left straight into the card beside it. */
  readonly side: readonly FlowEdge[];
}

/**
 * Gives every redistribution its place: on the line between two neighbouring cards, below its
 * parameter, or on the line with which a value arrives from farther away.
 */
export function arrangementOf(flow: Flow): Arrangement {
  const top = flow.sources.find(({ tensor }) => tensor.role === "input")?.tensor.id;
  const placed = new Set<number>();
  const moves = movesOf(flow);
  const under = underSources(flow, top, placed);
  const centers = Array.from({ length: flow.rows.length + 1 }, (_, row) =>
    centerOf(flow, moves, row, startOf(row, top), placed),
  );
  const straight = centers.flatMap((center) => center.straight);
  const side = sideEdges(flow, top, under);
  const drawn = new Set([...straight, ...side]);
  const gaps = centers.map(({ items }, row) => ({
    center: items,
    arrivals: arrivalsOf(flow, moves, row, placed, drawn),
  }));
  return { top, gaps, under, straight, side };
}

/** The redistributions by what they start from, by their index, and by the row that they serve. */
interface Moves {
  readonly endsFrom: ReadonlyMap<string, readonly FlowRedistribution[]>;
  readonly byIndex: ReadonlyMap<number, FlowRedistribution>;
  readonly byHome: ReadonlyMap<number, readonly FlowRedistribution[]>;
}

function movesOf({ redistributions, intoBadge }: Flow): Moves {
  const endsFrom = new Map<string, FlowRedistribution[]>();
  const byHome = new Map<number, FlowRedistribution[]>();
  for (const each of redistributions) {
    const edge = intoBadge.get(each.redistribution.index);
    const isEnd = each.isInside || each.consumer === undefined;
    if (edge !== undefined && isEnd) push(endsFrom, flowKey(edge.from), each);
    push(byHome, each.consumer ?? (each.producer ?? -1) + 1, each);
  }
  const byIndex = new Map(redistributions.map((each) => [each.redistribution.index, each]));
  return { endsFrom, byIndex, byHome };
}

function push<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

function startOf(row: number, top: TensorId | undefined): FlowNode | undefined {
  if (row > 0) return { kind: "card", row: row - 1 };
  return top === undefined ? undefined : { kind: "source", tensor: top };
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

/** Follows the line down from `start` to the card of a row, through what has no place yet. */
function centerOf(
  flow: Flow,
  moves: Moves,
  row: number,
  start: FlowNode | undefined,
  placed: Set<number>,
): { readonly items: readonly CenterItem[]; readonly straight: readonly FlowEdge[] } {
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
  const path = pathTo(flow, moves, row, current, placed);
  for (const edge of path) {
    if (edge.to.kind === "badge") pass(edge, edge.to.redistribution);
    else straight.push(edge);
  }
  return { items, straight };
}

/** A redistribution from here that belongs to the maker: its own reduction, or the very end. */
function nextEnd(
  { intoBadge }: Flow,
  { endsFrom }: Moves,
  current: FlowNode | undefined,
  placed: ReadonlySet<number>,
): { readonly edge: FlowEdge; readonly end: FlowRedistribution } | undefined {
  const here = current === undefined ? [] : (endsFrom.get(flowKey(current)) ?? []);
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
  current: FlowNode | undefined,
  placed: ReadonlySet<number>,
): readonly FlowEdge[] {
  if (current === undefined) return [];
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

/** What comes into the gap above a card from farther away; badges first, since they are wide. */
function arrivalsOf(
  flow: Flow,
  { byHome }: Moves,
  row: number,
  placed: ReadonlySet<number>,
  drawn: ReadonlySet<FlowEdge>,
): readonly Arrival[] {
  const badges = (byHome.get(row) ?? []).flatMap(({ redistribution: { index } }) => {
    if (placed.has(index)) return [];
    const edge = flow.intoBadge.get(index);
    if (edge === undefined) return [];
    return [{ edge, badge: index, entersCard: entersCard(flow, index, row) }];
  });
  const here = new Set(badges.map(({ badge }) => badge));
  const lines = (flow.intoCard.get(row) ?? []).flatMap((edge): readonly Arrival[] => {
    const { from } = edge;
    if (drawn.has(edge)) return [];
    if (from.kind === "badge" && here.has(from.redistribution)) return [];
    return [{ edge, badge: undefined, entersCard: true }];
  });
  return [...badges, ...lines];
}

function entersCard(flow: Flow, redistribution: number, row: number): boolean {
  const entering = flow.intoCard.get(row) ?? [];
  return entering.some(
    ({ from }) => from.kind === "badge" && from.redistribution === redistribution,
  );
}
