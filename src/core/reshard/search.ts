import { expand } from "./expand.ts";
import { type Edge, finish } from "./finish.ts";
import type { State } from "./frame.ts";
import { isSliceAway, keyOf, remaining, type Space } from "./space.ts";

/** A plan as its collectives; the slices between them follow from the states. */
export interface Route {
  readonly edges: readonly Edge[];
  readonly elements: number;
}

export interface Routes {
  /** Each has more steps and fewer elements than the one before it. */
  readonly front: readonly Route[];
  /** Whether no plan of at most `maxSteps` collectives lies below the front. */
  readonly isExact: boolean;
}

/** Plans of more collectives than this are not looked for. */
export const maxSteps = 4;

interface Visit {
  readonly state: State;
  readonly elements: number;
  readonly edges: readonly Edge[];
}

/**
 * The front of (steps, elements) over all sequences of at most four collectives, layer by layer.
 *
 * A state is kept only while what was received and the lower bound of what is still needed stay
 * below the best plan with as many steps as it could at best have. The search ends when a plan
 * meets the lower bound of the source, and gives up after `limit` collectives tried.
 */
export function searchRoutes(space: Space, limit: number): Routes {
  if (isSliceAway(space, space.source))
    return { front: [{ edges: [], elements: 0 }], isExact: true };
  const least = remaining(space, space.source);
  const front: Route[] = [];
  const best = () => front.at(-1)?.elements ?? Number.POSITIVE_INFINITY;
  const seen = new Map<string, number>();
  let layer: readonly Visit[] = [{ state: space.source, elements: 0, edges: [] }];
  let tried = 0;
  for (let steps = 1; steps <= maxSteps && layer.length > 0; steps++) {
    const route = bestFinish(space, layer, best());
    if (route !== undefined) front.push(route);
    if (steps === maxSteps || isMet(best(), least)) break;
    const next = new Map<string, Visit>();
    for (const visit of layer) {
      if (tried > limit) break;
      expand(space, visit.state, (edge) => {
        tried++;
        keepIfBetter(space, next, seen, visit, edge, best());
      });
    }
    for (const [key, { elements }] of next) seen.set(key, elements);
    layer = [...next.values()];
  }
  return { front, isExact: tried <= limit || isMet(best(), least) };
}

function isMet(elements: number, least: number): boolean {
  return elements <= least * (1 + 1e-12);
}

function keepIfBetter(
  space: Space,
  next: Map<string, Visit>,
  seen: ReadonlyMap<string, number>,
  visit: Visit,
  edge: Edge,
  best: number,
): void {
  const elements = visit.elements + edge.elements;
  if (elements + remaining(space, edge.after) >= best) return;
  const key = keyOf(space, edge.after);
  const known = Math.min(seen.get(key) ?? best, next.get(key)?.elements ?? best);
  if (elements >= known) return;
  next.set(key, { state: edge.after, elements, edges: [...visit.edges, edge] });
}

function bestFinish(space: Space, layer: readonly Visit[], best: number): Route | undefined {
  let route: Route | undefined;
  for (const visit of layer) {
    const bound = route?.elements ?? best;
    if (visit.elements >= bound) continue;
    if (isSliceAway(space, visit.state)) continue;
    const edge = finish(space, visit.state);
    if (edge === undefined || visit.elements + edge.elements >= bound) continue;
    route = { edges: [...visit.edges, edge], elements: visit.elements + edge.elements };
  }
  return route;
}
