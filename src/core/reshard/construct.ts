import type { Collective } from "#core/collective";
import { type Edge, groupOf, isOneKind, ratedEdge, sliceHome } from "./finish.ts";
import { empty, type State } from "./frame.ts";
import { type Route, routeOf } from "./search.ts";
import { freeAtoms, isSliceAway, type Space, sizeOf } from "./space.ts";

/**
 * A plan that always exists without an exchange: combine, then fill the target's slots with any
 * atoms by slices and one all-to-all, then one permute to the right labels, then gather the rest
 * (redistribution.md §7.3). It stays within the bound and need not be the cheapest.
 */
export function construct(space: Space): Route {
  const edges: Edge[] = [];
  let state = space.source;
  const add = (collective: Collective, before: State, after: State, elements: number) => {
    edges.push(ratedEdge(space, { collective, before, after, elements }));
    state = after;
  };
  while (state.partials !== 0) {
    const before = sliceHome(space, state);
    const { collective, after, group } = combineOne(space, before);
    const share = sizeOf(space, before) * (1 - 1 / group);
    add(collective, before, after, collective === "all-reduce" ? 2 * share : share);
  }
  const before = fillByFree(space, sliceHome(space, state));
  const moved = fillByMoves(space, before);
  if (moved.group > 1) {
    const held = sizeOf(space, before);
    add("all-to-all", before, moved.state, held - held / moved.group);
  } else state = before;
  const labelled = relabel(space, state);
  if (!isSame(labelled, state)) add("collective-permute", state, labelled, sizeOf(space, state));
  if (!isSliceAway(space, state)) {
    add("all-gather", state, space.target, sizeOf(space, space.target) - sizeOf(space, state));
  }
  return routeOf(edges);
}

function isSame(a: State, b: State): boolean {
  return a.slots.every((atom, slot) => atom === b.slots[slot]);
}

/** Reduces all partial atoms of one kind, into empty slots if each finds one. */
function combineOne(
  space: Space,
  before: State,
): { readonly collective: Collective; readonly after: State; readonly group: number } {
  const first = space.radices.findIndex((_, atom) => (before.partials >> atom) & 1);
  let chosen = 0;
  for (let atom = first; atom < space.radices.length; atom++) {
    const more = chosen | (before.partials & (1 << atom));
    if (isOneKind(space, more)) chosen = more;
  }
  const slots = [...before.slots];
  let isScattered = true;
  for (let atom = first; atom < space.radices.length; atom++) {
    if (((chosen >> atom) & 1) === 0) continue;
    const slot = openingFor(space, slots, atom);
    if (slot === undefined) isScattered = false;
    else slots[slot] = atom;
  }
  const partials = before.partials & ~chosen;
  const group = groupOf(space, chosen);
  return isScattered
    ? { collective: "reduce-scatter", after: { slots, partials }, group }
    : { collective: "all-reduce", after: { slots: before.slots, partials }, group };
}

/** The home of an atom if it is empty, else a slot of the target, else any. */
function openingFor(space: Space, slots: readonly number[], atom: number): number | undefined {
  const home = space.home[atom] ?? empty;
  if (home !== empty && slots[home] === empty) return home;
  const open = slots.flatMap((held, slot) =>
    held === empty && space.slotRadices[slot] === space.radices[atom] ? [slot] : [],
  );
  return open.find((slot) => space.target.slots[slot] !== empty) ?? open[0];
}

/** Fills the slots that the target uses with free atoms. */
function fillByFree(space: Space, state: State): State {
  let free = freeAtoms(space, state);
  const parked = new Set(state.slots.filter((_, slot) => space.target.slots[slot] === empty));
  const slots = state.slots.map((held, slot) => {
    const wanted = space.target.slots[slot] ?? empty;
    if (held !== empty || wanted === empty || parked.has(wanted)) return held;
    const fits = space.radices.flatMap((radix, atom) =>
      radix === space.slotRadices[slot] && ((free >> atom) & 1) === 1 ? [atom] : [],
    );
    const atom = fits.includes(wanted) ? wanted : (fits[0] ?? empty);
    if (atom !== empty) free &= ~(1 << atom);
    return atom;
  });
  return { slots, partials: state.partials };
}

/** Moves atoms from slots that the target does not use into those that it does. */
function fillByMoves(
  space: Space,
  state: State,
): { readonly state: State; readonly group: number } {
  const slots = [...state.slots];
  let group = 1;
  const move = (to: number, accepts: (atom: number) => boolean) => {
    if (slots[to] !== empty || (space.target.slots[to] ?? empty) === empty) return;
    const from = slots.findIndex(
      (atom, slot) =>
        atom !== empty &&
        space.target.slots[slot] === empty &&
        space.slotRadices[slot] === space.slotRadices[to] &&
        accepts(atom),
    );
    if (from === -1) return;
    group *= space.slotRadices[to] ?? 1;
    slots[to] = slots[from] ?? empty;
    slots[from] = empty;
  };
  for (let slot = 0; slot < slots.length; slot++) move(slot, (atom) => space.home[atom] === slot);
  for (let slot = 0; slot < slots.length; slot++) move(slot, () => true);
  return { state: { slots, partials: state.partials }, group };
}

/** The target's labels on its slots, what is left on the others. */
function relabel(space: Space, state: State): State {
  const slots = state.slots.map((atom, slot) =>
    atom === empty ? empty : (space.target.slots[slot] ?? empty),
  );
  let free = freeAtoms(space, { slots, partials: state.partials });
  for (let slot = 0; slot < slots.length; slot++) {
    const present = state.slots[slot] ?? empty;
    if (present === empty || slots[slot] !== empty) continue;
    const fits = (atom: number) =>
      ((free >> atom) & 1) === 1 && space.radices[atom] === space.slotRadices[slot];
    const atom = fits(present) ? present : space.radices.findIndex((_, at) => fits(at));
    slots[slot] = atom;
    free &= ~(1 << atom);
  }
  return { slots, partials: state.partials };
}
