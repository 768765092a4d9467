import { groupedBy, isRecord } from "#core/records";

/** An event with a duration, in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly category: string;
  readonly from: number;
  readonly to: number;
  /** A process and one of its threads, or a device and one of its streams. */
  readonly lane: string;
  readonly process: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Most events read. */
const mostEvents = 2_000_000;

/** Complete events of a trace, in its order; `undefined` when it has too many. */
export function eventsIn(events: readonly unknown[]): readonly TraceEvent[] | undefined {
  if (events.length > mostEvents) return undefined;
  return [...events.flatMap(completeEvent), ...pairedEvents(events)];
}

function completeEvent(value: unknown): readonly TraceEvent[] {
  if (!isRecord(value) || value.ph !== "X" || typeof value.name !== "string") return [];
  const { name, cat, ts, dur, args } = value;
  const from = Number(ts);
  const length = Number(dur ?? 0);
  if (!Number.isFinite(from) || !Number.isFinite(length) || length < 0) return [];
  const category = typeof cat === "string" ? cat : "";
  const given = isRecord(args) ? args : {};
  return [{ name, category, from, to: from + length, ...whereOf(value), args: given }];
}

function whereOf({ pid, tid }: Readonly<Record<string, unknown>>) {
  const process = String(pid ?? "");
  return { process, lane: `${process} ${String(tid ?? "")}` };
}

/** Events recorded as a begin and an end event. */
function pairedEvents(events: readonly unknown[]): readonly TraceEvent[] {
  const open = new Map<string, TraceEvent[]>();
  const made: TraceEvent[] = [];
  for (const value of events) {
    if (!isRecord(value) || (value.ph !== "B" && value.ph !== "E")) continue;
    const where = whereOf(value);
    const stack = open.get(where.lane) ?? [];
    open.set(where.lane, stack);
    const at = Number(value.ts);
    if (!Number.isFinite(at)) continue;
    if (value.ph === "B") {
      const { name, cat, args } = value;
      const category = typeof cat === "string" ? cat : "";
      const given = isRecord(args) ? args : {};
      stack.push({ name: String(name ?? ""), category, from: at, to: at, ...where, args: given });
    } else {
      const begun = stack.pop();
      if (begun !== undefined && at >= begun.from) made.push({ ...begun, to: at });
    }
  }
  return made;
}

/** An event with its self time: the time (µs) in which none of its nested events ran. */
export interface SelfTimed {
  readonly event: TraceEvent;
  readonly self: number;
  /** Enclosing events, outermost first. */
  readonly around: readonly TraceEvent[];
}

/** Events of each lane with their self times, from their nesting. */
export function selfTimes(events: readonly TraceEvent[]): readonly SelfTimed[] {
  const lanes = groupedBy(events, ({ lane }) => lane);
  return [...lanes.values()].flatMap((lane) => {
    const sorted = [...lane].sort((a, b) => a.from - b.from || b.to - a.to);
    const stack: { event: TraceEvent; self: number; around: readonly TraceEvent[] }[] = [];
    const made: { event: TraceEvent; self: number; around: readonly TraceEvent[] }[] = [];
    for (const event of sorted) {
      while (stack.length > 0 && (stack.at(-1)?.event.to ?? 0) <= event.from) stack.pop();
      const holder = stack.at(-1);
      if (holder !== undefined) holder.self -= Math.min(event.to, holder.event.to) - event.from;
      const own = {
        event,
        self: event.to - event.from,
        around: stack.length > 64 ? [] : stack.map((each) => each.event),
      };
      stack.push(own);
      made.push(own);
    }
    return made.map((each) => ({ ...each, self: Math.max(0, each.self) }));
  });
}
