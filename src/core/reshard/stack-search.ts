import {
  type Collective,
  type CollectiveStep,
  groupsOf,
  type Move,
  type Slot,
} from "#core/collective";
import { type Layout, type Part, partsOf, refineLayout, samePart } from "#core/mesh";
import { coarseRadicesOf, radicesOf } from "./atom.ts";
import type { DraftStep } from "./emit.ts";
import { partOf } from "./frame.ts";
import { maxSteps } from "./search.ts";
import {
  countOf,
  layoutOfStack,
  type Stack,
  type StackSpace,
  stackKey,
  stackSpaceOf,
} from "./stack.ts";
import { boundsTo, type Received, receivedIn, sizeOfStack } from "./stack-cost.ts";
import { stackMoves, stackSlices } from "./stack-moves.ts";

/** A layout that was reached, and how. */
interface Node {
  readonly stack: Stack;
  readonly key: string;
  readonly elements: number;
  readonly last: { readonly collective: Collective; readonly received: number } | undefined;
  readonly parent: Node | undefined;
}

/**
 * Plans over ordinary layouts of one mesh, for dims that are uneven or whose radices do not align
 * (redistribution.md §7.7): only ends of dims move, and every step is checked on the blocks. The
 * best plan by number of collectives, each with fewer elements than the one before it.
 */
export function searchStacks(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  bound: number,
  budget: Budget = fullBudget(),
): readonly (readonly DraftStep[])[] {
  const parts = [...partsOf(from), ...partsOf(to)];
  const coarse = coarseRadicesOf(from.mesh, parts);
  const ways = coarse === undefined ? [] : [coarse, ...radicesOf(from.mesh, parts, 4)];
  let found: readonly (readonly DraftStep[])[] = [];
  for (const radices of ways) {
    if (budget.left <= 0) break;
    const space = stackSpaceOf(from, to, shape, radices);
    if (space === undefined) continue;
    const search = searchOf(space, bound, budget);
    found = frontOf([...found, ...searchSpace(search, found)]);
    // One plan with the fewest steps and elements: smaller pieces of the axes add nothing.
    if (found.length === 1 && elementsIn(found[0] ?? []) <= search.least) break;
  }
  return found;
}

/** Of plans those that no other beats, by number of collectives. */
export function frontOf(
  routes: readonly (readonly DraftStep[])[],
): readonly (readonly DraftStep[])[] {
  const priced = routes.map((route) => ({
    route,
    count: countOfSteps(route),
    elements: elementsIn(route),
  }));
  priced.sort((a, b) => a.count - b.count || a.elements - b.elements);
  let least = Number.POSITIVE_INFINITY;
  return priced.flatMap(({ route, elements }) => {
    if (elements >= least) return [];
    least = elements;
    return [route];
  });
}

function countOfSteps(route: readonly DraftStep[]): number {
  return route.filter((step) => step.collective !== "slice").length;
}

/** Elements that the busiest device receives in a plan. */
export function elementsIn(route: readonly DraftStep[]): number {
  return route.reduce((sum, step) => sum + step.elements, 0);
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

/** What one search may look at in all. */
export function fullBudget(): Budget {
  return { left: 100_000, slices: 400_000, bounds: 2_000_000 };
}

/** So many blocks are compared along one dim while a layout is made. */
const blocksPerLayout = 64;

function searchOf(space: StackSpace, bound: number, budget: Budget): Search {
  const remaining = boundsTo(space);
  return {
    space,
    target: stackKey(space.target),
    budget,
    bound,
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
  const { source } = space;
  let layer = closeUnderSlices(search, [
    { stack: source, key: stackKey(source), elements: 0, last: undefined, parent: undefined },
  ]);
  for (let count = 0; count <= maxSteps && layer.length > 0; count++) {
    best = Math.min(best, ...seeds.filter((seed) => countOfSteps(seed) <= count).map(elementsIn));
    for (const node of layer) {
      if (node.key !== target || node.elements >= best) continue;
      best = node.elements;
      found.push(stepsTo(space, node));
    }
    if (count === maxSteps || budget.left <= 0 || best <= least) break;
    layer = closeUnderSlices(search, grow(search, layer, best));
  }
  return found;
}

interface Search {
  readonly space: StackSpace;
  /** The key of the layout that is looked for. */
  readonly target: string;
  readonly budget: Budget;
  readonly bound: number;
  readonly remaining: (stack: Stack) => number;
  /** Elements that no plan can go below. */
  readonly least: number;
  readonly received: Received;
  /** The fewest elements with which a layout was reached. */
  readonly known: Map<string, number>;
}

/** What one more collective leads to and may still beat the best plan. */
function grow(search: Search, layer: readonly Node[], best: number): readonly Node[] {
  const { space, budget, bound, remaining, received: receivedBy, known } = search;
  const next = new Map<string, Node>();
  for (const node of layer) {
    if (budget.left <= 0 || budget.bounds <= 0) break;
    budget.bounds -= space.from.mesh.devices.length;
    if (node.elements + remaining(node.stack) >= best) continue;
    for (const { collective, after } of stackMoves(space, node.stack)) {
      if (budget.left <= 0) break;
      budget.left--;
      const key = stackKey(after);
      const most = known.get(key) ?? best;
      if (node.elements >= most) continue;
      const received = receivedBy(node.stack, after, collective);
      if (received === undefined || sizeOfStack(space, after) > bound) continue;
      const elements = node.elements + received;
      if (elements >= most) continue;
      budget.left -= space.from.mesh.devices.length;
      if (elements + remaining(after) >= best) continue;
      known.set(key, elements);
      next.set(key, { stack: after, key, elements, last: { collective, received }, parent: node });
    }
  }
  return [...next.values()];
}

/**
 * The nodes and all that follow from them by slices alone, each layout once; no more once the target
 * is reached with as few elements as it can be.
 */
function closeUnderSlices(search: Search, nodes: readonly Node[]): readonly Node[] {
  const { space, received, budget, target, least } = search;
  const price = 1 + space.from.mesh.devices.length / blocksPerLayout;
  const found = new Map<string, Node>();
  const queue = [...nodes].sort((a, b) => a.elements - b.elements);
  for (const node of queue) {
    if ((found.get(node.key)?.elements ?? Number.POSITIVE_INFINITY) <= node.elements) continue;
    found.set(node.key, node);
    if (node.key === target && node.elements <= least) break;
    if (budget.slices <= 0) continue;
    for (const stack of stackSlices(space, node.stack)) {
      if (budget.slices <= 0) break;
      budget.slices -= price;
      if (received(node.stack, stack, "slice") === undefined) continue;
      const key = stackKey(stack);
      if ((found.get(key)?.elements ?? Number.POSITIVE_INFINITY) <= node.elements) continue;
      const last = { collective: "slice", received: 0 } as const;
      queue.push({ stack, key, elements: node.elements, last, parent: node });
    }
  }
  return [...found.values()];
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

function stepBetween(
  space: StackSpace,
  now: Stack,
  then: Stack,
  collective: Collective,
): CollectiveStep {
  const [before, after] = [layoutOfStack(space, now), layoutOfStack(space, then)];
  const moved = [...space.atoms.keys()].filter(
    (atom) =>
      placeOf(space, now, atom) !== placeOf(space, then, atom) ||
      ((now.partials >> atom) & 1) !== ((then.partials >> atom) & 1),
  );
  const parts = moved.flatMap((atom): Part[] => {
    const known = space.atoms[atom];
    return known === undefined ? [] : [partOf(known)];
  });
  const [source, target] = [refineLayout(before, parts), refineLayout(after, parts)];
  const moves = parts.map((part): Move => {
    const [from, to] = [slotOf(source, part), slotOf(target, part)];
    return { part, ...(from && { from }), ...(to && { to }) };
  });
  const groups = collective === "slice" ? [] : groupsOf(before.mesh, parts);
  return { collective, moves, groups, before, after };
}

/** Which dim an atom cuts, behind how many blocks. */
function placeOf(space: StackSpace, stack: Stack, atom: number): string {
  const dim = stack.dims.findIndex((atoms) => atoms.includes(atom));
  const atoms = stack.dims[dim] ?? [];
  return `${dim}:${countOf(space, atoms.slice(0, atoms.indexOf(atom)))}`;
}

function slotOf(layout: Layout | undefined, part: Part): Slot | undefined {
  const dim = layout?.dims.findIndex(({ parts }) => parts.some((other) => samePart(other, part)));
  if (dim === undefined || dim === -1) return undefined;
  const position = layout?.dims[dim]?.parts.findIndex((other) => samePart(other, part)) ?? 0;
  return { dim, position };
}
