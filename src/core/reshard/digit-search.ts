import type { Collective } from "#core/collective";
import { axisPartsOf, type Layout } from "#core/mesh";
import { boundsTo, type Received, receivedIn, sizeOfDigits } from "./digit-cost.ts";
import {
  type DigitLayout,
  type DigitSpace,
  digitKey,
  digitSpaceOf,
  movedSubAxes,
} from "./digit-layout.ts";
import { digitMoves, digitSlices } from "./digit-moves.ts";
import { stepBetween } from "./digit-steps.ts";
import type { DraftStep } from "./emit.ts";
import { countOfSteps, elementsIn, frontOf } from "./front.ts";
import { coarseRadicesOf, radicesOf } from "./prime-sub-axis.ts";
import { isLess, type PriceOptions } from "./rates.ts";
import { maxSteps } from "./search.ts";

/** Reached layout with the steps to it. */
interface Node {
  readonly digits: DigitLayout;
  readonly key: string;
  readonly elements: number;
  readonly seconds: number;
  readonly last: { readonly collective: Collective; readonly received: number } | undefined;
  readonly parent: Node | undefined;
}

/**
 * Plans over ordinary layouts of one mesh, for uneven dims or radices that do not align
 * (redistribution.md §7.7). Only ends of dims move, and every step is checked on the blocks. One
 * plan per number of collectives, each with fewer elements than the one before; ties go to the
 * fastest.
 */
export function searchDigitLayouts(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  bound: number,
  price: PriceOptions = {},
  budget: Budget = fullBudget(),
): readonly (readonly DraftStep[])[] {
  const parts = [...axisPartsOf(from), ...axisPartsOf(to)];
  const coarse = coarseRadicesOf(from.mesh, parts);
  const ways = coarse === undefined ? [] : [coarse, ...radicesOf(from.mesh, parts, 4)];
  let found: readonly (readonly DraftStep[])[] = [];
  for (const radices of ways) {
    if (budget.left <= 0) break;
    const space = digitSpaceOf(from, to, shape, radices, price);
    if (space === undefined) continue;
    const search = searchOf(space, bound, budget, price);
    found = frontOf([...found, ...searchSpace(search, found)], shape, price);
    // A single plan has both the fewest steps and the fewest elements, so smaller pieces of the
    // axes add nothing.
    if (found.length === 1 && elementsIn(found[0] ?? []) <= search.least) break;
  }
  return found;
}

/** Limits of a search. */
export interface Budget {
  /** Block comparisons left before the search stops with the plans that it has. */
  left: number;
  /** Layouts left to reach by slices, each weighted by its number of blocks. */
  slices: number;
  /** Block comparisons left for lower bounds of layouts. */
  bounds: number;
}

/**
 * The budget of one search.
 *
 * @internal
 */
export function fullBudget(): Budget {
  return { left: 100_000, slices: 400_000, bounds: 2_000_000 };
}

/** Number of blocks along a dim that counts as one layout in the budget for slices. */
const blocksPerLayout = 64;

function searchOf(space: DigitSpace, bound: number, budget: Budget, price: PriceOptions): Search {
  const remaining = boundsTo(space);
  return {
    space,
    target: digitKey(space.target),
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

function startOf({ source }: DigitSpace): Node {
  const nothing = { elements: 0, seconds: 0, last: undefined, parent: undefined };
  return { digits: source, key: digitKey(source), ...nothing };
}

interface Search {
  readonly space: DigitSpace;
  /** The key of the target layout. */
  readonly target: string;
  readonly budget: Budget;
  readonly bound: number;
  readonly bytesPerElement: number;
  readonly remaining: (digits: DigitLayout) => number;
  /** Lower bound of the elements of any plan. */
  readonly least: number;
  readonly received: Received;
  /** Best known way to each layout: the one with the fewest elements. */
  readonly known: Map<string, Reached>;
}

interface Reached {
  readonly elements: number;
  readonly seconds: number;
  readonly count: number;
}

/** The state of a search: the number of collectives of the next plans, and the elements to beat. */
interface Progress {
  readonly count: number;
  /**
   * `best`: least elements of plans with fewer collectives; `next`: least elements of known plans
   * with at most as many collectives.
   */
  readonly best: number;
  readonly next: number;
}

/** Whether a plan has fewer elements, or equal elements and less time. */
function isQuicker(a: Omit<Reached, "count">, b: Omit<Reached, "count">): boolean {
  if (isLess(a.elements, b.elements)) return true;
  return !isLess(b.elements, a.elements) && isLess(a.seconds, b.seconds);
}

/**
 * Layouts that one more collective reaches and from which a plan may still beat the best one, or
 * equal it and be faster.
 */
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
    if (isBeyond(node.elements + remaining(node.digits))) continue;
    for (const { collective, after } of digitMoves(space, node.digits)) {
      if (budget.left <= 0) break;
      budget.left--;
      const key = digitKey(after);
      const there = known.get(key);
      if (there !== undefined && !isLess(node.elements, there.elements)) continue;
      const received = receivedBy(node.digits, after, collective);
      if (received === undefined || sizeOfDigits(space, after) > bound) continue;
      const elements = node.elements + received;
      if (isBeyond(elements)) continue;
      const isLate = there !== undefined && there.count < count;
      if (there !== undefined && isLess(there.elements, elements)) continue;
      if (isLate && !isLess(elements, there.elements)) continue;
      const seconds =
        node.seconds + secondsBetween(search, node.digits, after, collective, received);
      if (there !== undefined && !isQuicker({ elements, seconds }, there)) continue;
      budget.left -= space.from.mesh.devices.length;
      if (isBeyond(elements + remaining(after))) continue;
      known.set(key, { elements, seconds, count });
      const last = { collective, received };
      next.set(key, { digits: after, key, elements, seconds, last, parent: node });
    }
  }
  return [...next.values()];
}

function secondsBetween(
  { space, bytesPerElement }: Search,
  now: DigitLayout,
  then: DigitLayout,
  collective: Collective,
  received: number,
): number {
  if (received === 0) return 0;
  const subAxes = movedSubAxes(space, now, then).reduce((set, subAxis) => set | (1 << subAxis), 0);
  const { fixed, secondsPerByte } = space.rates.rateOf(collective, subAxes);
  return fixed + received * bytesPerElement * secondsPerByte;
}

/**
 * The nodes, and all layouts that slices alone reach from them, each once; faster nodes come first.
 * Ends once the target is reached with the least possible elements.
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

/**
 * Adds a node and the layouts that slices reach from it, except layouts for which an equally fast
 * node is known.
 */
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
    for (const digits of digitSlices(space, node.digits)) {
      if (budget.slices <= 0) break;
      budget.slices -= price;
      if (received(node.digits, digits, "slice") === undefined) continue;
      const key = digitKey(digits);
      if (isKnown(key, node)) continue;
      const last = { collective: "slice", received: 0 } as const;
      const { elements, seconds } = node;
      queue.push({ digits, key, elements, seconds, last, parent: node });
    }
  }
}

/** The steps to a node; consecutive slices are joined. */
function stepsTo(space: DigitSpace, node: Node): readonly DraftStep[] {
  const steps: DraftStep[] = [];
  for (let at: Node | undefined = node; at?.parent !== undefined; ) {
    const { last, digits }: Node = at;
    if (last === undefined) break;
    let from: Node = at.parent;
    while (last.collective === "slice" && from.last?.collective === "slice" && from.parent) {
      from = from.parent;
    }
    const step = stepBetween(space, from.digits, digits, last.collective);
    steps.unshift({ ...step, elements: last.received });
    at = from;
  }
  return steps;
}
