import type { Collective } from "#core/collective";
import { empty, type State } from "./prime-sub-axis.ts";
import { isLess, quickest, type RouteRate } from "./rates.ts";
import {
  changedSubAxes,
  freeSubAxes,
  isSliceAway,
  remaining,
  type Space,
  sizeOf,
} from "./space.ts";

/** One collective: the state before, the state after, and the elements that a device receives. */
export interface Edge {
  readonly collective: Collective;
  readonly before: State;
  readonly after: State;
  readonly elements: number;
  readonly rate: RouteRate;
}

/** A collective with its time. */
export function ratedEdge(space: Space, edge: Omit<Edge, "rate">): Edge {
  const { collective, before, after, elements } = edge;
  const changed = changedSubAxes(before, after);
  const { fixed, secondsPerByte } = space.rates.rateOf(collective, changed);
  return { ...edge, rate: { fixed, perByte: elements * secondsPerByte } };
}

/**
 * Slices every free sub-axis into its place in the target if that is empty. Slices cost nothing.
 */
export function sliceHome(space: Space, state: State): State {
  const free = freeSubAxes(space, state);
  let slots: number[] | undefined;
  for (let slot = 0; slot < space.spareFrom; slot++) {
    const subAxis = space.target.slots[slot] ?? empty;
    if (subAxis === empty || state.slots[slot] !== empty || ((free >> subAxis) & 1) === 0) continue;
    slots ??= [...state.slots];
    slots[slot] = subAxis;
  }
  return slots === undefined ? state : { slots, partials: state.partials };
}

/** A collective without its time. */
type Unrated = Omit<Edge, "rate">;

/**
 * Single collectives that lead to the target, with slices before and after: those with the fewest
 * elements, except any that another one beats at every size. `state` must differ from the target.
 * Empty if no collective does it within the bound.
 */
export function finishes(space: Space, state: State): readonly Edge[] {
  const found = finishing(space, state);
  const least = found.reduce((fewest, { elements }) => Math.min(fewest, elements), Infinity);
  const fewest = found.filter(({ elements }) => !isLess(least, elements));
  return quickest(fewest.map((edge) => ratedEdge(space, edge)));
}

/** The fewest elements of a collective of `finishes`; infinity if there is none. */
export function finishElements(space: Space, state: State): number {
  const found = finishing(space, state);
  return found.reduce((fewest, { elements }) => Math.min(fewest, elements), Infinity);
}

function finishing(space: Space, state: State): readonly Unrated[] {
  const sliced = sliceHome(space, state);
  const ways =
    sliced.partials === 0
      ? [
          gather(space, sliced),
          move(space, sliced),
          ...permutes(space, sliced),
          fetch(space, sliced),
        ]
      : [scatter(space, sliced), reduce(space, sliced)];
  return ways.filter((edge) => edge !== undefined);
}

/** Gathers every slot that differs from the target; missing cuts are sliced afterwards. */
function gather(space: Space, before: State): Unrated | undefined {
  const { target } = space;
  const slots = before.slots.map((subAxis, slot) =>
    subAxis === target.slots[slot] ? subAxis : empty,
  );
  const after = { slots, partials: 0 };
  const [held, gathered] = [sizeOf(space, before), sizeOf(space, after)];
  if (gathered > space.bound) return undefined;
  return { collective: "all-gather", before, after, elements: gathered - held };
}

/** Moves every misplaced sub-axis to its empty home. */
function move(space: Space, before: State): Unrated | undefined {
  const slots = [...before.slots];
  let group = 1;
  for (let slot = 0; slot < slots.length; slot++) {
    const subAxis = before.slots[slot] ?? empty;
    if (subAxis === empty || subAxis === space.target.slots[slot]) continue;
    const home = space.home[subAxis] ?? empty;
    if (home === empty || before.slots[home] !== empty) return undefined;
    slots[slot] = empty;
    slots[home] = subAxis;
    group *= space.radices[subAxis] ?? 1;
  }
  const held = sizeOf(space, before);
  const elements = held - held / group;
  return { collective: "all-to-all", before, after: { slots, partials: 0 }, elements };
}

/** Relabels the slots, after free sub-axes have filled the slots that the state lacks. */
function permutes(space: Space, sliced: State): readonly Unrated[] {
  const elements = sizeOf(space, sliced);
  return fillings(space, sliced).map((before) => {
    const held = before === sliced ? elements : sizeOf(space, before);
    return { collective: "collective-permute", before, after: space.target, elements: held };
  });
}

/**
 * The states in which free sub-axes fill as many slots as in the target. Of sub-axes with equal
 * links that both have a target slot or both have none, only the first is used.
 */
function fillings(space: Space, state: State): readonly State[] {
  const missing: number[] = [];
  for (let slot = 0; slot < state.slots.length; slot++) {
    const isWanted = (space.target.slots[slot] ?? empty) !== empty;
    const isHeld = state.slots[slot] !== empty;
    if (isHeld && !isWanted) return [];
    if (isWanted && !isHeld) missing.push(slot);
  }
  if (missing.length === 0) return [state];
  const found: State[] = [];
  const slots = [...state.slots];
  const walk = (at: number, free: number): void => {
    const slot = missing[at];
    if (slot === undefined) {
      found.push({ slots: [...slots], partials: state.partials });
      return;
    }
    for (const subAxis of fillers(space, slot, free)) {
      slots[slot] = subAxis;
      walk(at + 1, free & ~(1 << subAxis));
    }
    slots[slot] = empty;
  };
  walk(0, freeSubAxes(space, state));
  return found;
}

/** Free sub-axes for a slot, one of each price. */
function fillers(space: Space, slot: number, free: number): readonly number[] {
  const { radices, slotRadices, rates, home } = space;
  const known = new Set<number>();
  return radices.flatMap((radix, subAxis) => {
    if (((free >> subAxis) & 1) === 0 || radix !== slotRadices[slot]) return [];
    const price = 2 * (rates.kinds[subAxis] ?? 0) + (home[subAxis] === empty ? 1 : 0);
    if (known.has(price)) return [];
    known.add(price);
    return [subAxis];
  });
}

/** Single exchange to the target, after slicing to blocks as small as the target's. */
function fetch(space: Space, sliced: State): Unrated | undefined {
  if (!space.exchange) return undefined;
  const before = sliceDown(space, sliced);
  if (before === undefined) return undefined;
  const elements = remaining(space, before);
  return { collective: "exchange", before, after: space.target, elements };
}

/**
 * State in which slices have filled as many slots of each radix as the target has; `undefined` if
 * more are filled already, or if free sub-axes or slots are lacking.
 */
function sliceDown(space: Space, state: State): State | undefined {
  let free = freeSubAxes(space, state);
  const slots = [...state.slots];
  for (const radix of new Set(space.radices)) {
    let missing = fillOf(space, space.target.slots, radix) - fillOf(space, slots, radix);
    if (missing < 0) return undefined;
    for (let slot = 0; slot < slots.length && missing > 0; slot++) {
      if (slots[slot] !== empty || space.slotRadices[slot] !== radix) continue;
      const subAxis = space.radices.findIndex((r, at) => r === radix && ((free >> at) & 1) === 1);
      if (subAxis === -1) return undefined;
      slots[slot] = subAxis;
      free &= ~(1 << subAxis);
      missing--;
    }
    if (missing > 0) return undefined;
  }
  return { slots, partials: state.partials };
}

function fillOf(space: Space, slots: readonly number[], radix: number): number {
  return slots.filter((subAxis, slot) => subAxis !== empty && space.slotRadices[slot] === radix)
    .length;
}

/** Reduces every partial sub-axis into its empty home; all other sub-axes are in place. */
function scatter(space: Space, before: State): Unrated | undefined {
  const slots = [...before.slots];
  let group = 1;
  for (let subAxis = 0; subAxis < space.radices.length; subAxis++) {
    if (((before.partials >> subAxis) & 1) === 0) continue;
    const home = space.home[subAxis] ?? empty;
    if (home === empty || slots[home] !== empty) return undefined;
    slots[home] = subAxis;
    group *= space.radices[subAxis] ?? 1;
  }
  const after = { slots, partials: 0 };
  if (!isOneKind(space, before.partials) || !isSliceAway(space, after)) return undefined;
  const held = sizeOf(space, before);
  return { collective: "reduce-scatter", before, after, elements: held - held / group };
}

/** Combines every partial sub-axis by all-reduce; all other sub-axes are in place. */
function reduce(space: Space, before: State): Unrated | undefined {
  const after = { slots: before.slots, partials: 0 };
  if (!isOneKind(space, before.partials) || !isSliceAway(space, after)) return undefined;
  const held = sizeOf(space, before);
  const elements = 2 * (held - held / groupOf(space, before.partials));
  return { collective: "all-reduce", before, after, elements };
}

/** Whether one kind of reduction combines all sub-axes of a set. */
export function isOneKind(space: Space, subAxes: number): boolean {
  const kinds = space.reduces.filter((_, subAxis) => ((subAxes >> subAxis) & 1) === 1);
  return kinds.every((kind) => kind === kinds[0]);
}

/** Number of devices in a group of a collective over a set of sub-axes. */
export function groupOf(space: Space, subAxes: number): number {
  return space.radices.reduce((n, radix, subAxis) => ((subAxes >> subAxis) & 1 ? n * radix : n), 1);
}
