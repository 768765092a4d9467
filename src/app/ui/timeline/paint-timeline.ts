import { formatBytes } from "#app/scene/text";
import {
  drawnPieces,
  memoryLine,
  type SpanPaint,
  type Timeline,
  type TimelineLane,
  type TimeRange,
  timeTicks,
} from "#app/scene/timeline";

/** Places of the drawing's parts, in CSS pixels. */
export interface TimelinePlot {
  readonly width: number;
  readonly height: number;
  /** Left end of the lanes; their names are left of it. */
  readonly left: number;
  readonly right: number;
  readonly laneTops: readonly number[];
  readonly laneHeight: number;
  readonly memoryTop: number;
  readonly memoryBottom: number;
}

const axisHeight = 18;
const laneGap = 6;
const mostLane = 20;
const leastMemory = 34;

/** Places lanes and memory in a box: a lane is at most 20 pixels high, memory gets the rest. */
export function plotOf(
  lanes: number,
  hasMemory: boolean,
  { width, height }: { readonly width: number; readonly height: number },
): TimelinePlot {
  const left = width < 500 ? 62 : 76;
  const room = height - axisHeight - (hasMemory ? leastMemory + 12 : 0);
  const laneHeight = Math.max(8, Math.min(mostLane, room / Math.max(1, lanes) - laneGap));
  const laneTops = Array.from(
    { length: lanes },
    (_, at) => axisHeight + at * (laneHeight + laneGap),
  );
  const end = axisHeight + lanes * (laneHeight + laneGap);
  return {
    ...{ width, height, left, right: width - 8, laneTops, laneHeight },
    ...{ memoryTop: end + 12, memoryBottom: height - 2 },
  };
}

/** Moment (seconds) at a horizontal position. */
export function momentAt(
  { left, right }: TimelinePlot,
  { from, to }: TimeRange,
  x: number,
): number {
  const share = (x - left) / (right - left);
  return from + Math.min(1, Math.max(0, share)) * (to - from);
}

/** Colour of a style sheet's token in the theme in force. */
export type ColourOf = (token: string) => string;

interface Drawn {
  readonly timeline: Timeline;
  readonly plot: TimelinePlot;
  readonly stretch: TimeRange;
  readonly cursor: number | undefined;
  /** Memory of a device in bytes. */
  readonly limit: number;
}

type Pen = CanvasRenderingContext2D;

/** Paints the timeline: axis, lanes, memory, the line of the peak, and the cursor. */
export function paintTimeline(pen: Pen, drawn: Drawn, colour: ColourOf): void {
  const { plot, timeline } = drawn;
  pen.fillStyle = colour("--surface");
  pen.fillRect(0, 0, plot.width, plot.height);
  pen.font = `11px ${colour("--font-ui")}`;
  paintAxis(pen, drawn, colour);
  pen.save();
  pen.beginPath();
  pen.rect(plot.left, 0, plot.right - plot.left, plot.height);
  pen.clip();
  const hatch = hatchOf(pen, colour);
  for (const [at, lane] of timeline.lanes.entries()) paintLane(pen, drawn, lane, at, colour, hatch);
  paintMemory(pen, drawn, colour);
  pen.restore();
  paintPeak(pen, drawn, colour);
  paintNames(pen, drawn, colour);
  paintCursor(pen, drawn, colour);
}

function across({ plot, stretch }: Drawn): (seconds: number) => number {
  const scale = (plot.right - plot.left) / (stretch.to - stretch.from);
  return (seconds) => plot.left + (seconds - stretch.from) * scale;
}

const tickRoom = 72;

function paintAxis(pen: Pen, drawn: Drawn, colour: ColourOf): void {
  const { plot, stretch } = drawn;
  const x = across(drawn);
  const ticks = timeTicks(stretch, Math.floor((plot.right - plot.left) / tickRoom));
  pen.fillStyle = colour("--ink-3");
  pen.strokeStyle = colour("--line");
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  pen.lineWidth = 1;
  for (const { seconds, text } of ticks) {
    const at = Math.round(x(seconds)) + 0.5;
    line(pen, at, axisHeight - 4, at, plot.height);
    const wide = pen.measureText(text).width;
    if (at + wide <= plot.width) pen.fillText(text, at, 11);
  }
}

function paintLane(
  pen: Pen,
  drawn: Drawn,
  lane: TimelineLane,
  row: number,
  colour: ColourOf,
  hatch: CanvasPattern | string,
): void {
  const { plot, stretch } = drawn;
  const x = across(drawn);
  const top = plot.laneTops[row] ?? 0;
  const height = plot.laneHeight;
  const window = { ...stretch, width: plot.right - plot.left };
  for (const { start, end, paint } of drawnPieces(lane, window)) {
    const from = x(start);
    const wide = x(end) - from;
    pen.fillStyle = paint === "exposed" ? hatch : colour(tokenOf(paint));
    pen.fillRect(from, top, wide, height);
    if (paint === "several") {
      pen.fillStyle = colour("--surface");
      pen.fillRect(from, top + 0.35 * height, wide, 0.3 * height);
    }
    if (paint !== "recompute") continue;
    // Recomputation: the upper half has the colour of the forward pass.
    pen.fillStyle = colour("--fill");
    pen.fillRect(from, top, wide, height / 2);
  }
}

/** Token of the style sheet for a paint; patterns give their plain colour. */
export function tokenOf(paint: SpanPaint): string {
  switch (paint) {
    case "forward":
      return "--fill";
    case "backward":
    case "recompute":
    case "several":
      return "--fill-2";
    case "update":
    case "exposed":
      return "--ink";
    case "host":
      return "--line-strong";
    default:
      return `--${paint}`;
  }
}

const tile = 5;

/** Hatch of exposed communication: lines at −45° in ink. */
function hatchOf(pen: Pen, colour: ColourOf): CanvasPattern | string {
  const scale = pen.getTransform().a;
  const canvas = document.createElement("canvas");
  const size = Math.max(1, Math.round(tile * scale));
  canvas.width = size;
  canvas.height = size;
  const own = canvas.getContext("2d");
  if (own === null) return colour("--ink");
  own.strokeStyle = colour("--ink");
  own.lineWidth = 1.2 * scale;
  for (const shift of [-size, 0, size]) line(own, shift - 1, -1, shift + size + 1, size + 1);
  const pattern = pen.createPattern(canvas, "repeat");
  pattern?.setTransform(new DOMMatrix([tile / size, 0, 0, tile / size, 0, 0]));
  return pattern ?? colour("--ink");
}

/** Largest ratio of limit to peak at which the memory limit is drawn. */
const mostAbove = 2;

function bytesScale({ timeline, plot, limit }: Drawn): (bytes: number) => number {
  const most = timeline.peak?.[1] ?? 0;
  const top = limit <= mostAbove * most ? Math.max(limit, most) : most;
  const height = plot.memoryBottom - plot.memoryTop;
  return (bytes) => plot.memoryBottom - (top === 0 ? 0 : (bytes / top) * height);
}

function paintMemory(pen: Pen, drawn: Drawn, colour: ColourOf): void {
  const { timeline, plot, stretch, limit } = drawn;
  const y = bytesScale(drawn);
  const corners = memoryLine(timeline, { ...stretch, width: plot.right - plot.left });
  const [first] = corners;
  if (first === undefined) return;
  const outline = () => {
    pen.beginPath();
    pen.moveTo(plot.left + first[0], y(first[1]));
    for (const [at, [left, bytes]] of corners.entries()) {
      pen.lineTo(plot.left + left, y(corners[at - 1]?.[1] ?? bytes));
      pen.lineTo(plot.left + left, y(bytes));
    }
  };
  outline();
  pen.lineTo(plot.left + (corners.at(-1)?.[0] ?? 0), plot.memoryBottom);
  pen.lineTo(plot.left + first[0], plot.memoryBottom);
  pen.fillStyle = colour("--sunken");
  pen.fill();
  outline();
  pen.strokeStyle = colour("--ink-2");
  pen.lineWidth = 1.25;
  pen.stroke();
  if (limit > mostAbove * (timeline.peak?.[1] ?? 0)) return;
  pen.strokeStyle = colour((timeline.peak?.[1] ?? 0) > limit ? "--danger" : "--ink-3");
  pen.setLineDash([6, 3]);
  line(pen, plot.left, y(limit), plot.right, y(limit));
  pen.setLineDash([]);
}

function paintPeak(pen: Pen, drawn: Drawn, colour: ColourOf): void {
  const { timeline, plot, stretch } = drawn;
  if (timeline.peak === undefined) return;
  const [seconds, bytes] = timeline.peak;
  if (seconds < stretch.from || seconds > stretch.to) return;
  const at = across(drawn)(seconds);
  pen.strokeStyle = colour("--ink");
  pen.lineWidth = 1;
  pen.setLineDash([1.5, 2.5]);
  line(pen, at, axisHeight, at, plot.memoryBottom);
  pen.setLineDash([]);
  pen.fillStyle = colour("--ink");
  pen.beginPath();
  const top = bytesScale(drawn)(bytes);
  pen.arc(at, top, 3, 0, 2 * Math.PI);
  pen.fill();
  const text = `${formatBytes(bytes)} peak`;
  const isLeft = at + pen.measureText(text).width + 10 > plot.right;
  pen.textAlign = isLeft ? "right" : "left";
  pen.textBaseline = "bottom";
  pen.lineJoin = "round";
  pen.strokeStyle = colour("--surface");
  pen.lineWidth = 4;
  const [x, y] = [at + (isLeft ? -7 : 7), top + 2];
  pen.strokeText(text, x, y);
  pen.fillText(text, x, y);
}

function paintNames(pen: Pen, { timeline, plot }: Drawn, colour: ColourOf): void {
  pen.fillStyle = colour("--ink");
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const [at, { name }] of timeline.lanes.entries()) {
    pen.fillText(name, 0, (plot.laneTops[at] ?? 0) + plot.laneHeight / 2);
  }
  if (timeline.memory.length > 0) pen.fillText("memory", 0, plot.memoryTop + 6);
}

function paintCursor(pen: Pen, drawn: Drawn, colour: ColourOf): void {
  const { cursor, stretch, plot } = drawn;
  if (cursor === undefined || cursor < stretch.from || cursor > stretch.to) return;
  const at = across(drawn)(cursor);
  pen.strokeStyle = colour("--surface");
  pen.lineWidth = 3;
  line(pen, at, axisHeight - 4, at, plot.memoryBottom);
  pen.strokeStyle = colour("--ink");
  pen.lineWidth = 1;
  line(pen, at, axisHeight - 4, at, plot.memoryBottom);
}

function line(pen: Pen, fromX: number, fromY: number, toX: number, toY: number): void {
  pen.beginPath();
  pen.moveTo(fromX, fromY);
  pen.lineTo(toX, toY);
  pen.stroke();
}
