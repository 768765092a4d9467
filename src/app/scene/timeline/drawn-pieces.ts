import { type LaneSpans, type SpanPaint, spanPaints } from "./lane-spans.ts";
import type { TimeWindow } from "./timeline.ts";

/** A bar of a lane: one span, or several that are too small to be drawn separately. */
export interface DrawnPiece {
  readonly start: number;
  readonly end: number;
  readonly paint: SpanPaint;
  /**
   * The range of spans that the bar represents, both ends inclusive; a merged bar counts only those
   * of its paint.
   */
  readonly first: number;
  readonly last: number;
  readonly isMerged: boolean;
}

/** Mean width (px) of a layer's spans below which they are merged. */
const leastPixels = 4;
/** Width (px) of the bins in which small layers are merged. */
const binPixels = 8;

/**
 * The bars of a lane in a window. A layer whose spans average below 4 pixels becomes one bar per
 * paint, in sequence and true proportion, exposed time last; layers smaller than a bin share their
 * bars. The total length per paint is preserved.
 */
export function drawnPieces(lane: LaneSpans, window: TimeWindow): readonly DrawnPiece[] {
  const { starts, ends } = lane;
  const scale = window.width / (window.to - window.from);
  const pieces: DrawnPiece[] = [];
  const binOf = (at: number) => Math.floor(((starts[at] ?? 0) * scale) / binPixels);
  let bin: { first: number; last: number } | undefined;
  const flush = () => {
    if (bin !== undefined) pieces.push(...mergedPieces(lane, bin.first, bin.last));
    bin = undefined;
  };
  for (let at = firstIn(lane, window.from, binOf); at < starts.length; ) {
    if ((starts[at] ?? 0) >= window.to) break;
    const last = endOfUnit(lane, at);
    const pixels = ((ends[last] ?? 0) - (starts[at] ?? 0)) * scale;
    if (pixels >= leastPixels * (last - at + 1)) {
      flush();
      for (let each = at; each <= last; each += 1) pieces.push(pieceOf(lane, each));
    } else {
      if (bin !== undefined && binOf(bin.first) !== binOf(at)) flush();
      bin = { first: bin?.first ?? at, last };
    }
    at = last + 1;
  }
  flush();
  return pieces;
}

/** The first span to draw: the start of the unit, and of its bin, at which the window begins. */
function firstIn({ ends, units }: LaneSpans, from: number, binOf: (at: number) => number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  const startOfUnit = (at: number) => {
    let first = at;
    while (first > 0 && units[first - 1] === units[at]) first -= 1;
    return first;
  };
  let first = startOfUnit(low);
  while (first > 0 && first < ends.length) {
    const before = startOfUnit(first - 1);
    if (binOf(before) !== binOf(first)) break;
    first = before;
  }
  return first;
}

function endOfUnit({ units }: LaneSpans, from: number): number {
  let last = from;
  while (last + 1 < units.length && units[last + 1] === units[from]) last += 1;
  return last;
}

function pieceOf({ starts, ends, paints }: LaneSpans, at: number): DrawnPiece {
  return {
    ...{ start: starts[at] ?? 0, end: ends[at] ?? 0 },
    paint: spanPaints[paints[at] ?? 0] ?? "forward",
    ...{ first: at, last: at, isMerged: false },
  };
}

function mergedPieces(lane: LaneSpans, first: number, last: number): readonly DrawnPiece[] {
  if (first === last) return [pieceOf(lane, first)];
  const { starts, ends, paints } = lane;
  const sums = new Float64Array(spanPaints.length);
  for (let at = first; at <= last; at += 1) {
    const paint = paints[at] ?? 0;
    sums[paint] = (sums[paint] ?? 0) + (ends[at] ?? 0) - (starts[at] ?? 0);
  }
  const pieces: DrawnPiece[] = [];
  let start = starts[first] ?? 0;
  for (const [at, paint] of spanPaints.entries()) {
    const seconds = sums[at] ?? 0;
    if (seconds <= 0) continue;
    pieces.push({ start, end: start + seconds, paint, first, last, isMerged: true });
    start += seconds;
  }
  return pieces;
}
