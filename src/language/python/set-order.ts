import type { SetValue, Value } from "./value.ts";

/** The members of a set in the order of iteration. */
export function orderedMembers(set: SetValue): readonly Value[] {
  return [...set.members.values()];
}
