// The state and the bounds of a search for collectives, and the slots that its sub-axes may take.

import type { Collective } from "#core/collective";
import { empty, type State } from "./prime-sub-axis.ts";
import type { Space } from "./space.ts";

/** Receives one collective from a state. The caller reuses the slots of both states afterwards. */
export type Visit = (collective: Collective, before: State, after: State, elements: number) => void;

/** How many branches may still be tried; the search gives up when none are left. */
export interface Budget {
  left: number;
}

/** The collectives of one kind from one state, within the bounds of a search. */
export interface Walk {
  readonly space: Space;
  readonly before: State;
  /** Elements that a device holds before the collective. */
  readonly held: number;
  readonly allowance: number;
  /**
   * Limit on the elements that a device receives in a collective after which it lacks its whole
   * block, because a slot holds another sub-axis than in the target.
   */
  readonly most: number;
  readonly budget: Budget;
  readonly visit: Visit;
}

/** Whether a slot used by the target would hold another sub-axis than in the target. */
export function isOther({ target }: Space, slot: number, subAxis: number): boolean {
  const wanted = target.slots[slot] ?? empty;
  return wanted !== empty && wanted !== subAxis;
}

/** The first sub-axis with the same radix on an equal link. */
export function firstAlike({ radices, rates }: Space, subAxis: number): number {
  return radices.findIndex(
    (radix, other) => radix === radices[subAxis] && rates.kinds[other] === rates.kinds[subAxis],
  );
}

/**
 * Calls back for every empty slot of a radix that the target uses, and for the first one that it
 * does not use.
 */
export function eachOpening(
  space: Space,
  slots: readonly number[],
  radix: number,
  use: (slot: number) => void,
): void {
  let hasParking = false;
  for (let slot = 0; slot < slots.length; slot++) {
    if (slots[slot] !== empty || space.slotRadices[slot] !== radix) continue;
    if (space.target.slots[slot] === empty) {
      if (hasParking) continue;
      hasParking = true;
    }
    use(slot);
  }
}

/** Slots that hold another sub-axis than in the target. */
export function misplaced(space: Space, slots: readonly number[]): readonly number[] {
  const found: number[] = [];
  for (let slot = 0; slot < slots.length; slot++) {
    if (slots[slot] !== empty && slots[slot] !== space.target.slots[slot]) found.push(slot);
  }
  return found;
}
