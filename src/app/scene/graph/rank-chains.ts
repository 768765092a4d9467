import { append } from "#core/records";
import {
  type Flow,
  type FlowEdge,
  type FlowNode,
  type FlowRedistribution,
  flowKey,
} from "./flow.ts";
import type { CenterItem } from "./rank-gap.ts";
import type { Ranking } from "./ranks.ts";

/** Redistributions by flow key of their start, by index, and by the rank whose gap holds them. */
export interface Moves {
  readonly endsFrom: ReadonlyMap<string, readonly FlowRedistribution[]>;
  readonly byIndex: ReadonlyMap<number, FlowRedistribution>;
  readonly byHome: ReadonlyMap<number, readonly FlowRedistribution[]>;
}

export function movesOf({ redistributions, intoBadge }: Flow, { rankOf }: Ranking): Moves {
  const endsFrom = new Map<string, FlowRedistribution[]>();
  const byHome = new Map<number, FlowRedistribution[]>();
  for (const each of redistributions) {
    const edge = intoBadge.get(each.redistribution.index);
    const isEnd = each.isInside || each.consumer === undefined;
    if (edge !== undefined && isEnd) append(endsFrom, flowKey(edge.from), each);
    const { consumer, producer } = each;
    const after = producer === undefined ? 0 : rankOf(producer) + 1;
    append(byHome, consumer === undefined ? after : rankOf(consumer), each);
  }
  const byIndex = new Map(redistributions.map((each) => [each.redistribution.index, each]));
  return { endsFrom, byIndex, byHome };
}

interface Following {
  readonly start: FlowNode;
  /** The next card below in the same column, if a line may run straight down to it. */
  readonly goal: number | undefined;
  /** The cards of the rank below. */
  readonly beside: readonly number[];
  readonly placed: Set<number>;
}

/**
 * Follows the line down from `start` towards card `goal`, passing redistributions that are not
 * placed yet.
 */
export function chainOf(flow: Flow, moves: Moves, { start, goal, beside, placed }: Following) {
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

/** The edges through redistributions into a card of the rank below in another column. */
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

/**
 * The next unplaced redistribution from here that belongs to the producer: its own reduction, or a
 * final one.
 */
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

/** The edges from here into the card of a row, by the first operand that is reachable this way. */
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
