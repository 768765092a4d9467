import { withoutPartials } from "./use.ts";
import type { PlannedValue } from "./values.ts";
import type { Weight } from "./weight.ts";

/**
 * Final layout of a result: the cheapest allowed one (ties: fewest bytes). A result without partial
 * sums keeps its layout, unless the request says otherwise.
 */
export function endOf(value: PlannedValue, source: number): number {
  const sure = sureEnd(value, source);
  if (sure !== undefined) return sure;
  const known = cheapestEnds.get(value.ends) ?? new Map<number, number>();
  cheapestEnds.set(value.ends, known);
  const end = known.get(source) ?? cheapestEnd(value, source);
  known.set(source, end);
  return end;
}

/**
 * Cache of the cheapest final layout by source layout, for each list of allowed layouts; values of
 * one shape have the same list.
 */
const cheapestEnds = new WeakMap<readonly number[], Map<number, number>>();

/** The final layout of a result if no prices need to be compared; `undefined` otherwise. */
function sureEnd({ routes, ends, endsInSum }: PlannedValue, source: number): number | undefined {
  if (ends.length === 1) return ends[0];
  if (routes.state(source).partials.length === 0) return source;
  return endsInSum === true ? withoutPartials({ routes }, source) : undefined;
}

/** Tries layouts by increasing bound, so that most need no search. */
function cheapestEnd({ routes, ends }: PlannedValue, source: number): number {
  let least = Number.POSITIVE_INFINITY;
  const bounds = new Map(ends.map((id) => [id, routes.bound(source, id)]));
  for (const [id, bound] of [...bounds].sort((a, b) => a[1] - b[1])) {
    if (bound > least) break;
    least = Math.min(least, routes.seconds(source, id));
  }
  const isLeast = (id: number) =>
    isAsCheap(bounds.get(id) ?? 0, least) && isAsCheap(routes.seconds(source, id), least);
  return leanestOf(routes, ends.filter(isLeast));
}

function leanestOf(routes: PlannedValue["routes"], ids: readonly number[]): number {
  let best = -1;
  for (const id of ids) {
    if (best < 0 || routes.localBytes(id) < routes.localBytes(best)) best = id;
  }
  return best;
}

function isAsCheap(seconds: number, least: number): boolean {
  return seconds <= least * (1 + 1e-12);
}

/**
 * The cost of reaching the final layout, with bounds for redistributions that are not searched yet.
 */
export function endBound(value: PlannedValue, source: number): Weight {
  const { routes, ends, isResult, placed } = value;
  const end = isResult ? sureEnd(value, source) : source;
  if (end === source || (end !== undefined && end === placed)) return { seconds: 0, bytes: 0 };
  if (end !== undefined) {
    return { seconds: routes.bound(source, end), bytes: routes.localBytes(end) };
  }
  let seconds = Number.POSITIVE_INFINITY;
  for (const id of ends) seconds = Math.min(seconds, routes.bound(source, id));
  const least = ends.filter((id) => isAsCheap(routes.bound(source, id), seconds));
  const isKnown = least.every((id) => routes.isKnown(source, id));
  const bytes = routes.localBytes(leanestOf(routes, isKnown ? least : ends));
  return { seconds, bytes };
}
