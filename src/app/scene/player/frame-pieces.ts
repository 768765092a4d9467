import type { Box } from "#core/indexspace";
import { cellMarks } from "../glyph/cell-marks.ts";
import type { Mark, Rect } from "../mark.ts";
import type { Frame } from "./frame.ts";
import { type Course, coursesOf, type PlacedDevice } from "./frame-ways.ts";

/** One block on its way to another device. */
export interface FramePiece {
  readonly marks: readonly Mark[];
  readonly course: Course;
  readonly opacity: number;
}

/** The transferred blocks, filled like their source, small enough for many to pass each other. */
export function piecesOf(
  frame: Frame,
  rows: readonly PlacedDevice[],
  plus: number,
): readonly FramePiece[] {
  const hue = frame.axes[0]?.hue;
  return coursesOf(frame, rows, plus).map(({ transfer, course, opacity }) => {
    const from = rows.find(({ device }) => device.device === transfer.from);
    const room = from?.rooms.before ?? { x: 0, y: 0, width: 0, height: 0 };
    const { width, height } = areaIn(frame, transfer.box, room);
    const size = {
      width: Math.min(mostPiece.width, Math.max(leastPiece, width)),
      height: Math.min(mostPiece.height, Math.max(leastPiece, height)),
    };
    const area = { x: -size.width / 2, y: -size.height / 2, ...size };
    const coordinate = frame.group.indexOf(transfer.isAdded ? transfer.to : transfer.from);
    const fill = hue && { hue, digit: Math.max(0, coordinate), size: frame.group.length };
    return {
      marks: [
        { kind: "rect", role: "back", ...area },
        ...cellMarks(area, { fill, strips: [] }, { partialHues: [], hatch: undefined }),
        { kind: "rect", role: transfer.isAdded ? "broken" : "outline", ...area },
      ],
      course,
      opacity,
    };
  });
}

/** Bounds of a piece (px): smaller ones would be invisible, larger ones would hide each other. */
const leastPiece = 6;
const mostPiece = { width: 34, height: 16 } as const;

/** The area of a box inside the rectangle that represents the frame's whole room. */
export function areaIn(frame: Frame, box: Box, room: Rect): Rect {
  const across = shareOf(frame, box, frame.columns);
  const down = shareOf(frame, box, frame.rows);
  return {
    x: room.x + across.from * room.width,
    y: room.y + down.from * room.height,
    width: across.length * room.width,
    height: down.length * room.height,
  };
}

function shareOf(frame: Frame, box: Box, dim: number | undefined) {
  const [range, all] = dim === undefined ? [] : [box[dim], frame.room[dim]];
  if (range === undefined || all === undefined || all.stop === all.start) {
    return { from: 0, length: 1 };
  }
  const length = all.stop - all.start;
  return { from: (range.start - all.start) / length, length: (range.stop - range.start) / length };
}
