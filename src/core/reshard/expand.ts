import { groupOf, isOneKind, sliceHome } from "./finish.ts";
import { exchanges, permutes } from "./permutes.ts";
import { empty, type State } from "./prime-sub-axis.ts";
import { freeSubAxes, leastCombining, remaining, type Space, sizeOf } from "./space.ts";
import {
  type Budget,
  eachOpening,
  firstAlike,
  isOther,
  misplaced,
  type Visit,
  type Walk,
} from "./walk.ts";

/**
 * Calls `visit` with every collective that can start from a state, after useful slices, and with
 * which a device receives less than `allowance` on the way to the target. Sub-axes that are in
 * their target slot never move again, and a free sub-axis is sliced into its target slot as soon as
 * that is empty. Of the slots that the target does not use, which are interchangeable, only the
 * first is tried; the same holds for sub-axes on equal links that the target does not use.
 */
export function expand(
  space: Space,
  state: State,
  allowance: number,
  budget: Budget,
  visit: Visit,
): void {
  for (const before of slicings(space, sliceHome(space, state), budget)) {
    if (budget.left <= 0) return;
    if (remaining(space, before) >= allowance) continue;
    const held = sizeOf(space, before);
    const whole: Walk = { space, before, held, allowance, most: allowance, budget, visit };
    if (before.partials !== 0) {
      reduceScatters(whole);
      allReduces(whole);
    }
    const walk = keepingPartials(whole);
    gathers(walk);
    moves(walk);
    permutes(walk);
    if (space.exchange && before.partials === 0) exchanges(walk);
  }
}

/** Relative excess over an allowance that is attributed to rounding. */
const slack = 1e-6;

/**
 * The allowance for collectives that leave the partial sums in place: reduced by the least that
 * combining the sums takes later.
 */
function keepingPartials(walk: Walk): Walk {
  const { space, before, allowance } = walk;
  const all = allowance * (1 + slack);
  if (before.partials === 0) return { ...walk, most: all - space.elements / space.targetCut };
  const left = all - leastCombining(space, before.partials);
  return { ...walk, allowance: left, most: left };
}

/**
 * The state itself, and all states that follow from it by slicing free sub-axes into empty slots.
 */
function slicings(space: Space, state: State, budget: Budget): readonly State[] {
  const free = freeSubAxes(space, state);
  const found: State[] = [];
  const slots = [...state.slots];
  const walk = (subAxis: number, skipped: number): void => {
    if (budget.left-- <= 0) return;
    if (subAxis === space.radices.length) {
      found.push({ slots: [...slots], partials: state.partials });
      return;
    }
    const isFree = ((free >> subAxis) & 1) === 1;
    const isHomeless = isFree && space.home[subAxis] === empty;
    const alikeBit = 1 << firstAlike(space, subAxis);
    if (isFree && !(isHomeless && (skipped & alikeBit) !== 0)) {
      eachOpening(space, slots, space.radices[subAxis] ?? 1, (slot) => {
        slots[slot] = subAxis;
        walk(subAxis + 1, skipped);
        slots[slot] = empty;
      });
    }
    walk(subAxis + 1, isHomeless ? skipped | alikeBit : skipped);
  };
  walk(0, 0);
  return found.reverse();
}

function reduceScatters({ space, before, held, allowance, budget, visit }: Walk): void {
  const slots = [...before.slots];
  const walk = (subAxis: number, chosen: number, group: number): void => {
    const elements = held - held / group;
    if (elements >= allowance || budget.left-- <= 0) return;
    if (subAxis === space.radices.length) {
      if (chosen === 0 || !isOneKind(space, chosen)) return;
      visit("reduce-scatter", before, { slots, partials: before.partials & ~chosen }, elements);
      return;
    }
    if (((before.partials >> subAxis) & 1) === 1) {
      const radix = space.radices[subAxis] ?? 1;
      eachOpening(space, slots, radix, (slot) => {
        slots[slot] = subAxis;
        walk(subAxis + 1, chosen | (1 << subAxis), group * radix);
        slots[slot] = empty;
      });
    }
    walk(subAxis + 1, chosen, group);
  };
  walk(0, 0, 1);
}

function allReduces({ space, before, held, visit }: Walk): void {
  const { partials, slots } = before;
  for (let chosen = partials; chosen > 0; chosen = (chosen - 1) & partials) {
    if (!isOneKind(space, chosen)) continue;
    const elements = 2 * (held - held / groupOf(space, chosen));
    visit("all-reduce", before, { slots, partials: partials & ~chosen }, elements);
  }
}

function gathers({ space, before, held, allowance, most: left, budget, visit }: Walk): void {
  const most = Math.min(space.bound, held + allowance);
  const from = misplaced(space, before.slots);
  const slots = [...before.slots];
  const walk = (at: number, size: number): void => {
    if (budget.left-- <= 0) return;
    const slot = from[at];
    if (slot === undefined) {
      if (size > held) {
        visit("all-gather", before, { slots, partials: before.partials }, size - held);
      }
      return;
    }
    const isLeft = isOther(space, slot, slots[slot] ?? empty);
    if (!isLeft || size - held <= left) walk(at + 1, size);
    const gathered = size * (space.slotRadices[slot] ?? 1);
    if (gathered > most) return;
    const subAxis = slots[slot] ?? empty;
    slots[slot] = empty;
    walk(at + 1, gathered);
    slots[slot] = subAxis;
  };
  walk(0, held);
}

function moves({ space, before, held, allowance, most, budget, visit }: Walk): void {
  const from = misplaced(space, before.slots);
  // Slots that sub-axes leave stay closed until the end of the step.
  const taken = [...before.slots];
  const slots = [...before.slots];
  const walk = (at: number, group: number): void => {
    const elements = held - held / group;
    if (elements >= allowance || budget.left-- <= 0) return;
    const slot = from[at];
    if (slot === undefined) {
      if (group > 1) visit("all-to-all", before, { slots, partials: before.partials }, elements);
      return;
    }
    const subAxis = before.slots[slot] ?? empty;
    if (!isOther(space, slot, subAxis) || elements <= most) walk(at + 1, group);
    const radix = space.radices[subAxis] ?? 1;
    const isTooMuch = held - held / (group * radix) > most;
    const isParked = space.target.slots[slot] === empty;
    slots[slot] = empty;
    eachOpening(space, taken, radix, (to) => {
      if (isParked && space.target.slots[to] === empty) return;
      if (isTooMuch && isOther(space, to, subAxis)) return;
      taken[to] = subAxis;
      slots[to] = subAxis;
      walk(at + 1, group * radix);
      taken[to] = empty;
      slots[to] = empty;
    });
    slots[slot] = subAxis;
  };
  walk(0, 1);
}
