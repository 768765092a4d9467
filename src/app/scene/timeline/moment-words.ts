import { unreachable } from "#core/diagnostics";
import { formatBytes, formatSeconds } from "../text/numbers.ts";
import type { OnLane, TimelineMoment } from "./at-moment.ts";
import type { SpanPaint } from "./lane-spans.ts";

/** The item on a lane in words: its name, its duration, and its exposed part. */
export interface LaneWords {
  readonly lane: string;
  /** Name of the item: `blocks[3].y`, `all-gather dp of w`. */
  readonly name: string;
  /** Duration with pass or exposure: `80.2 µs, forward`, `332 µs exposed`. */
  readonly figures: string;
  readonly isExposed: boolean;
}

/** A moment in words, for a line beside the drawing and for screen readers. */
export interface MomentWords {
  readonly at: string;
  readonly lanes: readonly LaneWords[];
  /** Absent if memory is unknown. */
  readonly memory: string | undefined;
}

/** A moment of a timeline in words. */
export function momentWords({ seconds, on, bytes }: TimelineMoment): MomentWords {
  return {
    at: formatSeconds(seconds),
    lanes: on.map(laneWords),
    memory: bytes === undefined ? undefined : formatBytes(bytes),
  };
}

/** `momentWords` as one sentence. */
export function momentSentence(words: MomentWords): string {
  const lanes = words.lanes.map(({ lane, name, figures, isExposed }) =>
    isExposed ? `${lane} waits for ${name}, ${figures}` : `${lane}: ${name}, ${figures}`,
  );
  const idle = lanes.length === 0 ? ["nothing runs"] : lanes;
  const memory = words.memory === undefined ? [] : [`${words.memory} held`];
  return `${words.at}: ${[...idle, ...memory].join("; ")}`;
}

function laneWords({ lane, item, paint, start, end }: OnLane): LaneWords {
  const isExposed = paint === "exposed";
  const length = formatSeconds(end - start);
  const pass = passWords(paint);
  const figures = isExposed ? `${length} exposed` : [length, ...pass].join(", ");
  return { lane: lane.name, name: item.name, figures, isExposed };
}

function passWords(paint: SpanPaint): readonly string[] {
  switch (paint) {
    case "forward":
    case "backward":
    case "update":
      return [paint];
    case "recompute":
      return ["computed anew"];
    case "host":
    case "several":
    case "exposed":
    case "axis-1":
    case "axis-2":
    case "axis-3":
    case "axis-4":
    case "axis-5":
    case "axis-6":
    case "axis-7":
    case "axis-8":
      return [];
    default:
      return unreachable(paint);
  }
}
