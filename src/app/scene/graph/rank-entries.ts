import type { Flow, FlowEdge } from "./flow.ts";
import type { Moves } from "./rank-chains.ts";
import type { Arrival, Chain, EntryBadge } from "./rank-gap.ts";

export interface Entered {
  readonly rank: number;
  /** Rows of the cards below the gap. */
  readonly rows: readonly number[];
  readonly placed: ReadonlySet<number>;
  readonly drawn: ReadonlySet<FlowEdge>;
}

export interface EntryRank extends Omit<Entered, "drawn"> {
  readonly chains: readonly Chain[];
  readonly columnOf: (row: number) => number;
  readonly straight: ReadonlySet<FlowEdge>;
}

/** Redistributions that serve one card alone, at most one on each side of the lines from above. */
export function entryBadgesOf(
  flow: Flow,
  { byHome }: Moves,
  { rank, rows, chains, columnOf, placed, straight }: EntryRank,
): readonly EntryBadge[] {
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
    return here.slice(0, sides.length).map((each, at): EntryBadge => {
      return { ...each, side: isAlone ? "middle" : (sides[at] ?? "right") };
    });
  });
}

/**
 * Lines that arrive in the gap above a rank from farther away; those with badges first, since these
 * are wide.
 */
export function arrivalsOf(
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
