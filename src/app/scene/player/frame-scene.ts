import { type Coordinate, cellMarks } from "../glyph/cell-marks.ts";
import type { Mark, Point, Rect, Size } from "../mark.ts";
import { drawnRange, movedBy } from "../rows.ts";
import { changedLabels, type LabelSegment } from "../text/label.ts";
import { formatBytes } from "../text/numbers.ts";
import type { Frame, FrameDevice, HeldBlock } from "./frame.ts";
import { type FrameColumns, frameColumns } from "./frame-columns.ts";
import { areaIn, type FramePiece, piecesOf } from "./frame-pieces.ts";
import { type FrameWay, keptY, type PlacedBlock, type PlacedDevice, waysOf } from "./frame-ways.ts";

/** A text of a frame at its position; mesh axes in layouts are separate segments. */
export interface FrameText {
  readonly at: Point;
  readonly style: "head" | "device" | "bytes";
  readonly anchor: "start" | "middle";
  readonly segments: readonly LabelSegment[];
}

/** A frame laid out: marks, paths and texts at their positions, in CSS pixels. */
export interface FrameScene extends Size {
  readonly marks: readonly Mark[];
  /** The area of each block and its text for a tooltip. */
  readonly blocks: readonly { readonly area: Rect; readonly text: string }[];
  readonly ways: readonly FrameWay[];
  /** Transferred blocks, drawn around the origin, and the course of their middle. */
  readonly pieces: readonly FramePiece[];
  /** The plus signs where received parts are added, and their radius. */
  readonly pluses: readonly Point[];
  readonly plusRadius: number;
  /** The x range between the blocks before and those after, where paths are drawn. */
  readonly between: { readonly from: number; readonly to: number };
  readonly texts: readonly FrameText[];
}

/** Available size of a frame, in pixels; the frame takes no more than it needs. */
export interface FrameRoom {
  readonly width?: number;
  readonly height?: number;
}

const headHeight = 34;

/** Least and greatest height (px) for all devices of a frame, below its head. */
export const bodyHeights = { least: 139, most: 760 } as const;

/** Side length (px) below which a block has no outline, since the outline would hide it. */
const leastBound = 4;

/**
 * Row heights of a frame: up to two devices have tall rows with names above, more have short rows
 * with ids.
 */
interface Heights {
  readonly block: number;
  readonly pitch: number;
  readonly left: number;
  readonly isNamed: boolean;
}

/**
 * Lays out one frame: blocks before the step at the left, after it at the right, transfers between.
 */
export function frameScene(frame: Frame, room: FrameRoom = {}): FrameScene {
  const body = bodyHeightIn(room);
  const columns = frameColumns(
    room.width ?? Number.POSITIVE_INFINITY,
    Math.max(0, Math.floor((body - bodyHeights.least) * 0.9)),
  );
  const heights = heightsOf(frame.devices, body, columns.block);
  const rows = frame.devices.map((device, at) => placesOf(frame, device, { heights, columns, at }));
  const blocks = rows.flatMap(({ before, after }) => [...before, ...after]);
  const textOf = textThatFits(frame, blocks);
  return {
    width: columns.width,
    height: headHeight + frame.devices.length * heights.pitch,
    marks: rows.flatMap((row) => rowMarks(frame, row, textOf)),
    blocks: blocks.map(({ area, block }) => ({ area, text: block.text })),
    ways: waysOf(frame, rows, columns.plus),
    pieces: piecesOf(frame, rows, columns.plus),
    pluses: frame.transfers.some(({ isAdded }) => isAdded)
      ? rows.map((row) => ({ x: columns.plus, y: keptY(row) }))
      : [],
    plusRadius: Math.min(9, Math.floor(heights.pitch / 2) - 2),
    between: { from: heights.left + columns.block + 2, to: columns.after - 2 },
    texts: [
      ...headTexts(frame, columns),
      ...rows.flatMap((row) => rowTexts(row, heights)),
      ...bytesText(frame, rows, columns),
    ],
  };
}

/** Least body height (px) that is accepted when the page is embedded in another one. */
const tightest = 104;

/** Height available below the head of a frame, clamped to its bounds. */
export function bodyHeightIn({ height = 0 }: FrameRoom): number {
  const { least, most } = bodyHeights;
  const isTight = height >= headHeight + tightest && height < headHeight + least;
  if (isTight) return Math.floor(height) - headHeight;
  return Math.min(most, Math.max(least, Math.floor(height) - headHeight));
}

/** Row heights that fill the available height, as far as the blocks' width allows. */
function heightsOf(devices: readonly FrameDevice[], body: number, width: number): Heights {
  const count = devices.length;
  if (count <= 2) {
    const pitch = Math.floor(Math.min(body / 2, width * 2));
    return { block: pitch - 25, pitch, left: 2, isNamed: true };
  }
  const pitch = Math.floor(Math.min(body / count, Math.max(72, width * 0.8)));
  const digits = Math.max(...devices.map(({ device }) => String(device).length));
  const left = Math.max(18, 6 + digits * idDigit);
  return { block: pitch - (count <= 4 ? 8 : 3), pitch, left, isNamed: false };
}

/** Width of one digit of a device's id, in pixels. */
const idDigit = 6.6;

interface FrameSlot {
  readonly heights: Heights;
  readonly columns: FrameColumns;
  /** Index of the device in the frame, from 0. */
  readonly at: number;
}

function placesOf(
  frame: Frame,
  device: FrameDevice,
  { heights, columns, at }: FrameSlot,
): PlacedDevice {
  const y = headHeight + at * heights.pitch + (heights.isNamed ? 18 : 2);
  const size = { width: columns.block, height: heights.block };
  const rooms = {
    before: { x: heights.left, y, ...size },
    after: { x: columns.after, y, ...size },
  };
  const place = (blocks: readonly HeldBlock[], room: Rect) =>
    blocks.map((block) => ({ block, area: areaIn(frame, block.box, room) }));
  return {
    device,
    rooms,
    before: place(device.before, rooms.before),
    after: place(device.after, rooms.after),
  };
}

function rowMarks(
  frame: Frame,
  { rooms, before, after }: PlacedDevice,
  textOf: (block: HeldBlock) => string,
): readonly Mark[] {
  return [
    ...sideMarks(frame, rooms.before, before),
    ...sideMarks(frame, rooms.after, after),
    ...[...before, ...after].flatMap(({ block, area }) => textMarks(textOf(block), area)),
  ];
}

function sideMarks(frame: Frame, room: Rect, placed: readonly PlacedBlock[]): readonly Mark[] {
  const ghost: Mark = { kind: "rect", role: "ghost", ...room };
  return [ghost, ...placed.flatMap(({ block, area }) => blockMarks(frame, block, area))];
}

function blockMarks(frame: Frame, block: HeldBlock, area: Rect): readonly Mark[] {
  const hue = frame.axes[0]?.hue;
  const fill: Coordinate | undefined =
    hue === undefined ? undefined : { hue, digit: block.coordinate, size: frame.group.length };
  const look = {
    partialHues: block.isPartial && hue !== undefined ? [hue] : [],
    hatch: undefined,
  };
  const bound: Mark = { kind: "rect", role: block.isPartial ? "broken" : "outline", ...area };
  return [
    { kind: "rect", role: "back", ...area },
    ...cellMarks(area, { fill, strips: [] }, look),
    ...(Math.min(area.width, area.height) < leastBound ? [] : [bound]),
  ];
}

/**
 * The longest text that fits into every block of a frame: dims and ranges, ranges only, or none.
 */
function textThatFits(frame: Frame, placed: readonly PlacedBlock[]): (block: HeldBlock) => string {
  const ranges = ({ box }: HeldBlock) =>
    [frame.rows, frame.columns]
      .flatMap((dim) => {
        const range = dim === undefined ? undefined : box[dim];
        return range === undefined ? [] : movedBy(range, frame.start?.[dim ?? 0] ?? 0);
      })
      .map((range) => drawnRange(range).text)
      .join(", ");
  const candidates = [(block: HeldBlock) => block.text, ranges];
  const fitting = candidates.find((textOf) =>
    placed.every(({ block, area }) => fits(textOf(block), area)),
  );
  return fitting ?? (() => "");
}

function fits(text: string, area: Rect): boolean {
  return area.height >= 13 && text.length * 6.1 <= area.width - 3;
}

function textMarks(text: string, area: Rect): readonly Mark[] {
  if (text === "") return [];
  const at = { x: area.x + area.width / 2, y: area.y + area.height / 2 + 3.5 };
  return [{ kind: "text", role: "text", at, text, anchor: "middle", style: "id" }];
}

function headTexts(frame: Frame, columns: FrameColumns): readonly FrameText[] {
  const isAdding = frame.transfers.some(({ isAdded }) => isAdded);
  const isSum = frame.before.partials.every(({ reduce }) => reduce === "sum" || reduce === "avg");
  const joined = isSum ? "Send and add" : "Send and join";
  const middle = frame.transfers.length === 0 ? "Keep" : isAdding ? joined : "Send";
  const changed = changedLabels(frame.before, frame.after, frame.dimNames);
  const onTheWay = frame.isHop ? "on the way" : "one piece each";
  const between: readonly LabelSegment[] = [{ kind: "plain", text: onTheWay }];
  const [isBegun, isLeft] = [frame.half === "second", frame.half === "first"];
  return [
    words("Before", { x: 2, y: 12 }, "head"),
    { ...words(middle, { x: columns.middle, y: 12 }, "head"), anchor: "middle" },
    words("After", { x: columns.after, y: 12 }, "head"),
    {
      at: { x: 2, y: 27 },
      style: "device",
      anchor: "start",
      segments: isBegun || frame.half === "middle" ? between : changed.before,
    },
    {
      at: { x: columns.after, y: 27 },
      style: "device",
      anchor: "start",
      segments: isLeft || frame.half === "middle" ? between : changed.after,
    },
  ];
}

function rowTexts({ device, rooms }: PlacedDevice, heights: Heights): readonly FrameText[] {
  if (!heights.isNamed) {
    const y = rooms.before.y + heights.block / 2 + 4;
    return [words(String(device.device), { x: 2, y }, "device")];
  }
  const text = `device ${device.device}`;
  const y = rooms.before.y - 6;
  return [
    words(text, { x: rooms.before.x, y }, "device"),
    words(text, { x: rooms.after.x, y }, "device"),
  ];
}

/**
 * Bytes of one transfer (or of the frame), above the paths so that no block passes over the text.
 */
function bytesText(
  frame: Frame,
  rows: readonly PlacedDevice[],
  columns: FrameColumns,
): readonly FrameText[] {
  const [first] = rows;
  const [transfer, ...others] = frame.transfers;
  if (first === undefined || transfer === undefined) return [];
  const isEach = others.length > 0 && others.every(({ bytes }) => bytes === transfer.bytes);
  const bytes = formatBytes(isEach ? transfer.bytes : frame.bytes);
  const room = columns.after - (first.rooms.before.x + columns.block);
  const text = isEach && plateWidth(`${bytes} each`) <= room ? `${bytes} each` : bytes;
  return [{ ...words(text, { x: columns.middle, y: 27 }, "bytes"), anchor: "middle" }];
}

function words(text: string, at: Point, style: FrameText["style"]): FrameText {
  return { at, style, anchor: "start", segments: [{ kind: "plain", text }] };
}

/** Width (px) of the plate behind a text of bytes, from its number of characters. */
export function plateWidth(text: string): number {
  return text.length * 6.4 + 8;
}
