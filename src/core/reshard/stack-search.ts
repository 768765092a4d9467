import type { Collective } from "#core/collective";
import { type Layout, partsOf } from "#core/mesh";
import { coarseRadicesOf, radicesOf } from "./atom.ts";
import type { DraftStep } from "./emit.ts";
import { countOfSteps, elementsIn, frontOf } from "./front.ts";
import type { PriceOptions } from "./price-options.ts";
import { isLess } from "./rates.ts";
import { maxSteps } from "./search.ts";
import { movedAtoms, type Stack, type StackSpace, stackKey, stackSpaceOf } from "./stack.ts";
import { boundsTo, type Received, receivedIn, sizeOfStack } from "./stack-cost.ts";
import { stackMoves, stackSlices } from "./stack-moves.ts";
import { stepBetween } from "./stack-steps.ts";

/** A layout that was reached, and how. */
interface Node {
  readonly stack: Stack;
  readonly key: string;
  readonly elements: number;
  readonly seconds: number;
  readonly last: { readonly collective: Collective; readonly received: number } | undefined;
  readonly parent: Node | undefined;
}

/**
 * Plans over ordinary layouts of one mesh, for dims that are uneven or whose radices do not align
 * (redistribution.md §7.7): only ends of dims move, and every step is checked on the blocks. The
 * best plan by number of collectives, each with fewer elements than the one before it; of plans equal
 * in both the quickest.
 */
export function searchStacks(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  bound: number,
  price: PriceOptions = {},
  budget: Budget = fullBudget(),
): readonly (readonly DraftStep[])[] {
  const parts = [...partsOf(from), ...partsOf(to)];
  const coarse = coarseRadicesOf(from.mesh, parts);
  const ways = coarse === undefined ? [] : [coarse, ...radicesOf(from.mesh, parts, 4)];
  let found: readonly (readonly DraftStep[])[] = [];
  for (const radices of ways) {
    if (budget.left <= 0) break;
    const space = stackSpaceOf(from, to, shape, radices, price);
    if (space === undefined) continue;
    const search = searchOf(space, bound, budget, price);
    found = frontOf([...found, ...searchSpace(search, found)], shape, price);
    // One plan with the fewest steps and elements: smaller pieces of the axes add nothing.
    if (found.length === 1 && elementsIn(found[0] ?? []) <= search.least) break;
  }
  return found;
}

/** What a search may still look at. */
export interface Budget {
  /** Blocks compared before the search contents itself with what it has. */
  left: number;
  /** The same for slices, which send nothing: layouts looked at, each for a share of its blocks. */
  slices: number;
  /** Blocks compared for the lower bounds of layouts to go on from. */
  bounds: number;
}

/**
 * What one search may look at in all.
 * @internal
 */
export function fullBudget(): Budget {
  return { left: 100_000, slices: 400_000, bounds: 2_000_000 };
}

/** So many blocks are compared along one dim while a layout is made. */
const blocksPerLayout = 64;

function searchOf(space: StackSpace, bound: number, budget: Budget, price: PriceOptions): Search {
  const remaining = boundsTo(space);
  return {
    space,
    target: stackKey(space.target),
    budget,
    bound,
    bytesPerElement: price.bytesPerElement ?? 4,
    remaining,
    least: remaining(space.source),
    received: receivedIn(space),
    known: new Map(),
  };
}

function searchSpace(
  search: Search,
  seeds: readonly (readonly DraftStep[])[],
): readonly (readonly DraftStep[])[] {
  const { space, budget, target, least } = search;
  const found: (readonly DraftStep[])[] = [];
  let best = Number.POSITIVE_INFINITY;
  let layer = closeUnderSlices(search, [startOf(space)]);
  const seedsWithin = (count: number) =>
    Math.min(...seeds.filter((seed) => countOfSteps(seed) <= count).map(elementsIn));
  for (let count = 0; count <= maxSteps && layer.length > 0; count++) {
    const ends = layer.filter((node) => node.key === target && isLess(node.elements, best));
    const end = ends.reduce<Node | undefined>((a, b) => (a && !isQuicker(b, a) ? a : b), undefined);
    if (end !== undefined) {
      best = end.elements;
      found.push(stepsTo(space, end));
    }
    best = Math.min(best, seedsWithin(count));
    if (count === maxSteps || budget.left <= 0 || best <= least) break;
    const progress = { count: count + 1, best, next: Math.min(best, seedsWithin(count + 1)) };
    layer = closeUnderSlices(search, grow(search, layer, progress));
  }
  return found;
}

function startOf({ source }: StackSpace): Node {
  const nothing = { elements: 0, seconds: 0, last: undefined, parent: undefined };
  return { stack: source, key: stackKey(source), ...nothing };
}

interface Search {
  readonly space: StackSpace;
  /** The key of the layout that is looked for. */
  readonly target: string;
  readonly budget: Budget;
  readonly bound: number;
  readonly bytesPerElement: number;
  readonly remaining: (stack: Stack) => number;
  /** Elements that no plan can go below. */
  readonly least: number;
  readonly received: Received;
  /** How a layout was reached with the fewest elements. */
  readonly known: Map<string, Reached>;
}

interface Reached {
  readonly elements: number;
  readonly seconds: number;
  readonly count: number;
}

/** How far a search is: the collectives of the next plans, and elements that they have to beat. */
interface Progress {
  readonly count: number;
  /** Of plans with fewer collectives, and of those known with at most as many. */
  readonly best: number;
  readonly next: number;
}

/** Fewer elements, or as many in less time. */
function isQuicker(a: Omit<Reached, "count">, b: Omit<Reached, "count">): boolean {
  if (isLess(a.elements, b.elements)) return true;
  return !isLess(b.elements, a.elements) && isLess(a.seconds, b.seconds);
}

/** What one more collective leads to and may still beat the best plan, or be as good and quicker. */
function grow(
  search: Search,
  layer: readonly Node[],
  { count, best, next: most }: Progress,
): readonly Node[] {
  const { space, budget, bound, remaining, received: receivedBy, known } = search;
  const next = new Map<string, Node>();
  const isBeyond = (elements: number) => !isLess(elements, best) || isLess(most, elements);
  for (const node of layer) {
    if (budget.left <= 0 || budget.bounds <= 0) break;
    budget.bounds -= space.from.mesh.devices.length;
    if (isBeyond(node.elements + remaining(node.stack))) continue;
    for (const { collective, after } of stackMoves(space, node.stack)) {
      if (budget.left <= 0) break;
      budget.left--;
      const key = stackKey(after);
      const there = known.get(key);
      if (there !== undefined && !isLess(node.elements, there.elements)) continue;
      const received = receivedBy(node.stack, after, collective);
      if (received === undefined || sizeOfStack(space, after) > bound) continue;
      const elements = node.elements + received;
      if (isBeyond(elements)) continue;
      const isLate = there !== undefined && there.count < count;
      if (there !== undefined && isLess(there.elements, elements)) continue;
      if (isLate && !isLess(elements, there.elements)) continue;
      const seconds =
        node.seconds + secondsBetween(search, node.stack, after, collective, received);
      if (there !== undefined && !isQuicker({ elements, seconds }, there)) continue;
      budget.left -= space.from.mesh.devices.length;
      if (isBeyond(elements + remaining(after))) continue;
      known.set(key, { elements, seconds, count });
      const last = { collective, received };
      next.set(key, { stack: after, key, elements, seconds, last, parent: node });
    }
  }
  return [...next.values()];
}

function secondsBetween(
  { space, bytesPerElement }: Search,
  now: Stack,
  then: Stack,
  collective: Collective,
  received: number,
): number {
  if (received === 0) return 0;
  const atoms = movedAtoms(space, now, then).reduce((set, atom) => set | (1 << atom), 0);
  const { fixed, secondsPerByte } = space.rates.rateOf(collective, atoms);
  return fixed + received * bytesPerElement * secondsPerByte;
}

/**
 * The nodes and all that follow from them by slices alone, each layout once; no more once the target
 * is reached with as few elements as it can be. What follows from quicker nodes comes first.
 */
function closeUnderSlices(search: Search, nodes: readonly Node[]): readonly Node[] {
  const { target, least } = search;
  const found = new Map<string, Node>();
  for (const node of nodes.toSorted((a, b) => (isQuicker(a, b) ? -1 : Number(isQuicker(b, a))))) {
    sliceOn(search, node, found);
    const end = found.get(target);
    if (end !== undefined && end.elements <= least) break;
  }
  return [...found.values()];
}

/** Adds a node and what follows from it by slices, as far as nothing as quick is there. */
function sliceOn(search: Search, start: Node, found: Map<string, Node>): void {
  const { space, received, budget, target, least } = search;
  const price = 1 + space.from.mesh.devices.length / blocksPerLayout;
  const isKnown = (key: string, node: Node) => {
    const there = found.get(key);
    return there !== undefined && !isQuicker(node, there);
  };
  const queue = [start];
  for (const node of queue) {
    if (isKnown(node.key, node)) continue;
    found.set(node.key, node);
    if (node.key === target && node.elements <= least) break;
    if (budget.slices <= 0) continue;
    for (const stack of stackSlices(space, node.stack)) {
      if (budget.slices <= 0) break;
      budget.slices -= price;
      if (received(node.stack, stack, "slice") === undefined) continue;
      const key = stackKey(stack);
      if (isKnown(key, node)) continue;
      const last = { collective: "slice", received: 0 } as const;
      const { elements, seconds } = node;
      queue.push({ stack, key, elements, seconds, last, parent: node });
    }
  }
}

/** The steps to a node, slices that follow each other as one. */
function stepsTo(space: StackSpace, node: Node): readonly DraftStep[] {
  const steps: DraftStep[] = [];
  for (let at: Node | undefined = node; at?.parent !== undefined; ) {
    const { last, stack }: Node = at;
    if (last === undefined) break;
    let from: Node = at.parent;
    while (last.collective === "slice" && from.last?.collective === "slice" && from.parent) {
      from = from.parent;
    }
    const step = stepBetween(space, from.stack, stack, last.collective);
    steps.unshift({ ...step, elements: last.received });
    at = from;
  }
  return steps;
}
