import { formatSeconds } from "../text/numbers.ts";

/** An interval of time, in seconds. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Least visible fraction of a step: a millionth, in which one span fills the window. */
const leastPart = 1e-6;

/** An interval zoomed by `by` around the moment `at`, which keeps its place on screen. */
export function zoomRange(
  { from, to }: TimeRange,
  by: number,
  at: number,
  whole: number,
): TimeRange {
  const length = Math.min(whole, Math.max(leastPart * whole, (to - from) / by));
  const share = to > from ? (at - from) / (to - from) : 0;
  return within(at - share * length, length, whole);
}

/** An interval shifted by `by` seconds, kept inside the step. */
export function panRange({ from, to }: TimeRange, by: number, whole: number): TimeRange {
  return within(from + by, to - from, whole);
}

/** An interval that contains a moment; unchanged if it already does. */
export function revealMoment(stretch: TimeRange, at: number, whole: number): TimeRange {
  const { from, to } = stretch;
  if (from <= at && at <= to) return stretch;
  return within(at - (to - from) / 2, to - from, whole);
}

function within(from: number, length: number, whole: number): TimeRange {
  const start = Math.min(Math.max(0, from), Math.max(0, whole - length));
  return { from: start, to: start + length };
}

/** A tick of the time axis. */
export interface TimeTick {
  readonly seconds: number;
  /** Label such as `10 ms`; all ticks share one unit. */
  readonly text: string;
}

const steps = [1, 2, 5, 10];

/** Ticks at round numbers, at most about `most` of them. */
export function timeTicks({ from, to }: TimeRange, most: number): readonly TimeTick[] {
  const least = (to - from) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (steps.find((each) => each * power >= least) ?? 10);
  const unit = units.find(({ scale }) => step >= scale * 0.9999) ?? nanoseconds;
  const digits = Math.max(0, -Math.floor(Math.log10(step / unit.scale) + 1e-9));
  const first = Math.ceil(from / step - 1e-9);
  const ticks: TimeTick[] = [];
  for (let at = first; at * step <= to; at += 1) {
    const text = `${((at * step) / unit.scale).toFixed(digits)} ${unit.name}`;
    ticks.push({ seconds: at * step, text });
  }
  return ticks;
}

const nanoseconds = { scale: 1e-9, name: "ns" };
const units = [
  { scale: 1, name: "s" },
  { scale: 1e-3, name: "ms" },
  { scale: 1e-6, name: "µs" },
  nanoseconds,
];

/** An interval in words: `12.3 ms to 14.0 ms`. */
export function timeRangeText({ from, to }: TimeRange): string {
  return `${formatSeconds(from)} to ${formatSeconds(to)}`;
}
