import type { Schedule } from "./schedule.ts";

/** A moment, in seconds from the beginning, and the bytes of the fullest device from then on. */
export type MemoryMoment = readonly [seconds: number, bytes: number];

/**
 * The bytes of the fullest device over time: for each step, the bytes alive while it runs, at its
 * start. Of repeated runs the first and the last are listed.
 *
 * @param curve bytes by step of `flatSteps(program)`
 */
export function memoryOverTime(
  { passes }: Schedule,
  curve: readonly number[],
): readonly MemoryMoment[] {
  const moments: MemoryMoment[] = [];
  for (const { first, start, starts } of passes) {
    const order = [...starts.keys()].sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || a - b);
    for (const at of order) {
      const bytes = curve[first + at];
      if (bytes !== undefined) moments.push([start + (starts[at] ?? 0), bytes]);
    }
  }
  return moments.filter(([, bytes], at) => at === 0 || bytes !== moments[at - 1]?.[1]);
}
