import type { Arrangement } from "./arrangement.ts";
import { flowKey } from "./flow.ts";
import type { RankGap } from "./rank-gap.ts";
import type { Along } from "./shared-rows.ts";

/** The line that leaves the end of a chain, with the flow key of its start. */
interface Tail extends Along {
  readonly key: string;
}

/**
 * The lines that leave the ends of the chains in a gap: to cards below it, and out to the lanes.
 *
 * @param forked flow keys of the nodes from which lines in the lanes start
 */
export function tailsOf(
  { chains, hops, entryBadges }: RankGap,
  { ranking, abreast }: Arrangement,
  forked: ReadonlySet<string>,
): readonly Tail[] {
  const badgeCards = new Map(entryBadges.map(({ into, card }) => [into, card]));
  const { columnOf, rankOf } = ranking;
  return chains.flatMap(({ tail, column, items }) => {
    if (items.at(-1)?.kind === "output") return [];
    const key = flowKey(tail);
    const goals = hops.flatMap((hop) => {
      if (flowKey(hop.from) !== key) return [];
      return hop.to.kind === "card" ? hop.to.row : (badgeCards.get(hop) ?? []);
    });
    const isLeaving = forked.has(key);
    if (goals.length === 0 && !isLeaving) return [];
    const to = goals.map((row) => reachOf(columnOf(row), column, abreast.has(rankOf(row))));
    return [{ key, isLeaving, from: column, to }];
  });
}

/** Fractional column that a line from column `from` reaches in the target column. */
function reachOf(column: number, from: number, isAbreast: boolean): number {
  if (isAbreast) return column + (from <= column ? 0.4 : 0);
  return column + (from < column ? -0.1 : 0.1);
}
