import { type Box, boxesWithout, intersect, volumeOf } from "#core/indexspace";
import type { DeviceId, Layout } from "#core/mesh";
import { BoxHolders } from "./box-holders.ts";
import type { Transfer } from "./collective.ts";
import { componentsOf } from "./groups.ts";
import type { CollectiveStep } from "./step.ts";

/** Boxes per device, in the order of a mesh. */
export type DeviceBoxes = readonly (readonly Box[])[];

/** Layouts with the boxes that their devices really hold. */
export interface HeldLayout {
  readonly layout: Layout;
  readonly boxes: DeviceBoxes;
}

/**
 * The exchange after which every device holds at least the boxes that it wants: each fetches the
 * cells that it lacks and no others, from the holder that has sent least so far. Both lie on one
 * mesh. Cells that nobody holds do not travel.
 */
export function createFetch(before: HeldLayout, after: HeldLayout): CollectiveStep {
  const { mesh } = before.layout;
  const transfers = fetchTransfers(mesh.devices, before.boxes, after.boxes);
  return {
    collective: "exchange",
    moves: [],
    groups: componentsOf(mesh, transfers),
    transfers,
    before: before.layout,
    after: after.layout,
  };
}

function fetchTransfers(
  devices: readonly DeviceId[],
  held: DeviceBoxes,
  wanted: DeviceBoxes,
): readonly Transfer[] {
  const holders = new BoxHolders(held);
  return devices.flatMap((to, index) => {
    let lacking = boxesWithout(wanted[index] ?? [], held[index] ?? []);
    const transfers: Transfer[] = [];
    while (lacking.length > 0) {
      const found = holders.least(lacking);
      if (found === undefined) break;
      const { holder, box } = found;
      const [from = to] = devices.slice(holder, holder + 1);
      const ranges = lacking.flatMap((each) => {
        const common = intersect(each, box);
        return common === undefined ? [] : [common];
      });
      holders.send(
        holder,
        ranges.reduce((sum, each) => sum + volumeOf(each), 0),
      );
      transfers.push(...ranges.map((range) => ({ from, to, range })));
      lacking = boxesWithout(lacking, [box]);
    }
    return transfers;
  });
}
