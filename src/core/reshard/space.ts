import { product } from "#core/arithmetic";
import type { ReduceKind } from "#core/mesh";
import { empty, type Frame, type State } from "./prime-sub-axis.ts";
import { type PriceOptions, type SubAxisRates, subAxisRates } from "./rates.ts";

/** A frame prepared for search: sizes, and the target slot of every sub-axis. */
export interface Space {
  readonly radices: readonly number[];
  readonly reduces: readonly (ReduceKind | undefined)[];
  readonly slotRadices: readonly number[];
  readonly spareFrom: number;
  readonly source: State;
  readonly target: State;
  /** The slot of every sub-axis in the target, or `empty`. */
  readonly home: readonly number[];
  readonly elements: number;
  readonly devices: number;
  /** The most elements that a device may hold in a state. */
  readonly bound: number;
  readonly exchange: boolean;
  /** Number of blocks of the target; a device holds one block. */
  readonly targetCut: number;
  /** Times of collectives over sub-axes. */
  readonly rates: SubAxisRates;
}

/** The space of a frame; the bound is at least the size of source and target. */
export function spaceOf(
  frame: Frame,
  exchange: boolean,
  boundElements?: number,
  price: PriceOptions = {},
): Space {
  const radices = frame.subAxes.map((subAxis) => subAxis.radix);
  const sizes = [frame.source, frame.target].map((state) => sizeIn(frame, state));
  return {
    radices,
    reduces: frame.reduces,
    slotRadices: frame.slotRadices,
    spareFrom: frame.spareFrom,
    source: frame.source,
    target: frame.target,
    home: radices.map((_, subAxis) => frame.target.slots.indexOf(subAxis)),
    elements: frame.elements,
    devices: product(radices),
    bound: Math.max(...sizes, boundElements ?? 0),
    exchange,
    targetCut: frame.elements / sizeIn(frame, frame.target),
    rates: subAxisRates(frame.subAxes, frame.mesh, price),
  };
}

/**
 * Space that merges devices which differ in no sub-axis of the set. Elements that its devices
 * receive must be sent along the sub-axes of the set.
 *
 * @param subAxes bit set: bit i is sub-axis i
 */
export function pooledSpace(space: Space, subAxes: number): Space {
  const isIn = (subAxis: number) => subAxis !== empty && ((subAxes >> subAxis) & 1) === 1;
  const pooled = ({ slots, partials }: State): State => ({
    slots: slots.map((subAxis) => (isIn(subAxis) ? subAxis : empty)),
    partials: partials & subAxes,
  });
  const target = pooled(space.target);
  return {
    ...space,
    source: pooled(space.source),
    target,
    home: space.home.map((slot, subAxis) => (isIn(subAxis) ? slot : empty)),
    devices: space.radices.reduce(
      (count, radix, subAxis) => (isIn(subAxis) ? count * radix : count),
      1,
    ),
    targetCut: space.elements / sizeIn(space, target),
  };
}

/** Elements that a device holds. */
export function sizeOf(space: Space, state: State): number {
  return sizeIn(space, state);
}

function sizeIn(frame: Pick<Space, "slotRadices" | "elements">, { slots }: State): number {
  let cut = 1;
  for (let slot = 0; slot < slots.length; slot++) {
    if (slots[slot] !== empty) cut *= frame.slotRadices[slot] ?? 1;
  }
  return frame.elements / cut;
}

/** The sub-axes with different positions in two states, as a bit set. */
export function changedSubAxes(a: State, b: State): number {
  let changed = a.partials ^ b.partials;
  for (let slot = 0; slot < a.slots.length; slot++) {
    const [one, other] = [a.slots[slot] ?? empty, b.slots[slot] ?? empty];
    if (one === other) continue;
    if (one !== empty) changed |= 1 << one;
    if (other !== empty) changed |= 1 << other;
  }
  return changed;
}

/** The sub-axes that are neither in a slot nor partial, as a bit set. */
export function freeSubAxes(space: Space, state: State): number {
  let used = state.partials;
  for (const subAxis of state.slots) if (subAxis !== empty) used |= 1 << subAxis;
  return ~used & ((1 << space.radices.length) - 1);
}

/** Whether the target follows from a state by slices alone. */
export function isSliceAway(space: Space, state: State): boolean {
  if (state.partials !== 0) return false;
  return state.slots.every(
    (subAxis, slot) => subAxis === empty || subAxis === space.target.slots[slot],
  );
}

/**
 * A lower bound on the elements that the busiest device still receives (redistribution.md §3.2).
 *
 * Without partials: what a target block lacks of the block held. With them: every element needs
 * p − 1 receptions to be combined and m − 1 to be copied, one more where no destination holds a
 * contribution, shared by all devices.
 */
export function remaining(space: Space, state: State): number {
  if (state.partials !== 0) return combining(space, state);
  return lacking(space, state, space.target);
}

/**
 * The most elements that a device lacks of its block in `then` when it holds its block of `now`,
 * both without partials.
 */
export function lacking(space: Space, now: State, then: State): number {
  let [cut, emptied, changed] = [1, 1, false];
  for (let slot = 0; slot < now.slots.length; slot++) {
    const [held, wanted] = [now.slots[slot] ?? empty, then.slots[slot] ?? empty];
    const radix = space.slotRadices[slot] ?? 1;
    if (wanted !== empty) cut *= radix;
    if (held === empty || held === wanted) continue;
    if (wanted === empty) emptied *= radix;
    else changed = true;
  }
  const size = space.elements / cut;
  return changed ? size : size - size / emptied;
}

/** The partial case: T · (p + m − 2 + share) / D, where `share` of the elements meet no holder. */
function combining(space: Space, state: State): number {
  const share = 1 - meetingShare(space, state);
  return leastCombining(space, state.partials) + (space.elements * share) / space.devices;
}

/**
 * The least elements to combine partial sums: those of the partial case if every element meets a
 * holder. It does not depend on the slots.
 */
export function leastCombining(space: Space, partials: number): number {
  let addends = 1;
  for (let subAxis = 0; subAxis < space.radices.length; subAxis++) {
    if ((partials >> subAxis) & 1) addends *= space.radices[subAxis] ?? 1;
  }
  const copies = space.devices / space.targetCut;
  return (space.elements * (addends + copies - 2)) / space.devices;
}

/**
 * Share of elements with a contribution on some destination device. Each moved sub-axis requires
 * two digits to be equal, unless a chain of others implies that already.
 */
function meetingShare(space: Space, { slots }: State): number {
  let share = 1;
  let joined: number[] | undefined;
  for (let slot = 0; slot < slots.length; slot++) {
    const subAxis = slots[slot] ?? empty;
    const home = subAxis === empty ? empty : (space.home[subAxis] ?? empty);
    if (home === empty || home === slot) continue;
    joined ??= slots.map((_, at) => at);
    const [a, b] = [joined[slot] ?? slot, joined[home] ?? home];
    if (a === b) continue;
    joined = joined.map((root) => (root === a ? b : root));
    share /= space.radices[subAxis] ?? 1;
  }
  return share;
}
