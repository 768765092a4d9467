import { expand } from "./expand.ts";
import { type Edge, finishElements, finishes, ratedEdge } from "./finish.ts";
import { empty, type State } from "./prime-sub-axis.ts";
import { isLess, isNoSlower, quickest, type RouteRate } from "./rates.ts";
import { isSliceAway, remaining, type Space } from "./space.ts";
import type { Budget } from "./walk.ts";

/** A plan as its collectives; the slices between them follow from the states. */
export interface Route {
  readonly edges: readonly Edge[];
  readonly elements: number;
  readonly rate: RouteRate;
}

export interface Routes {
  /**
   * Pareto front: each route has more steps and fewer elements than the one before, or equals it in
   * both. The fastest of them depends on the size of the tensor.
   */
  readonly front: readonly Route[];
  /** Whether no plan of at most `maxSteps` collectives lies below the front. */
  readonly isExact: boolean;
}

/** The most collectives of a plan. */
export const maxSteps = 4;

/** State from which the search continues, with the way to it. */
interface Node {
  readonly state: State;
  readonly elements: number;
  readonly rate: RouteRate;
  readonly last: Edge | undefined;
  readonly parent: Node | undefined;
}

/** The route along some collectives. */
export function routeOf(edges: readonly Edge[]): Route {
  const elements = edges.reduce((sum, edge) => sum + edge.elements, 0);
  return { edges, elements, rate: edges.reduce((sum, { rate }) => together(sum, rate), noTime) };
}

/**
 * Front of (steps, elements) over all sequences of at most `maxSteps` collectives, layer by layer;
 * of sequences equal in both, those that are fastest at some size. A state is kept only while its
 * elements so far plus the lower bound of the rest stay below the best known plan with the least
 * number of steps that the state still allows. `seeds` are plans known before. The search ends when
 * a plan meets the lower bound of the source, and gives up after `limit` branches.
 *
 * @param looksForTies whether to look for plans that equal a seed in both and are faster
 */
export function searchRoutes(
  space: Space,
  limit: number,
  seeds: readonly Route[] = [],
  looksForTies = true,
): Routes {
  if (isSliceAway(space, space.source)) return { front: [routeOf([])], isExact: true };
  const least = remaining(space, space.source);
  const budget = { left: limit };
  const known: SearchMemory = { reached: new Map(), keyOf: keysOf(space), budget };
  const front: Route[] = [];
  let layer: readonly Node[] = [
    { state: space.source, elements: 0, rate: noTime, last: undefined, parent: undefined },
  ];
  let best = Number.POSITIVE_INFINITY;
  for (let steps = 1; steps <= maxSteps && !isMet(best, least); steps++) {
    const seeded = seeds.filter(({ edges }) => edges.length === steps);
    const most = fewest(seeded, best);
    const own = finished(space, layer, looksForTies ? most : most * (1 - 1e-9));
    const routes = fewestOf([...own, ...seeded], best);
    front.push(...routes);
    best = fewest(routes, best);
    if (steps === maxSteps || isMet(best, least)) break;
    const next = fewest(
      seeds.filter(({ edges }) => edges.length === steps + 1),
      best,
    );
    layer = grow(space, layer, { steps, best, next, looksForTies }, known);
  }
  if (front.length === 0) front.push(...seeds.slice(0, 1));
  return { front, isExact: budget.left > 0 || isMet(best, least) };
}

/** The progress of a search. */
interface Progress {
  readonly steps: number;
  /**
   * Least elements of known plans: in `best` with at most the current number of steps, in `next`
   * with at most one more.
   */
  readonly best: number;
  readonly next: number;
  readonly looksForTies: boolean;
}

/**
 * All states that one more collective reaches and that may still lead to a better plan than the
 * known ones. A state that can only equal them is kept if one collective leads from it to the
 * target, since that plan may be faster.
 */
function grow(
  space: Space,
  layer: readonly Node[],
  { steps, best, next, looksForTies }: Progress,
  { reached, keyOf, budget }: SearchMemory,
): readonly Node[] {
  const fresh = new Set<Reached>();
  for (const node of layer) {
    const allowance = next * (looksForTies ? 1 + 1e-9 : 1) - node.elements;
    expand(space, node.state, allowance, budget, (collective, before, after, received) => {
      const elements = node.elements + received;
      const total = elements + remaining(space, after);
      if (isLess(next, total) || !isLess(total, best)) return;
      const isTie = !isLess(total, next);
      if (isTie && !(looksForTies && !isLess(next, elements + finishElements(space, after))))
        return;
      const key = keyOf(after);
      const there = reached.get(key);
      if (there !== undefined && !isWorth(there, elements, steps)) return;
      const edge = ratedEdge(space, { collective, before, after, elements: received });
      const rate = together(node.rate, edge.rate);
      const isNew = there === undefined || there.steps < steps || isLess(elements, there.elements);
      const ways = isNew ? [] : there.nodes;
      if (ways.some((way) => isNoSlower(way.rate, rate))) return;
      const state = { slots: [...after.slots], partials: after.partials };
      const last = { ...edge, after: state };
      const nodes = [
        ...ways.filter((way) => !isNoSlower(rate, way.rate)),
        { state, elements, rate, last, parent: node },
      ];
      if (there !== undefined) fresh.delete(there);
      const now = { elements, steps, nodes };
      reached.set(key, now);
      fresh.add(now);
    });
  }
  return [...fresh].flatMap(({ nodes }) => nodes);
}

/** A reached state: the fewest elements, the number of steps, and the ways there. */
interface Reached {
  readonly elements: number;
  readonly steps: number;
  readonly nodes: readonly Node[];
}

/**
 * Whether a way to a state may beat the known ones: it has fewer elements, or equal elements and
 * steps.
 */
function isWorth(there: Reached, elements: number, steps: number): boolean {
  if (isLess(there.elements, elements)) return false;
  return there.steps === steps || isLess(elements, there.elements);
}

/** The states reached so far, and the branches left. */
interface SearchMemory {
  readonly reached: Map<StateKey, Reached>;
  readonly keyOf: (state: State) => StateKey;
  readonly budget: Budget;
}

const noTime: RouteRate = { fixed: 0, perByte: 0 };

function together(a: RouteRate, b: RouteRate): RouteRate {
  return { fixed: a.fixed + b.fixed, perByte: a.perByte + b.perByte };
}

function isMet(elements: number, least: number): boolean {
  return elements <= least * (1 + 1e-12);
}

function fewest(routes: readonly Route[], otherwise: number): number {
  return routes.reduce((least, { elements }) => Math.min(least, elements), otherwise);
}

/** The plans with the fewest elements, if fewer than `best`, that are fastest at some size. */
function fewestOf(routes: readonly Route[], best: number): readonly Route[] {
  const least = fewest(routes, best);
  if (!isLess(least, best)) return [];
  return quickest(routes.filter(({ elements }) => !isLess(least, elements)));
}

/** Plans of one more collective whose elements are within a bound. */
function finished(space: Space, layer: readonly Node[], most: number): readonly Route[] {
  const routes: Route[] = [];
  let bound = most;
  for (const node of layer) {
    if (isLess(bound, node.elements)) continue;
    for (const edge of finishes(space, node.state)) {
      const elements = node.elements + edge.elements;
      if (isLess(bound, elements)) continue;
      bound = Math.min(bound, elements);
      const rate = together(node.rate, edge.rate);
      routes.push({ edges: [...edgesTo(node), edge], elements, rate });
    }
  }
  return routes.filter(({ elements }) => !isLess(bound, elements));
}

function edgesTo(node: Node): readonly Edge[] {
  if (node.last === undefined || node.parent === undefined) return [];
  return [...edgesTo(node.parent), node.last];
}

/** A number or text, equal for states with the same further cost. */
export type StateKey = number | string;

/**
 * Keys that are equal for states with equal futures: they differ at most in the slots outside the
 * target that hold sub-axes, and in the choice among sub-axes on equal links without a target slot.
 */
function keysOf(space: Space): (state: State) => StateKey {
  const alike = alikeSubAxes(space, (subAxis) => kindIn(space, subAxis));
  const alikePartials = alikeSubAxes(
    space,
    (subAxis) => `${kindIn(space, subAxis)} ${space.reduces[subAxis]}`,
  );
  const count = space.radices.length;
  const isWanted = space.target.slots.map((subAxis) => subAxis !== empty);
  const base = count + 1;
  const isSmall = base ** isWanted.filter(Boolean).length * 4 ** count < Number.MAX_SAFE_INTEGER;
  return ({ slots, partials }) => {
    let [placed, parked] = [0, 0];
    for (let slot = 0; slot < slots.length; slot++) {
      const subAxis = slots[slot] ?? empty;
      if (isWanted[slot])
        placed = placed * base + (subAxis === empty ? 0 : 1 + (alike[subAxis]?.[0] ?? 0));
      else if (subAxis !== empty) parked = withSubAxis(parked, subAxis, alike);
    }
    let combined = 0;
    for (let subAxis = 0; partials >> subAxis > 0; subAxis++) {
      if ((partials >> subAxis) & 1) combined = withSubAxis(combined, subAxis, alikePartials);
    }
    const rest = parked * 2 ** count + combined;
    return isSmall ? placed * 4 ** count + rest : `${placed} ${rest}`;
  };
}

function kindIn({ radices, rates }: Space, subAxis: number): string {
  return `${radices[subAxis]} ${rates.kinds[subAxis]}`;
}

/** A set with one more sub-axis of a kind: the first of its kind that the set does not contain. */
function withSubAxis(set: number, subAxis: number, alike: readonly (readonly number[])[]): number {
  const all = alike[subAxis] ?? [];
  for (const other of all) if (((set >> other) & 1) === 0) return set | (1 << other);
  return set;
}

/** For each sub-axis, the sub-axes of its kind, itself included, in order. */
function alikeSubAxes(
  space: Space,
  kindOf: (subAxis: number) => string,
): readonly (readonly number[])[] {
  return space.radices.map((_, subAxis) => {
    if (space.home[subAxis] !== empty) return [subAxis];
    return space.radices.flatMap((_, other) =>
      space.home[other] === empty && kindOf(other) === kindOf(subAxis) ? [other] : [],
    );
  });
}
