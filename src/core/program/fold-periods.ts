/**
 * Stretch `[start, stop)` of at least two periods in which each key equals the key `period` later.
 */
export interface Repetition {
  readonly start: number;
  readonly stop: number;
  readonly period: number;
}

/**
 * Stretches of a list that repeat with their smallest periods, those that save most first (ties:
 * the earlier). They may overlap.
 *
 * Windows of 1, 2, 4, … keys are numbered by doubling (Karp, Miller and Rosenberg 1972). Inside a
 * repetition a window as long as the period occurs next exactly one period later, so neighbours
 * whose next occurrence is equally far make up a repetition. O(n log n).
 */
export function findRepetitions(keys: readonly number[]): readonly Repetition[] {
  const found = new Map<string, Repetition>();
  let windows = counted(keys);
  for (let width = 1; 2 * width <= keys.length; width *= 2) {
    const distances = nextDistances(windows);
    for (const each of stretches(distances, width)) {
      found.set(`${each.start} ${each.stop} ${each.period}`, each);
    }
    if (distances.every((distance) => distance === undefined)) break;
    windows = doubled(windows, width);
  }
  return [...found.values()].sort(
    (a, b) => savedBy(b) - savedBy(a) || a.start - b.start || a.period - b.period,
  );
}

/** The number of entries saved by keeping one run. */
function savedBy({ start, stop, period }: Repetition): number {
  return (Math.floor((stop - start) / period) - 1) * period;
}

/** The distance from each entry to the next equal one, if there is one. */
function nextDistances(windows: readonly number[]): readonly (number | undefined)[] {
  const next = new Map<number, number>();
  const distances: (number | undefined)[] = windows.map(() => undefined);
  for (let at = windows.length - 1; at >= 0; at -= 1) {
    const window = windows[at] ?? 0;
    const later = next.get(window);
    if (later !== undefined) distances[at] = later - at;
    next.set(window, at);
  }
  return distances;
}

function stretches(
  distances: readonly (number | undefined)[],
  width: number,
): readonly Repetition[] {
  const found: Repetition[] = [];
  let start = 0;
  for (let at = 1; at <= distances.length; at += 1) {
    const period = distances[start];
    if (at < distances.length && distances[at] === period) continue;
    if (period !== undefined) {
      const stop = at - 1 + width + period;
      if (stop - start >= 2 * period) found.push({ start, stop, period });
    }
    start = at;
  }
  return found;
}

/** Numbers for windows of twice the width: equal numbers, from 0, for equal windows. */
function doubled(windows: readonly number[], width: number): readonly number[] {
  const numbers = new Map<number, number>();
  const most = windows.length;
  return windows.slice(0, Math.max(0, windows.length - width)).map((first, at) => {
    const key = first * most + (windows[at + width] ?? 0);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}

/** The keys renumbered from 0. */
function counted(keys: readonly number[]): readonly number[] {
  const numbers = new Map<number, number>();
  return keys.map((key) => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}
