import type { ScheduledItem } from "./items.ts";
import type { MemoryMoment } from "./memory-over-time.ts";
import type { Lane } from "./schedule.ts";

/** One event of a trace in Chrome's format, times in microseconds. */
export interface TraceEvent {
  readonly ph: "X" | "M" | "C";
  readonly name: string;
  readonly pid: number;
  readonly tid?: number;
  readonly ts?: number;
  readonly dur?: number;
  readonly cat?: string;
  readonly args?: Readonly<Record<string, string | number>>;
}

/** A trace for viewers of Chrome's format. */
export interface ChromeTrace {
  readonly displayTimeUnit: "ms";
  readonly traceEvents: readonly TraceEvent[];
  /** Repeated runs that are omitted, in words; absent if none are. */
  readonly otherData?: { readonly leftOut: string };
}

/** The most events; with more, repeated runs are written once. */
const mostEvents = 200_000;

const threads: readonly Lane[] = ["compute", "node", "network", "host"];
const micro = 1e6;

/** Schedule as a trace: one thread per lane of a representative device, and its memory. */
export function chromeTrace(
  items: readonly ScheduledItem[],
  memory: readonly MemoryMoment[],
): ChromeTrace {
  const all = items.reduce((sum, { repeat }) => sum + (repeat?.count ?? 1), 0);
  const isWhole = all <= mostEvents;
  return {
    displayTimeUnit: "ms",
    traceEvents: [
      { ph: "M", name: "process_name", pid: 0, args: { name: "every device" } },
      ...threads.map(threadName),
      ...items.flatMap((item) => eventsOf(item, isWhole)),
      ...memory.map(([seconds, bytes]): TraceEvent => {
        return { ph: "C", name: "memory", pid: 0, ts: seconds * micro, args: { bytes } };
      }),
    ],
    ...(!isWhole && { otherData: { leftOut: "runs that repeat are written once" } }),
  };
}

function threadName(name: Lane, tid: number): TraceEvent {
  return { ph: "M", name: "thread_name", pid: 0, tid, args: { name } };
}

function eventsOf(item: ScheduledItem, isWhole: boolean): readonly TraceEvent[] {
  const { name, lane, phase, start, end, repeat = { count: 1, every: 0 } } = item;
  const count = isWhole ? repeat.count : 1;
  return Array.from({ length: count }, (_, run): TraceEvent => {
    const ts = (start + run * repeat.every) * micro;
    const own = { name, cat: phase, pid: 0, tid: threads.indexOf(lane), ts };
    return { ph: "X", ...own, dur: (end - start) * micro };
  });
}
