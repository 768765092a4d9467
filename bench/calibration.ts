/**
 * Milliseconds of the calibration on the reference machine, two cores of a shared server: in Node
 * and on a page of Chromium. All aims are in milliseconds of that machine; elsewhere they are
 * multiplied by the factor of the calibration in the same run.
 */
export const referenceMs = { node: 10, browser: 7.5 };

/** Runs of one calibration; the median counts. */
const runs = 9;

/**
 * A fixed piece of plain JavaScript with the program's typical work: small objects, maps by text,
 * sorting, and JSON. It is also sent to pages, so it uses nothing outside itself.
 *
 * @returns milliseconds, the median of several runs
 */
export function calibrate(count: number): number {
  let state = 1;
  const next = (below: number) => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % below;
  };
  const once = () => {
    const started = performance.now();
    const items = Array.from({ length: 8_000 }, (_, at) => ({
      ...{ key: `h${next(2_000)}`, at, size: next(1_000) },
    }));
    const groups = new Map<string, number[]>();
    for (const { key, size } of items) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [size]);
      else group.push(size);
    }
    items.sort((a, b) => a.size - b.size || a.at - b.at);
    const text = JSON.stringify([items, ...groups]);
    if (JSON.parse(text).length !== groups.size + 1) throw new Error("the text was not read");
    return performance.now() - started;
  };
  const times = Array.from({ length: count }, once).sort((a, b) => a - b);
  return times[Math.floor(count / 2)] ?? 0;
}

/** Slowness of a machine relative to the reference machine. */
export interface Pace {
  /**
   * Calibrates again; returns the mean of this and the last calibration, as the factor of the time
   * between them.
   */
  readonly since: () => Promise<number>;
}

/** Milliseconds within which timings count as taken together. */
const together = 200;

/** Starts calibrating; `measure` runs `calibrate` wherever the timings are taken. */
export async function startPace(
  measure: (count: number) => number | Promise<number>,
  reference: number,
  now: () => number = () => performance.now(),
): Promise<Pace> {
  // These first runs let V8 compile the code.
  await measure(2 * runs);
  let before = await measure(runs);
  let last: { readonly factor: number; readonly at: number } | undefined;
  return {
    since: async () => {
      if (last !== undefined && now() - last.at < together) return last.factor;
      const after = await measure(runs);
      last = { factor: (before + after) / 2 / reference, at: now() };
      before = after;
      return last.factor;
    },
  };
}
