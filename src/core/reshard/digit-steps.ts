import { type Collective, groupsOf, type LayoutStep, type Move, type Slot } from "#core/collective";
import { type Layout, type Part, refineLayout, samePart } from "#core/mesh";
import { type DigitLayout, type DigitSpace, layoutOfDigits, movedSubAxes } from "./digit-layout.ts";
import { partOf } from "./prime-sub-axis.ts";

/** The collective from one layout to another, with its groups. */
export function stepBetween(
  space: DigitSpace,
  now: DigitLayout,
  then: DigitLayout,
  collective: Collective,
): LayoutStep {
  const [before, after] = [layoutOfDigits(space, now), layoutOfDigits(space, then)];
  const moved = movedSubAxes(space, now, then);
  const parts = moved.flatMap((subAxis): Part[] => {
    const known = space.subAxes[subAxis];
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
