import type { Hue } from "../hue.ts";
import type { Point, Rect } from "../mark.ts";
import type { Frame, FrameDevice, FrameTransfer, HeldBlock } from "./frame.ts";

/** The path of a block from its sender to its receiver, as a cubic curve or a straight line. */
export interface FrameWay {
  readonly path: string;
  readonly hue: Hue | undefined;
  /** A kept block has a solid line, a transferred one a dashed line. */
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
 * The paths of kept and of transferred blocks; with many receivers only the paths to the first one
 * have full opacity.
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
  const travels = coursesOf(frame, rows, plus).map(({ transfer, course, opacity }): FrameWay => {
    const path = pathOf(course);
    return { path, hue, isKept: false, hasArrow: !transfer.isAdded, opacity };
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

/** A cubic Bézier curve: its ends and control points. */
export interface Course {
  readonly from: Point;
  readonly bends: readonly [Point, Point];
  readonly to: Point;
}

/** A transfer between two drawn devices, with its curve. */
export interface Travel {
  readonly transfer: FrameTransfer;
  readonly course: Course;
  readonly opacity: number;
}

/** The curves of all transfers between drawn devices; in a dense frame most are pale. */
export function coursesOf(
  frame: Frame,
  rows: readonly PlacedDevice[],
  plus: number,
): readonly Travel[] {
  const first = frame.devices[0]?.device;
  const isDense = frame.devices.length > 3 && frame.transfers.length > frame.devices.length;
  return frame.transfers.flatMap((transfer): readonly Travel[] => {
    const course = courseOf(transfer, rows, plus);
    const opacity = isDense && transfer.to !== first ? paleOpacity : 1;
    return course === undefined ? [] : [{ transfer, course, opacity }];
  });
}

/** The point on a curve at a share (0 to 1) of its parameter. */
export function pointOn({ from, bends: [leave, arrive], to }: Course, share: number): Point {
  const rest = 1 - share;
  const at = (a: number, b: number, c: number, d: number) =>
    rest ** 3 * a + 3 * rest ** 2 * share * b + 3 * rest * share ** 2 * c + share ** 3 * d;
  return {
    x: at(from.x, leave.x, arrive.x, to.x),
    y: at(from.y, leave.y, arrive.y, to.y),
  };
}

function pathOf({ from, bends: [leave, arrive], to }: Course): string {
  return `M${from.x} ${from.y}C${leave.x} ${leave.y} ${arrive.x} ${arrive.y} ${to.x} ${to.y}`;
}

function courseOf(
  transfer: FrameTransfer,
  rows: readonly PlacedDevice[],
  plus: number,
): Course | undefined {
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
  return {
    from: start,
    bends: [
      { x: bend, y: start.y },
      { x: bend, y: end.y },
    ],
    to: end,
  };
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

/** The y at which a kept block is drawn: that of the block held before and after. */
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
