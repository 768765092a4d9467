import { type SpanPaint, spanPaints } from "./lane-spans.ts";
import type { Timeline } from "./timeline.ts";

/** The total length of one paint on a lane, over the whole step. */
export interface LaneTotal {
  readonly lane: string;
  readonly paint: SpanPaint;
  readonly seconds: number;
  readonly spans: number;
}

/** The lanes of a step summed by paint: the table behind the drawing. */
export function laneTotals({ lanes }: Timeline): readonly LaneTotal[] {
  return lanes.flatMap(({ name, starts, ends, paints }) => {
    const seconds = new Float64Array(spanPaints.length);
    const spans = new Int32Array(spanPaints.length);
    for (const [at, paint] of paints.entries()) {
      seconds[paint] = (seconds[paint] ?? 0) + (ends[at] ?? 0) - (starts[at] ?? 0);
      spans[paint] = (spans[paint] ?? 0) + 1;
    }
    return spanPaints.flatMap((paint, at) => {
      const count = spans[at] ?? 0;
      return count === 0 ? [] : [{ lane: name, paint, seconds: seconds[at] ?? 0, spans: count }];
    });
  });
}
