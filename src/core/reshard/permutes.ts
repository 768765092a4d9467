import { empty, type State } from "./prime-sub-axis.ts";
import { freeSubAxes, lacking, type Space } from "./space.ts";
import { firstAlike, isOther, misplaced, type Walk } from "./walk.ts";

/**
 * Permutes: slots of the target get its sub-axes, the others every choice of the remaining ones.
 * Slots and sub-axes that the target does not use are interchangeable, so one of each kind is
 * tried.
 */
export function permutes({ space, before, held, allowance, most, budget, visit }: Walk): void {
  if (held >= allowance) return;
  const slots = before.slots.map((subAxis, slot) => {
    const wanted = space.target.slots[slot] ?? empty;
    const isPartial = wanted !== empty && ((before.partials >> wanted) & 1) === 1;
    return subAxis === empty || wanted === empty || isPartial ? empty : wanted;
  });
  const open: number[] = [];
  for (let slot = 0; slot < slots.length; slot++) {
    if (before.slots[slot] !== empty && slots[slot] === empty) open.push(slot);
  }
  const walk = (at: number, free: number): void => {
    if (budget.left-- <= 0) return;
    const slot = open[at];
    if (slot === undefined) {
      if (slots.some((subAxis, index) => subAxis !== before.slots[index])) {
        visit("collective-permute", before, { slots, partials: before.partials }, held);
      }
      return;
    }
    for (const subAxis of labels(space, before, slot, free)) {
      if (held > most && isOther(space, slot, subAxis)) continue;
      slots[slot] = subAxis;
      walk(at + 1, free & ~(1 << subAxis));
    }
    slots[slot] = empty;
  };
  walk(0, freeSubAxes(space, { slots, partials: before.partials }));
}

/**
 * Candidates for a slot in a permute: its present sub-axis if it may stay, every sub-axis with a
 * target slot, and of those without one a single sub-axis per kind.
 */
function labels(space: Space, before: State, slot: number, free: number): readonly number[] {
  const present = before.slots[slot] ?? empty;
  const found: number[] = [];
  let homeless = 0;
  const add = (subAxis: number) => {
    if (((free >> subAxis) & 1) === 0 || space.radices[subAxis] !== space.slotRadices[slot]) return;
    if (found.includes(subAxis)) return;
    if (space.home[subAxis] === empty) {
      const alikeBit = 1 << firstAlike(space, subAxis);
      if ((homeless & alikeBit) !== 0) return;
      homeless |= alikeBit;
    }
    found.push(subAxis);
  };
  add(present);
  for (let subAxis = 0; subAxis < space.radices.length; subAxis++) add(subAxis);
  return found;
}

/** A ragged exchange to the target's slots and those that must be gathered afterwards. */
export function exchanges({ space, before, visit }: Walk): void {
  const slots = [...space.target.slots];
  let free = freeSubAxes(space, space.target);
  const excess = excessOf(space, before.slots);
  for (const slot of misplaced(space, before.slots)) {
    const radix = space.slotRadices[slot] ?? 1;
    const left = excess.get(radix) ?? 0;
    if (left <= 0 || slots[slot] !== empty) continue;
    const subAxis = parkedSubAxis(space, before.slots[slot] ?? empty, radix, free);
    if (subAxis === undefined) return;
    slots[slot] = subAxis;
    free &= ~(1 << subAxis);
    excess.set(radix, left - 1);
  }
  if ([...excess.values()].some((left) => left !== 0)) return;
  const after = { slots, partials: 0 };
  visit("exchange", before, after, lacking(space, before, after));
}

/** By radix, how many more slots a state fills than the target. */
function excessOf(space: Space, slots: readonly number[]): Map<number, number> {
  const excess = new Map<number, number>();
  for (let slot = 0; slot < slots.length; slot++) {
    const radix = space.slotRadices[slot] ?? 1;
    const more = Number(slots[slot] !== empty) - Number(space.target.slots[slot] !== empty);
    excess.set(radix, (excess.get(radix) ?? 0) + more);
  }
  return excess;
}

function parkedSubAxis(
  space: Space,
  present: number,
  radix: number,
  free: number,
): number | undefined {
  if (present !== empty && ((free >> present) & 1) === 1) return present;
  const found = space.radices.findIndex(
    (r, subAxis) => r === radix && ((free >> subAxis) & 1) === 1,
  );
  return found === -1 ? undefined : found;
}
