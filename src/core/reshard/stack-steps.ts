import {
  type Collective,
  type CollectiveStep,
  groupsOf,
  type Move,
  type Slot,
} from "#core/collective";
import { type Layout, type Part, refineLayout, samePart } from "#core/mesh";
import { partOf } from "./frame.ts";
import { layoutOfStack, movedAtoms, type Stack, type StackSpace } from "./stack.ts";

/** The collective from one stack to another, with its groups. */
export function stepBetween(
  space: StackSpace,
  now: Stack,
  then: Stack,
  collective: Collective,
): CollectiveStep {
  const [before, after] = [layoutOfStack(space, now), layoutOfStack(space, then)];
  const moved = movedAtoms(space, now, then);
  const parts = moved.flatMap((atom): Part[] => {
    const known = space.atoms[atom];
    return known === undefined ? [] : [partOf(known)];
  });
  const [source, target] = [refineLayout(before, parts), refineLayout(after, parts)];
  const moves = parts.map((part): Move => {
    const [from, to] = [slotOf(source, part), slotOf(target, part)];
    return { part, ...(from && { from }), ...(to && { to }) };
  });
  const groups = collective === "slice" ? [] : groupsOf(before.mesh, parts);
  return { collective, moves, groups, before, after };
}

function slotOf(layout: Layout | undefined, part: Part): Slot | undefined {
  const dim = layout?.dims.findIndex(({ parts }) => parts.some((other) => samePart(other, part)));
  if (dim === undefined || dim === -1) return undefined;
  const position = layout?.dims[dim]?.parts.findIndex((other) => samePart(other, part)) ?? 0;
  return { dim, position };
}
