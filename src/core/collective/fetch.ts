import { type Box, boxesWithout, intersect, volumeOf } from "#core/indexspace";
import type { DeviceId, Layout } from "#core/mesh";
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
  const sent = devices.map(() => 0);
  return devices.flatMap((to, index) => {
    let lacking = boxesWithout(wanted[index] ?? [], held[index] ?? []);
    const transfers: Transfer[] = [];
    while (lacking.length > 0) {
      const found = holderOf(lacking, held, sent);
      if (found === undefined) break;
      const { holder, box } = found;
      const [from = to] = devices.slice(holder, holder + 1);
      const ranges = lacking.flatMap((each) => {
        const common = intersect(each, box);
        return common === undefined ? [] : [common];
      });
      sent[holder] = (sent[holder] ?? 0) + ranges.reduce((sum, each) => sum + volumeOf(each), 0);
      transfers.push(...ranges.map((range) => ({ from, to, range })));
      lacking = boxesWithout(lacking, [box]);
    }
    return transfers;
  });
}

/** The box with some of these cells whose device has sent least. */
function holderOf(
  lacking: readonly Box[],
  held: DeviceBoxes,
  sent: readonly number[],
): { readonly holder: number; readonly box: Box } | undefined {
  let best: { readonly holder: number; readonly box: Box } | undefined;
  for (const [holder, boxes] of held.entries()) {
    if (best !== undefined && (sent[holder] ?? 0) >= (sent[best.holder] ?? 0)) continue;
    const box = boxes.find((each) => lacking.some((one) => intersect(one, each) !== undefined));
    if (box !== undefined) best = { holder, box };
  }
  return best;
}
