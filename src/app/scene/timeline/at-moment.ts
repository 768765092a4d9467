import type { ScheduledItem } from "#core/schedule";
import { type SpanPaint, spanPaints } from "./lane-spans.ts";
import { bytesAt, type Timeline, type TimelineLane } from "./timeline.ts";

/** The item on a lane at a moment. */
export interface OnLane {
  readonly lane: TimelineLane;
  /** Index of the span on the lane. */
  readonly span: number;
  /** The item of the span; for exposed time, the communication that is waited for. */
  readonly item: ScheduledItem;
  readonly paint: SpanPaint;
  readonly start: number;
  readonly end: number;
}

/** A moment of the timeline: the items running on the lanes, and the bytes held. */
export interface TimelineMoment {
  readonly seconds: number;
  readonly on: readonly OnLane[];
  /** Absent if memory is unknown. */
  readonly bytes: number | undefined;
}

/** The state of the timeline at a moment. */
export function timelineAt(timeline: Timeline, seconds: number): TimelineMoment {
  return {
    seconds,
    on: timeline.lanes.flatMap((lane) => onLane(timeline, lane, spanAt(lane, seconds)) ?? []),
    bytes: bytesAt(timeline, seconds),
  };
}

/** The index of the span of a lane at a moment; -1 if the lane is free. */
export function spanAt({ starts, ends }: TimelineLane, seconds: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  return seconds < (ends[low - 1] ?? 0) ? low - 1 : -1;
}

/** A span with its item; `undefined` if there is no such span. */
export function onLane(timeline: Timeline, lane: TimelineLane, span: number): OnLane | undefined {
  const item = timeline.items[lane.items[span] ?? -1];
  if (item === undefined) return undefined;
  return {
    ...{ lane, span, item, paint: spanPaints[lane.paints[span] ?? 0] ?? "forward" },
    ...{ start: lane.starts[span] ?? 0, end: lane.ends[span] ?? 0 },
  };
}

/**
 * The start of the next or previous span of a lane, for moving a cursor; clamped to the lane's
 * ends.
 */
export function nextMoment(lane: TimelineLane, seconds: number, way: 1 | -1): number {
  const { starts } = lane;
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  const next = way === 1 ? low : low - 2;
  return starts[Math.min(starts.length - 1, Math.max(0, next))] ?? 0;
}
