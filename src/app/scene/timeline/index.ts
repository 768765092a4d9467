// One step in time: lanes of running items, and memory on the same axis.

export {
  nextMoment,
  type OnLane,
  onLane,
  spanAt,
  timelineAt,
} from "./at-moment.ts";
export { type DrawnPiece, drawnPieces } from "./drawn-pieces.ts";
export type { SpanPaint } from "./lane-spans.ts";
export { type LaneTotal, laneTotals } from "./lane-totals.ts";
export { type MomentWords, momentSentence, momentWords } from "./moment-words.ts";
export {
  panRange,
  revealMoment,
  type TimeRange,
  timeRangeText,
  timeTicks,
  zoomRange,
} from "./time-window.ts";
export {
  memoryLine,
  type Timeline,
  type TimelineLane,
  type TimeWindow,
  timelineOf,
} from "./timeline.ts";
