import type { PlannedValue } from "./values.ts";

/** Seconds and bytes of one device. */
export interface Weight {
  readonly seconds: number;
  readonly bytes: number;
}

/** How a value is used: where it lies, what its readers want and make. */
export interface Use {
  readonly source: number;
  /** Layouts in which readers want it; the same one counts once. */
  readonly reads: readonly number[];
  /** Layouts in which readers make its gradient. */
  readonly gradients: readonly number[];
}

/** A redistribution that a use needs. */
export interface UsedRoute {
  readonly from: number;
  readonly to: number;
  readonly phase: "forward" | "backward";
}

/**
 * The redistributions of a value: one per distinct layout that readers want, its end where it is a
 * result, and of the gradient one per distinct layout in which readers make it (planner-plain.md
 * §3, §6, §9).
 */
export function routesOf(value: PlannedValue, use: Use): readonly UsedRoute[] {
  const { source } = use;
  const placed = value.placed === undefined ? [] : [value.placed];
  const end = value.isResult ? [endOf(value, source)] : [];
  const wanted = withoutPartials(value, source);
  const forward = distinct([...use.reads, ...placed, ...end])
    .filter((to) => to !== source)
    .map((to): UsedRoute => ({ from: source, to, phase: "forward" }));
  if (!value.hasGradient) return forward;
  const backward = distinct([...use.gradients, ...placed])
    .filter((from) => from !== wanted)
    .map((from): UsedRoute => ({ from, to: wanted, phase: "backward" }));
  return [...forward, ...backward];
}

/** What a use costs: its redistributions, and the bytes of all copies that they make. */
export function weightOf(value: PlannedValue, use: Use, stateBytes: number): Weight {
  const { routes, source, hasGradient } = value;
  const own = routes.localBytes(use.source);
  const isTrained = source.kind === "rest" && hasGradient;
  let seconds = 0;
  let bytes = own + (isTrained ? own + (own / routes.options.bytesPerElement) * stateBytes : 0);
  for (const { from, to, phase } of routesOf(value, use)) {
    seconds += routes.seconds(from, to);
    if (phase === "forward") bytes += routes.localBytes(to);
  }
  return { seconds, bytes };
}

/**
 * How a result ends: as it is asked, else without partial sums in the cheapest layout, of equal
 * prices the one with the fewest bytes. What has none stays as it is.
 */
function endOf({ routes, end }: PlannedValue, source: number): number {
  if (end !== undefined) return end;
  if (routes.state(source).partials.length === 0) return source;
  let best = { id: -1, seconds: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
  for (const { id, seconds } of routes.reachable(source)) {
    if (routes.state(id).partials.length > 0) continue;
    const bytes = routes.localBytes(id);
    const isEqual = Math.abs(seconds - best.seconds) <= 1e-12 * seconds;
    if (isEqual ? bytes < best.bytes : seconds < best.seconds) best = { id, seconds, bytes };
  }
  return best.id;
}

function withoutPartials({ routes }: PlannedValue, source: number): number {
  const state = routes.state(source);
  return state.partials.length === 0 ? source : routes.id({ ...state, partials: [] });
}

function distinct(ids: readonly number[]): readonly number[] {
  return ids.length < 2 ? ids : [...new Set(ids)];
}
