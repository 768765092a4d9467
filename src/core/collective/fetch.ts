import { boxesWithout } from "#core/indexspace";
import type { DeviceBoxes, DeviceId, Layout } from "#core/mesh";
import { BoxHolders } from "./box-holders.ts";
import { overlaps, volumes } from "./box-lists.ts";
import type { Transfer } from "./collective.ts";
import { componentsOf, type LayoutStep } from "./step.ts";

/** Layouts with the boxes that their devices really hold. */
export interface HeldLayout {
  readonly layout: Layout;
  readonly boxes: DeviceBoxes;
}

/**
 * Exchange after which every device holds at least its wanted boxes. Each device fetches only
 * missing cells, every box from the holder that has sent least so far. Both layouts are on one
 * mesh. Cells without a holder are not sent.
 */
export function createFetch(before: HeldLayout, after: HeldLayout): LayoutStep {
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
  const transfers: Transfer[] = [];
  for (const [index, to] of devices.entries()) {
    let lacking = boxesWithout(wanted[index] ?? [], held[index] ?? []);
    if (lacking.length === 0) continue;
    for (const { box, holder } of holders.around(lacking)) {
      const ranges = overlaps(lacking, [box]);
      if (ranges.length === 0) continue;
      const sender = holder();
      holders.send(sender, volumes(ranges));
      for (const range of ranges) transfers.push({ from: devices[sender] ?? to, to, range });
      lacking = boxesWithout(lacking, [box]);
      if (lacking.length === 0) break;
    }
  }
  return transfers;
}
