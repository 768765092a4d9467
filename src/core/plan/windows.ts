import { type Box, boxesWithout, projectBox, sameBox, volumeOf } from "#core/indexspace";
import type { Operand, Operator } from "#core/ir";
import { boxesByIndex, type DimLayout, type Layout } from "#core/mesh";
import type { OperatorPlan } from "./plan.ts";

/** Boxes per device, in the order of a mesh. */
export type DeviceBoxes = readonly (readonly Box[])[];

/**
 * The boxes of an operand that the pieces of an operator touch, per device in the order of the
 * plan's mesh; `undefined` where those are just the blocks of a layout, or where the operand has no
 * projection of its own.
 *
 * @param layout how the operand lies by its dims alone (`wantedLayout`, `producedLayout`)
 */
export function windowsOf(
  operator: Operator,
  operand: Operand,
  plan: OperatorPlan,
  layout: Layout,
  shape: readonly number[],
): DeviceBoxes | undefined {
  const { projection } = operand;
  if (projection === undefined) return undefined;
  const windows = indexPieces(operator, plan).map((pieces) =>
    pieces.filter((box) => volumeOf(box) > 0).map((box) => projectBox(projection, box)),
  );
  const blocks = boxesByIndex(layout, shape);
  return windows.every((boxes, at) => sameFilled(boxes, blocks[at] ?? [])) ? undefined : windows;
}

/** The parts of an operator's index space that each device computes, in the order of the mesh. */
export function indexPieces(
  { axes }: Operator,
  { strategy, mesh, asGiven }: Pick<OperatorPlan, "strategy" | "mesh" | "asGiven">,
): DeviceBoxes {
  const dims = axes.map(
    ({ name }): DimLayout =>
      asGiven?.axes?.[name] ?? { parts: strategy.cuts[name] ?? [], chunks: "flat" },
  );
  return boxesByIndex(
    { mesh, dims, partials: [] },
    axes.map(({ size }) => size),
  );
}

/** Cells that the device which lacks most does not hold of what it wants. */
export function lackingElements(held: DeviceBoxes, wanted: DeviceBoxes): number {
  return wanted.reduce((most, boxes, at) => {
    const lacking = boxesWithout(boxes, held[at] ?? []);
    return Math.max(
      most,
      lacking.reduce((sum, box) => sum + volumeOf(box), 0),
    );
  }, 0);
}

function sameFilled(a: readonly Box[], b: readonly Box[]): boolean {
  const [x, y] = [a, b].map((boxes) => boxes.filter((box) => volumeOf(box) > 0));
  return x?.length === y?.length && (x ?? []).every((box, at) => sameBox(box, y?.[at] ?? []));
}
