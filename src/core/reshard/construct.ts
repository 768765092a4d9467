import type { Collective } from "#core/collective";
import { type Edge, groupOf, isOneKind, ratedEdge, sliceHome } from "./finish.ts";
import { empty, type State } from "./prime-sub-axis.ts";
import { type Route, routeOf } from "./search.ts";
import { freeSubAxes, isSliceAway, type Space, sizeOf } from "./space.ts";

/**
 * A plan that always exists without an exchange: combine, then fill the target's slots with any
 * sub-axes by slices and one all-to-all, then one permute to the right labels, then gather the rest
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
  return a.slots.every((subAxis, slot) => subAxis === b.slots[slot]);
}

/** Reduces all partial sub-axes of one kind, into empty slots if each finds one. */
function combineOne(
  space: Space,
  before: State,
): { readonly collective: Collective; readonly after: State; readonly group: number } {
  const first = space.radices.findIndex((_, subAxis) => (before.partials >> subAxis) & 1);
  let chosen = 0;
  for (let subAxis = first; subAxis < space.radices.length; subAxis++) {
    const more = chosen | (before.partials & (1 << subAxis));
    if (isOneKind(space, more)) chosen = more;
  }
  const slots = [...before.slots];
  let isScattered = true;
  for (let subAxis = first; subAxis < space.radices.length; subAxis++) {
    if (((chosen >> subAxis) & 1) === 0) continue;
    const slot = openingFor(space, slots, subAxis);
    if (slot === undefined) isScattered = false;
    else slots[slot] = subAxis;
  }
  const partials = before.partials & ~chosen;
  const group = groupOf(space, chosen);
  return isScattered
    ? { collective: "reduce-scatter", after: { slots, partials }, group }
    : { collective: "all-reduce", after: { slots: before.slots, partials }, group };
}

/**
 * Empty slot for a sub-axis: its own slot in the target, else another slot of the target, else any;
 * `undefined` if none is empty.
 */
function openingFor(space: Space, slots: readonly number[], subAxis: number): number | undefined {
  const home = space.home[subAxis] ?? empty;
  if (home !== empty && slots[home] === empty) return home;
  const open = slots.flatMap((held, slot) =>
    held === empty && space.slotRadices[slot] === space.radices[subAxis] ? [slot] : [],
  );
  return open.find((slot) => space.target.slots[slot] !== empty) ?? open[0];
}

/** Fills the slots that the target uses with free sub-axes. */
function fillByFree(space: Space, state: State): State {
  let free = freeSubAxes(space, state);
  const parked = new Set(state.slots.filter((_, slot) => space.target.slots[slot] === empty));
  const slots = state.slots.map((held, slot) => {
    const wanted = space.target.slots[slot] ?? empty;
    if (held !== empty || wanted === empty || parked.has(wanted)) return held;
    const fits = space.radices.flatMap((radix, subAxis) =>
      radix === space.slotRadices[slot] && ((free >> subAxis) & 1) === 1 ? [subAxis] : [],
    );
    const subAxis = fits.includes(wanted) ? wanted : (fits[0] ?? empty);
    if (subAxis !== empty) free &= ~(1 << subAxis);
    return subAxis;
  });
  return { slots, partials: state.partials };
}

/** Moves sub-axes from slots that the target does not use into those that it does. */
function fillByMoves(
  space: Space,
  state: State,
): { readonly state: State; readonly group: number } {
  const slots = [...state.slots];
  let group = 1;
  const move = (to: number, accepts: (subAxis: number) => boolean) => {
    if (slots[to] !== empty || (space.target.slots[to] ?? empty) === empty) return;
    const from = slots.findIndex(
      (subAxis, slot) =>
        subAxis !== empty &&
        space.target.slots[slot] === empty &&
        space.slotRadices[slot] === space.slotRadices[to] &&
        accepts(subAxis),
    );
    if (from === -1) return;
    group *= space.slotRadices[to] ?? 1;
    slots[to] = slots[from] ?? empty;
    slots[from] = empty;
  };
  for (let slot = 0; slot < slots.length; slot++)
    move(slot, (subAxis) => space.home[subAxis] === slot);
  for (let slot = 0; slot < slots.length; slot++) move(slot, () => true);
  return { state: { slots, partials: state.partials }, group };
}

/** Permutes the target's sub-axes onto its slots, and the remaining ones onto the other slots. */
function relabel(space: Space, state: State): State {
  const slots = state.slots.map((subAxis, slot) =>
    subAxis === empty ? empty : (space.target.slots[slot] ?? empty),
  );
  let free = freeSubAxes(space, { slots, partials: state.partials });
  for (let slot = 0; slot < slots.length; slot++) {
    const present = state.slots[slot] ?? empty;
    if (present === empty || slots[slot] !== empty) continue;
    const fits = (subAxis: number) =>
      ((free >> subAxis) & 1) === 1 && space.radices[subAxis] === space.slotRadices[slot];
    const subAxis = fits(present) ? present : space.radices.findIndex((_, at) => fits(at));
    slots[slot] = subAxis;
    free &= ~(1 << subAxis);
  }
  return { slots, partials: state.partials };
}
