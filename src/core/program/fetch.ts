import { createFetch, stepElements, stepSeconds } from "#core/collective";
import { boxesWithout } from "#core/indexspace";
import { bytesOf, type Tensor } from "#core/ir";
import {
  boxesByIndex,
  coordinatesOf,
  type DeviceBoxes,
  type DeviceMesh,
  type Layout,
} from "#core/mesh";
import { fieldOf } from "#core/records";
import type { ReshardStep } from "#core/reshard";
import type { Value } from "./program.ts";

type Holding = Pick<Value, "layout" | "held">;

/** The boxes that each device holds of a value, in the order of the layout's mesh. */
export function ownBoxes({ layout, held }: Holding, shape: readonly number[]): DeviceBoxes {
  return held ?? boxesByIndex(layout, shape);
}

/** Whether every device holds all its wanted cells. */
export function covers(held: DeviceBoxes, wanted: DeviceBoxes): boolean {
  return wanted.every((boxes, at) => boxesWithout(boxes, held[at] ?? []).length === 0);
}

/**
 * The boxes that devices hold when a second part of a tensor joins a first; cells in both count to
 * the second.
 */
export function heldWith(first: Holding, second: Holding, { shape }: Tensor): DeviceBoxes {
  const before = ownBoxes(first, shape);
  return ownBoxes(second, shape).map((boxes, at) => [
    ...boxesWithout(before[at] ?? [], boxes),
    ...boxes,
  ]);
}

/** Key of a holding: equal if the same devices hold the same boxes. */
export function heldKey({ mesh }: Layout, boxes: DeviceBoxes): string {
  return JSON.stringify([mesh.devices, boxes]);
}

/** Exchange that brings every device the missing cells of its wanted boxes. */
export function fetchStep(before: Holding, after: Holding, tensor: Tensor): ReshardStep {
  const { shape, dtype } = tensor;
  const [source, target] = [before, after].map((holding) => ({
    layout: holding.layout,
    boxes: ownBoxes(holding, shape),
  }));
  if (source === undefined || target === undefined) throw new Error("an exchange has two ends");
  const step = createFetch(source, target);
  const elements = stepElements(step, shape);
  const { transfers = [], groups } = step;
  return {
    collective: "exchange",
    moves: [],
    axes: crossedAxes(before.layout.mesh, groups),
    groups,
    transfers,
    layout: after.layout,
    elements,
    bytes: elements * bytesOf(dtype),
    seconds: stepSeconds(step, shape, bytesOf(dtype)),
  };
}

/** The axes along which members of some group differ, in the order of the mesh. */
function crossedAxes(mesh: DeviceMesh, groups: ReshardStep["groups"]): readonly string[] {
  const places = new Map(mesh.devices.map((id, index) => [id, coordinatesOf(mesh, index)]));
  return mesh.axes.flatMap(({ name }) => {
    const isCrossed = groups.some(
      (group) => new Set(group.map((device) => fieldOf(places.get(device), name))).size > 1,
    );
    return isCrossed ? [name] : [];
  });
}
