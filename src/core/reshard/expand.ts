import type { Edge } from "./finish.ts";
import { isOneKind, sliceHome } from "./finish.ts";
import { empty, type State } from "./frame.ts";
import { freeAtoms, lacking, type Space, sizeOf } from "./space.ts";

/**
 * Calls `visit` with every collective that can start from a state, after slices that help.
 *
 * Atoms in their place never move again, and a free atom is sliced where the target has it as soon
 * as that slot is empty. Slots that neither layout uses are alike, so only the first is tried.
 */
export function expand(space: Space, state: State, visit: (edge: Edge) => void): void {
  for (const before of slicings(space, sliceHome(space, state))) {
    const held = sizeOf(space, before);
    scatterings(space, before, held, visit);
    gathers(space, before, held, visit);
    moves(space, before, held, visit);
    permutations(space, before, held, visit);
    exchanges(space, before, visit);
  }
}

/** The state itself and all that follow from it by slicing free atoms into empty slots. */
function slicings(space: Space, state: State): readonly State[] {
  const free = freeAtoms(space, state);
  const found: State[] = [];
  const walk = (atom: number, slots: readonly number[], skipped: number): void => {
    if (atom === space.radices.length) {
      found.push({ slots, partials: state.partials });
      return;
    }
    const isAlike =
      space.home[atom] === empty && ((skipped >> (space.radices[atom] ?? 0)) & 1) === 1;
    if (((free >> atom) & 1) === 1 && !isAlike) {
      for (const slot of openSlots(space, slots, space.radices[atom] ?? 1)) {
        walk(atom + 1, placed(slots, slot, atom), skipped);
      }
    }
    const isSkipped = ((free >> atom) & 1) === 1 && space.home[atom] === empty;
    walk(atom + 1, slots, isSkipped ? skipped | (1 << (space.radices[atom] ?? 0)) : skipped);
  };
  walk(0, state.slots, 0);
  return found.sort((a, b) => occupied(a) - occupied(b));
}

function occupied(state: State): number {
  return state.slots.reduce((count, atom) => (atom === empty ? count : count + 1), 0);
}

/** Empty slots of a radix; of those in neither layout only the first. */
function openSlots(space: Space, slots: readonly number[], radix: number): readonly number[] {
  const open: number[] = [];
  for (let slot = 0; slot < slots.length; slot++) {
    if (slots[slot] !== empty || space.slotRadices[slot] !== radix) continue;
    open.push(slot);
    if (slot >= space.spareFrom) break;
  }
  return open;
}

function placed(slots: readonly number[], slot: number, atom: number): readonly number[] {
  const next = [...slots];
  next[slot] = atom;
  return next;
}

/** Reduce-scatters of partial atoms into empty slots, and all-reduces of them. */
function scatterings(space: Space, before: State, held: number, visit: (edge: Edge) => void): void {
  if (before.partials === 0) return;
  const walk = (atom: number, slots: readonly number[], chosen: number, group: number): void => {
    if (atom === space.radices.length) {
      if (chosen === 0 || !isOneKind(space, chosen)) return;
      const after = { slots, partials: before.partials & ~chosen };
      visit({ collective: "reduce-scatter", before, after, elements: held - held / group });
      return;
    }
    if (((before.partials >> atom) & 1) === 1) {
      const radix = space.radices[atom] ?? 1;
      for (const slot of openSlots(space, slots, radix)) {
        walk(atom + 1, placed(slots, slot, atom), chosen | (1 << atom), group * radix);
      }
    }
    walk(atom + 1, slots, chosen, group);
  };
  walk(0, before.slots, 0, 1);
  for (let chosen = before.partials; chosen > 0; chosen = (chosen - 1) & before.partials) {
    if (!isOneKind(space, chosen)) continue;
    const group = space.radices.reduce((n, r, atom) => ((chosen >> atom) & 1 ? n * r : n), 1);
    const after = { slots: before.slots, partials: before.partials & ~chosen };
    visit({ collective: "all-reduce", before, after, elements: 2 * (held - held / group) });
  }
}

function misplaced(space: Space, { slots }: State): readonly number[] {
  const found: number[] = [];
  for (let slot = 0; slot < slots.length; slot++) {
    if (slots[slot] !== empty && slots[slot] !== space.target.slots[slot]) found.push(slot);
  }
  return found;
}

function gathers(space: Space, before: State, held: number, visit: (edge: Edge) => void): void {
  const slots = misplaced(space, before);
  for (let chosen = 1; chosen < 1 << slots.length; chosen++) {
    const gathered = slots.filter((_, at) => (chosen >> at) & 1);
    const after = [...before.slots];
    for (const slot of gathered) after[slot] = empty;
    const state = { slots: after, partials: before.partials };
    const size = sizeOf(space, state);
    if (size > space.bound) continue;
    visit({ collective: "all-gather", before, after: state, elements: size - held });
  }
}

function moves(space: Space, before: State, held: number, visit: (edge: Edge) => void): void {
  const movable = misplaced(space, before);
  const walk = (at: number, slots: readonly number[], taken: readonly number[], group: number) => {
    const from = movable[at];
    if (from === undefined) {
      if (group === 1) return;
      const after = [...taken];
      visit({
        collective: "all-to-all",
        before,
        after: { slots: after, partials: before.partials },
        elements: held - held / group,
      });
      return;
    }
    walk(at + 1, slots, taken, group);
    const atom = before.slots[from] ?? empty;
    const radix = space.radices[atom] ?? 1;
    for (const slot of openSlots(space, slots, radix)) {
      if (from >= space.spareFrom && slot >= space.spareFrom) continue;
      const after = [...taken];
      after[from] = empty;
      after[slot] = atom;
      walk(at + 1, placed(slots, slot, atom), after, group * radix);
    }
  };
  walk(0, before.slots, before.slots, 1);
}

/**
 * Relabellings: slots of the target get its atoms, the others all choices of what is left; atoms
 * that the target does not use are alike, and so are the slots in neither layout.
 */
function permutations(
  space: Space,
  before: State,
  held: number,
  visit: (edge: Edge) => void,
): void {
  for (const after of relabellings(space, before)) {
    if (after.slots.every((atom, slot) => atom === before.slots[slot])) continue;
    visit({ collective: "collective-permute", before, after, elements: held });
  }
}

function relabellings(space: Space, before: State): readonly State[] {
  const slots = before.slots.map((atom, slot) => {
    const wanted = space.target.slots[slot] ?? empty;
    const isPartial = wanted !== empty && ((before.partials >> wanted) & 1) === 1;
    return atom === empty || wanted === empty || isPartial ? empty : wanted;
  });
  const parked = before.slots.flatMap((atom, slot) =>
    atom !== empty && slots[slot] === empty ? [slot] : [],
  );
  const found: State[] = [];
  const walk = (at: number, labels: readonly number[], free: number): void => {
    const slot = parked[at];
    if (slot === undefined) {
      found.push({ slots: labels, partials: before.partials });
      return;
    }
    for (const atom of choices(space, before, slot, free)) {
      walk(at + 1, placed(labels, slot, atom), free & ~(1 << atom));
    }
  };
  walk(0, slots, freeAtoms(space, { slots, partials: before.partials }));
  return found;
}

/** Atoms that may park in a slot: the one that is there first, of those without a home one. */
function choices(space: Space, before: State, slot: number, free: number): readonly number[] {
  const present = before.slots[slot] ?? empty;
  const fits = space.radices.flatMap((radix, atom) =>
    radix === space.slotRadices[slot] && ((free >> atom) & 1) === 1 ? [atom] : [],
  );
  const isHomeless = (atom: number) => space.home[atom] === empty;
  const homeless = fits.includes(present) && isHomeless(present) ? present : fits.find(isHomeless);
  const homed = fits.filter((atom) => !isHomeless(atom));
  const all = homeless === undefined ? homed : [homeless, ...homed];
  return all.includes(present) ? [present, ...all.filter((atom) => atom !== present)] : all;
}

/** A ragged exchange to the target's slots and what has to be gathered from there. */
function exchanges(space: Space, before: State, visit: (edge: Edge) => void): void {
  if (!space.exchange || before.partials !== 0) return;
  const slots = [...space.target.slots];
  let free = freeAtoms(space, space.target);
  const parked = misplaced(space, before);
  const excess = new Map<number, number>();
  for (let slot = 0; slot < slots.length; slot++) {
    const radix = space.slotRadices[slot] ?? 1;
    const more = Number(before.slots[slot] !== empty) - Number(slots[slot] !== empty);
    excess.set(radix, (excess.get(radix) ?? 0) + more);
  }
  for (const slot of parked) {
    const radix = space.slotRadices[slot] ?? 1;
    const left = excess.get(radix) ?? 0;
    if (left <= 0 || space.target.slots[slot] !== empty) continue;
    const present = before.slots[slot] ?? empty;
    const stays = present !== empty && ((free >> present) & 1) === 1;
    const atom = stays
      ? present
      : space.radices.findIndex((r, index) => r === radix && ((free >> index) & 1) === 1);
    if (atom === -1) return;
    slots[slot] = atom;
    free &= ~(1 << atom);
    excess.set(radix, left - 1);
  }
  if ([...excess.values()].some((left) => left !== 0)) return;
  const after = { slots, partials: 0 };
  visit({ collective: "exchange", before, after, elements: lacking(space, before, after) });
}
