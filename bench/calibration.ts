/**
 * Milliseconds of the calibration on the reference machine, two cores of a shared server: in Node
 * and on a page of Chromium. All aims are in milliseconds of that machine, and hold elsewhere
 * multiplied by the factor of the calibration in the same run.
 */
export const referenceMs = { node: 10, browser: 7.5 };

/** Runs of one calibration; the middle one counts. */
const runs = 9;

/**
 * A fixed piece of plain JavaScript that does what the program does most: small objects, maps by
 * text, sorting, and text written and read again. It is sent to pages too, so it needs nothing from
 * around it.
 *
 * @returns milliseconds, the middle one of several runs
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

/** The slowness of a machine against the reference machine, by calibration. */
export interface Pace {
  /**
   * Calibrates again; returns the middle of this and the last calibration, as the factor of the
   * time in between.
   */
  readonly since: () => Promise<number>;
}

/** Milliseconds within which timings count as taken together. */
const together = 200;

/** Begins to calibrate; `measure` runs `calibrate` wherever the timings are taken. */
export async function startPace(
  measure: (count: number) => number | Promise<number>,
  reference: number,
  now: () => number = () => performance.now(),
): Promise<Pace> {
  // After a few runs V8 has compiled what they use.
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
