import type { Hue } from "../hue.ts";
import type { Rect } from "../mark.ts";
import type { Frame, FrameDevice, FrameTransfer, HeldBlock } from "./frame.ts";

/** The path of a block from its sender to its receiver, as a cubic curve or a straight line. */
export interface FrameWay {
  readonly path: string;
  readonly hue: Hue | undefined;
  /** What a device keeps is a solid line, what travels a dashed one. */
  readonly isKept: boolean;
  readonly hasArrow: boolean;
  readonly opacity: number;
}

export interface PlacedBlock {
  readonly block: HeldBlock;
  readonly area: Rect;
}

export interface PlacedDevice {
  readonly device: FrameDevice;
  readonly rooms: { readonly before: Rect; readonly after: Rect };
  readonly before: readonly PlacedBlock[];
  readonly after: readonly PlacedBlock[];
}

const clearance = 6;
const paleOpacity = 0.22;

/**
 * The paths of what each device keeps and of what travels; of many receivers only the first has
 * paths at full opacity.
 *
 * @param plus x position of the plus signs where received parts are added
 */
export function waysOf(
  frame: Frame,
  rows: readonly PlacedDevice[],
  plus: number,
): readonly FrameWay[] {
  const hue = frame.axes[0]?.hue;
  const isAdding = frame.transfers.some(({ isAdded }) => isAdded);
  const kept = rows.flatMap((row): readonly FrameWay[] => {
    const y = keptY(row);
    const [from, to] = [endOf(row.rooms.before) + clearance, row.rooms.after.x - clearance];
    if (!keepsSome(row)) return [];
    return [{ path: `M${from} ${y}H${to}`, hue, isKept: true, hasArrow: true, opacity: 1 }];
  });
  const arrows = isAdding && kept.length === 0 ? rows.map((row) => plusArrow(row, plus, hue)) : [];
  const first = frame.devices[0]?.device;
  const isDense = frame.devices.length > 3 && frame.transfers.length > frame.devices.length;
  const travels = frame.transfers.flatMap((transfer): readonly FrameWay[] => {
    const path = travelPath(transfer, rows, plus);
    const isPale = isDense && transfer.to !== first;
    const opacity = isPale ? paleOpacity : 1;
    return path === undefined
      ? []
      : [{ path, hue, isKept: false, hasArrow: !transfer.isAdded, opacity }];
  });
  return [...travels, ...kept, ...arrows];
}

function plusArrow(row: PlacedDevice, plus: number, hue: Hue | undefined): FrameWay {
  const y = keptY(row);
  return {
    path: `M${plus} ${y}H${row.rooms.after.x - clearance}`,
    hue,
    isKept: true,
    hasArrow: true,
    opacity: 1,
  };
}

function travelPath(
  transfer: FrameTransfer,
  rows: readonly PlacedDevice[],
  plus: number,
): string | undefined {
  const from = rows.find((row) => row.device.device === transfer.from);
  const to = rows.find((row) => row.device.device === transfer.to);
  if (from === undefined || to === undefined) return undefined;
  const start = {
    x: endOf(from.rooms.before) + clearance,
    y: middleOf(from.before, transfer, from),
  };
  const end = transfer.isAdded
    ? { x: plus - 11, y: keptY(to) }
    : { x: to.rooms.after.x - clearance, y: middleOf(to.after, transfer, to) };
  const bend = (start.x + end.x) / 2;
  return `M${start.x} ${start.y}C${bend} ${start.y} ${bend} ${end.y} ${end.x} ${end.y}`;
}

/** The height at which a transferred box is drawn among placed blocks. */
function middleOf(
  placed: readonly PlacedBlock[],
  { box }: FrameTransfer,
  row: PlacedDevice,
): number {
  const holds = placed.find(({ block }) =>
    box.every((range, dim) => {
      const held = block.box[dim];
      return held !== undefined && held.start <= range.start && range.stop <= held.stop;
    }),
  );
  const area = holds?.area ?? row.rooms.before;
  return area.y + area.height / 2;
}

/** The height of what a device keeps: the block that it has before and after. */
export function keptY(row: PlacedDevice): number {
  const area = row.after.find(({ block }) => isHeldBefore(block, row))?.area ?? row.after[0]?.area;
  const shown = area ?? row.rooms.after;
  return shown.y + shown.height / 2;
}

function keepsSome(row: PlacedDevice): boolean {
  return row.after.some(({ block }) => isHeldBefore(block, row));
}

function isHeldBefore({ box }: HeldBlock, row: PlacedDevice): boolean {
  return row.before.some(({ block }) =>
    block.box.every((range, dim) => {
      const kept = box[dim];
      return kept !== undefined && range.start < kept.stop && kept.start < range.stop;
    }),
  );
}

function endOf({ x, width }: Rect): number {
  return x + width;
}
