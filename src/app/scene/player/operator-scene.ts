import { deviceGlyphsOf } from "../glyph/device-glyph.ts";
import type { Mark, Point, Size } from "../mark.ts";
import { labelOf } from "../text/label.ts";
import {
  bodyHeightIn,
  bodyHeights,
  type FrameRoom,
  type FrameScene,
  type FrameText,
} from "./frame-scene.ts";
import type { FrameWay } from "./frame-ways.ts";
import type { FrameOperand, OperatorFrame } from "./operator-frame.ts";

const headHeight = 34;
const idWidth = 20;
const gap = 12;
const arrowGap = 34;
const [leastWidth, mostWidth, mostColumn] = [300, 388, 116];
const mostPitch = 48;
const characterWidth = 6.4;

/** Most operands that are drawn; further ones appear in words only. */
const mostOperands = 5;

/** A column of device tiles for one operand, and its left edge. */
interface Column {
  readonly operand: FrameOperand;
  readonly x: number;
}

/**
 * Lays out an operator's picture: a row per device and a column per operand, results at the right
 * behind an arrow.
 *
 * @param room available size; the picture may take less
 */
export function operatorScene(frame: OperatorFrame, room: FrameRoom = {}): FrameScene {
  const operands = drawnOperands(frame.operands);
  const body = bodyHeightIn(room);
  const higher = body - bodyHeights.least;
  const pitch = Math.min(
    mostPitch + Math.floor(higher / 8),
    Math.floor(body / Math.max(1, frame.devices.length)),
  );
  const width = Math.min(
    mostWidth + higher,
    Math.max(leastWidth, Math.floor(room.width ?? Number.POSITIVE_INFINITY)),
  );
  const free = width - idWidth - gap * operands.length - arrowGap;
  const tile = {
    width: Math.min(
      mostColumn + Math.floor(higher / 3),
      Math.floor(free / Math.max(1, operands.length)),
    ),
    height: pitch - 5,
  };
  const columns = columnsOf(operands, tile.width);
  const arrowX = (columns.find(({ operand }) => operand.use === "makes")?.x ?? width) - arrowGap;
  return {
    width,
    height: headHeight + frame.devices.length * pitch,
    marks: columns.flatMap((column) => columnMarks(frame, column, tile, pitch)),
    blocks: [],
    ways: frame.devices.map((_, row) => arrow(arrowX, headHeight + row * pitch + tile.height / 2)),
    pieces: [],
    pluses: [],
    plusRadius: 0,
    between: { from: arrowX - 2, to: arrowX + arrowGap - gap },
    texts: [
      ...columns.flatMap((column) => headTexts(column, tile.width)),
      ...frame.devices.map((device, row) =>
        words(
          String(device),
          { x: 2, y: headHeight + row * pitch + tile.height / 2 + 4 },
          "device",
        ),
      ),
    ],
  };
}

/** All operands if few; else the first read ones and up to two results. */
function drawnOperands(operands: readonly FrameOperand[]): readonly FrameOperand[] {
  if (operands.length <= mostOperands) return operands;
  const made = operands.filter(({ use }) => use === "makes").slice(0, 2);
  const read = operands.filter(({ use }) => use === "reads");
  return [...read.slice(0, mostOperands - made.length), ...made];
}

function columnsOf(operands: readonly FrameOperand[], width: number): readonly Column[] {
  const firstMade = operands.findIndex(({ use }) => use === "makes");
  return operands.map((operand, at) => ({
    operand,
    x: idWidth + at * (width + gap) + (firstMade >= 0 && at >= firstMade ? arrowGap - gap : 0),
  }));
}

function columnMarks(
  { devices }: OperatorFrame,
  { operand, x }: Column,
  size: Size,
  pitch: number,
): readonly Mark[] {
  const { tiles } = deviceGlyphsOf(operand.drawn, size, devices);
  const byDevice = new Map(tiles.map((tile) => [tile.device, tile]));
  return devices.flatMap((device, row) => {
    const tile = byDevice.get(device);
    const y = headHeight + row * pitch;
    return tile === undefined ? [] : tile.marks.map((mark) => moved(mark, { x, y }));
  });
}

function moved(mark: Mark, by: Point): Mark {
  const shift = ({ x, y }: Point): Point => ({ x: x + by.x, y: y + by.y });
  switch (mark.kind) {
    case "rect":
      return { ...mark, x: mark.x + by.x, y: mark.y + by.y };
    case "path":
      return { ...mark, points: mark.points.map(shift) };
    case "line":
      return { ...mark, from: shift(mark.from), to: shift(mark.to) };
    case "circle":
      return { ...mark, center: shift(mark.center) };
    case "text":
      return { ...mark, at: shift(mark.at) };
  }
}

function arrow(x: number, y: number): FrameWay {
  const path = `M${x} ${y}h${arrowGap - gap - 2}`;
  return { path, hue: undefined, isKept: true, hasArrow: true, opacity: 1 };
}

/** The name, and below it the layout if that fits. */
function headTexts({ operand, x }: Column, width: number): readonly FrameText[] {
  const { layout, dimNames } = operand.drawn;
  const segments = labelOf(layout, dimNames);
  const length = segments.reduce((sum, { text }) => sum + text.length, 0);
  const short = shortName(operand.name, width);
  const name = words(short, { x, y: 12 }, "head");
  if (length * characterWidth > width + gap) return [name];
  return [name, { at: { x, y: 27 }, style: "device", anchor: "start", segments }];
}

/** A long name keeps its end, which says most: `…attention.q` of `layers[3].attention.q`. */
function shortName(name: string, width: number): string {
  const most = Math.max(4, Math.floor(width / 6.8));
  return name.length <= most ? name : `…${name.slice(1 - most)}`;
}

function words(text: string, at: Point, style: FrameText["style"]): FrameText {
  return { at, style, anchor: "start", segments: [{ kind: "plain", text }] };
}
