import type { Compiled } from "#compile";
import { type Lane, type MemoryMoment, memoryOverTime, type ScheduledItem } from "#core/schedule";
import { rememberedFor } from "../remembered.ts";
import { type LaneSpans, spansOf } from "./lane-spans.ts";

/** One step of a plan in time: lanes of running items, and memory over the same axis. */
export interface Timeline {
  /** End of the last item. */
  readonly seconds: number;
  /** The items to which the spans of lanes refer. */
  readonly items: readonly ScheduledItem[];
  /**
   * The compute lane first; fabrics without communication are left out, and the host unless it
   * limits the step.
   */
  readonly lanes: readonly TimelineLane[];
  /** Bytes of the fullest device from each moment on; empty if unknown. */
  readonly memory: readonly MemoryMoment[];
  /** The moment with the most bytes. */
  readonly peak: MemoryMoment | undefined;
}

/** A lane with its name. */
export interface TimelineLane extends LaneSpans {
  readonly lane: Lane;
  readonly name: string;
}

/**
 * The timeline of a plan; `timeline` is `undefined` under a cost model without a schedule, or if a
 * shape is unknown.
 */
export const timelineOf = rememberedFor(
  (compiled: Compiled): { readonly timeline: Timeline | undefined } => ({
    timeline: made(compiled),
  }),
);

function made(compiled: Compiled): Timeline | undefined {
  const { schedule, memory, hardware, cost } = compiled;
  if (schedule === undefined || !(cost.seconds > 0)) return undefined;
  const { items, lanes } = spansOf(compiled, schedule);
  const names: Readonly<Record<Lane, string>> = {
    compute: "compute",
    node: hardware.node === undefined ? "links" : "in a node",
    network: "network",
    host: "host",
  };
  const shown = (["compute", "node", "network", "host"] as const).flatMap((lane) => {
    const spans = lanes.get(lane);
    const isLeftOut = lane === "host" && schedule.limit !== "host";
    return spans === undefined || isLeftOut ? [] : [{ ...spans, lane, name: names[lane] }];
  });
  const moments = memory.curve.some(Number.isNaN) ? [] : memoryOver(schedule, memory.curve);
  const peak = moments.reduce<MemoryMoment | undefined>(
    (most, moment) => (most === undefined || moment[1] > most[1] ? moment : most),
    undefined,
  );
  return { seconds: schedule.seconds, items, lanes: shown, memory: moments, peak };
}

/**
 * The memory curve with all runs of repeated passes; each run holds the same bytes as the first.
 */
function memoryOver(
  schedule: NonNullable<Compiled["schedule"]>,
  curve: readonly number[],
): readonly MemoryMoment[] {
  const moments: MemoryMoment[] = [];
  for (const pass of schedule.passes) {
    const own = memoryOverTime({ ...schedule, passes: [pass] }, curve);
    for (let run = 0; run < pass.count; run += 1) {
      for (const [seconds, bytes] of own) moments.push([seconds + run * pass.every, bytes]);
    }
  }
  return moments;
}

/** The bytes of the fullest device at a moment; `undefined` if unknown. */
export function bytesAt({ memory }: Timeline, seconds: number): number | undefined {
  return memory[lastBefore(memory, seconds)]?.[1];
}

function lastBefore(memory: readonly MemoryMoment[], seconds: number): number {
  let [low, high] = [0, memory.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((memory[middle]?.[0] ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** An interval of time on screen. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
  /** Width in pixels. */
  readonly width: number;
}

/**
 * The memory curve in a window as corners of a line, in pixels and bytes; moments within one pixel
 * are merged to their maximum, so that no peak is lost.
 */
export function memoryLine(
  { memory, seconds: end }: Timeline,
  { from, to, width }: TimeWindow,
): readonly (readonly [x: number, bytes: number])[] {
  const scale = width / (to - from);
  const corners: [x: number, bytes: number][] = [];
  const first = lastBefore(memory, from);
  for (let at = first; at < memory.length; at += 1) {
    const [seconds, bytes] = memory[at] ?? [0, 0];
    if (seconds > to) break;
    const x = Math.max(0, (seconds - from) * scale);
    const last = corners.at(-1);
    if (last !== undefined && Math.floor(last[0]) === Math.floor(x)) {
      last[1] = Math.max(last[1], bytes);
    } else corners.push([x, bytes]);
  }
  const last = corners.at(-1);
  if (last !== undefined) corners.push([Math.min(width, (end - from) * scale), last[1]]);
  return corners;
}
