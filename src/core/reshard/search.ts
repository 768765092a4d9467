import { type Budget, expand } from "./expand.ts";
import { type Edge, finish } from "./finish.ts";
import type { State } from "./frame.ts";
import { isSliceAway, remaining, type Space } from "./space.ts";
import { keysOf, type StateKey } from "./state-key.ts";

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

/** A state that is worth going on from, and how it was reached. */
interface Node {
  readonly state: State;
  readonly elements: number;
  readonly last: Edge | undefined;
  readonly parent: Node | undefined;
}

/**
 * The front of (steps, elements) over all sequences of at most four collectives, layer by layer.
 *
 * A state is kept only while what was received and the lower bound of what is still needed stay
 * below the best plan with as many steps as it could at best have; `seeds` are plans known before.
 * The search ends when a plan meets the lower bound of the source, and gives up after `limit`
 * branches.
 */
export function searchRoutes(space: Space, limit: number, seeds: readonly Route[] = []): Routes {
  if (isSliceAway(space, space.source)) {
    return { front: [{ edges: [], elements: 0 }], isExact: true };
  }
  const least = remaining(space, space.source);
  const budget = { left: limit };
  const known = { elementsOf: new Map(), keyOf: keysOf(space), budget };
  const front: Route[] = [];
  let layer: readonly Node[] = [
    { state: space.source, elements: 0, last: undefined, parent: undefined },
  ];
  let best = Number.POSITIVE_INFINITY;
  for (let steps = 1; steps <= maxSteps && !isMet(best, least); steps++) {
    const seed = bestSeed(seeds, steps);
    const route = bestFinish(space, layer, Math.min(best, seed?.elements ?? best)) ?? seed;
    if (route !== undefined && route.elements < best) {
      front.push(route);
      best = route.elements;
    }
    if (steps === maxSteps || isMet(best, least)) break;
    layer = grow(space, layer, Math.min(best, bestSeed(seeds, steps + 1)?.elements ?? best), known);
  }
  if (front.length === 0) front.push(...seeds.slice(0, 1));
  return { front, isExact: budget.left > 0 || isMet(best, least) };
}

/** All states that one more collective leads to and that may still beat `best`. */
function grow(space: Space, layer: readonly Node[], best: number, known: Known): readonly Node[] {
  const next = new Map<StateKey, Node>();
  const { budget, elementsOf, keyOf } = known;
  for (const node of layer) {
    const allowance = best - node.elements;
    expand(space, node.state, allowance, budget, (collective, before, after, received) => {
      const elements = node.elements + received;
      if (elements + remaining(space, after) >= best) return;
      const key = keyOf(after);
      if (elements >= (elementsOf.get(key) ?? Number.POSITIVE_INFINITY)) return;
      elementsOf.set(key, elements);
      const state = { slots: [...after.slots], partials: after.partials };
      const last = { collective, before, after: state, elements: received };
      next.set(key, { state, elements, last, parent: node });
    });
  }
  return [...next.values()];
}

/** What was found on the way: the fewest elements with which a state was reached. */
interface Known {
  readonly elementsOf: Map<StateKey, number>;
  readonly keyOf: (state: State) => StateKey;
  readonly budget: Budget;
}

function isMet(elements: number, least: number): boolean {
  return elements <= least * (1 + 1e-12);
}

/** The seed with the fewest elements among those of at most so many steps. */
function bestSeed(seeds: readonly Route[], steps: number): Route | undefined {
  return seeds
    .filter((seed) => seed.edges.length <= steps)
    .reduce<Route | undefined>(
      (best, seed) => (best === undefined || seed.elements < best.elements ? seed : best),
      undefined,
    );
}

/** The best plan of one more collective, if it has fewer elements than `best`. */
function bestFinish(space: Space, layer: readonly Node[], best: number): Route | undefined {
  let route: Route | undefined;
  let bound = best;
  for (const node of layer) {
    if (node.elements >= bound) continue;
    const edge = finish(space, node.state);
    if (edge === undefined || node.elements + edge.elements >= bound) continue;
    bound = node.elements + edge.elements;
    route = { edges: [...edgesTo(node), edge], elements: bound };
  }
  return route;
}

function edgesTo(node: Node): readonly Edge[] {
  if (node.last === undefined || node.parent === undefined) return [];
  return [...edgesTo(node.parent), node.last];
}
