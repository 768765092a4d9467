import type { Collective } from "#core/collective";
import { empty, type State } from "./frame.ts";
import { freeAtoms, isSliceAway, remaining, type Space, sizeOf } from "./space.ts";

/** One collective: the state when it starts, the state that it leaves, what a device receives. */
export interface Edge {
  readonly collective: Collective;
  readonly before: State;
  readonly after: State;
  readonly elements: number;
}

/** Puts every free atom whose place in the target is empty there, which costs nothing. */
export function sliceHome(space: Space, state: State): State {
  const free = freeAtoms(space, state);
  let slots: number[] | undefined;
  for (let slot = 0; slot < space.spareFrom; slot++) {
    const atom = space.target.slots[slot] ?? empty;
    if (atom === empty || state.slots[slot] !== empty || ((free >> atom) & 1) === 0) continue;
    slots ??= [...state.slots];
    slots[slot] = atom;
  }
  return slots === undefined ? state : { slots, partials: state.partials };
}

/**
 * The cheapest single collective that leads, with slices before and after it, to the target; the
 * state is not yet there. `undefined` when none does within the bound.
 */
export function finish(space: Space, state: State): Edge | undefined {
  const sliced = sliceHome(space, state);
  const ways = sliced.partials === 0 ? [gather, move, permute, fetch] : [scatter, reduce];
  let best: Edge | undefined;
  for (const way of ways) {
    const edge = way(space, sliced);
    if (edge !== undefined && (best === undefined || edge.elements < best.elements)) best = edge;
  }
  return best;
}

/** Gathers every slot that is not as the target has it; what is missing is sliced afterwards. */
function gather(space: Space, before: State): Edge | undefined {
  const { target } = space;
  const slots = before.slots.map((atom, slot) => (atom === target.slots[slot] ? atom : empty));
  const after = { slots, partials: 0 };
  const [held, gathered] = [sizeOf(space, before), sizeOf(space, after)];
  if (gathered > space.bound) return undefined;
  return { collective: "all-gather", before, after, elements: gathered - held };
}

/** Moves every misplaced atom to its empty home. */
function move(space: Space, before: State): Edge | undefined {
  const slots = [...before.slots];
  let group = 1;
  for (let slot = 0; slot < slots.length; slot++) {
    const atom = before.slots[slot] ?? empty;
    if (atom === empty || atom === space.target.slots[slot]) continue;
    const home = space.home[atom] ?? empty;
    if (home === empty || before.slots[home] !== empty) return undefined;
    slots[slot] = empty;
    slots[home] = atom;
    group *= space.radices[atom] ?? 1;
  }
  const held = sizeOf(space, before);
  const elements = held - held / group;
  return { collective: "all-to-all", before, after: { slots, partials: 0 }, elements };
}

/** Relabels the slots, after free atoms have filled those that the target has beyond them. */
function permute(space: Space, sliced: State): Edge | undefined {
  const before = fillTarget(space, sliced);
  if (before === undefined) return undefined;
  const elements = sizeOf(space, before);
  return { collective: "collective-permute", before, after: space.target, elements };
}

/** The state with its slots filled up to those of the target by any free atoms. */
function fillTarget(space: Space, state: State): State | undefined {
  let free = freeAtoms(space, state);
  const slots = [...state.slots];
  for (let slot = 0; slot < slots.length; slot++) {
    const wanted = (space.target.slots[slot] ?? empty) !== empty;
    if (slots[slot] !== empty) {
      if (!wanted) return undefined;
      continue;
    }
    if (!wanted) continue;
    const atom = space.radices.findIndex(
      (radix, index) => ((free >> index) & 1) === 1 && radix === space.slotRadices[slot],
    );
    if (atom === -1) return undefined;
    slots[slot] = atom;
    free &= ~(1 << atom);
  }
  return { slots, partials: state.partials };
}

/** One ragged exchange straight to the target, once slices have made the blocks as small. */
function fetch(space: Space, sliced: State): Edge | undefined {
  if (!space.exchange) return undefined;
  const before = sliceDown(space, sliced);
  if (before === undefined) return undefined;
  const elements = remaining(space, before);
  return { collective: "exchange", before, after: space.target, elements };
}

/** The state with as many slots filled, radix by radix, as the target has; `undefined` beyond. */
function sliceDown(space: Space, state: State): State | undefined {
  let free = freeAtoms(space, state);
  const slots = [...state.slots];
  for (const radix of new Set(space.radices)) {
    let missing = fillOf(space, space.target.slots, radix) - fillOf(space, slots, radix);
    if (missing < 0) return undefined;
    for (let slot = 0; slot < slots.length && missing > 0; slot++) {
      if (slots[slot] !== empty || space.slotRadices[slot] !== radix) continue;
      const atom = space.radices.findIndex((r, at) => r === radix && ((free >> at) & 1) === 1);
      if (atom === -1) return undefined;
      slots[slot] = atom;
      free &= ~(1 << atom);
      missing--;
    }
    if (missing > 0) return undefined;
  }
  return { slots, partials: state.partials };
}

function fillOf(space: Space, slots: readonly number[], radix: number): number {
  return slots.filter((atom, slot) => atom !== empty && space.slotRadices[slot] === radix).length;
}

/** Reduces every partial atom into its empty home; all else is in place. */
function scatter(space: Space, before: State): Edge | undefined {
  const slots = [...before.slots];
  let group = 1;
  for (let atom = 0; atom < space.radices.length; atom++) {
    if (((before.partials >> atom) & 1) === 0) continue;
    const home = space.home[atom] ?? empty;
    if (home === empty || slots[home] !== empty) return undefined;
    slots[home] = atom;
    group *= space.radices[atom] ?? 1;
  }
  const after = { slots, partials: 0 };
  if (!isOneKind(space, before.partials) || !isSliceAway(space, after)) return undefined;
  const held = sizeOf(space, before);
  return { collective: "reduce-scatter", before, after, elements: held - held / group };
}

/** Reduces every partial atom to all; all else is in place. */
function reduce(space: Space, before: State): Edge | undefined {
  const after = { slots: before.slots, partials: 0 };
  if (!isOneKind(space, before.partials) || !isSliceAway(space, after)) return undefined;
  const held = sizeOf(space, before);
  const elements = 2 * (held - held / groupOf(space, before.partials));
  return { collective: "all-reduce", before, after, elements };
}

/** Whether the atoms of a set are combined in one way. */
export function isOneKind(space: Space, atoms: number): boolean {
  const kinds = space.reduces.filter((_, atom) => ((atoms >> atom) & 1) === 1);
  return kinds.every((kind) => kind === kinds[0]);
}

/** How many devices a collective over a set of atoms joins. */
export function groupOf(space: Space, atoms: number): number {
  return space.radices.reduce((n, radix, atom) => ((atoms >> atom) & 1 ? n * radix : n), 1);
}
