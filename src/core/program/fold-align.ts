import { readsOf, type Wires } from "./fold-wiring.ts";

/**
 * The step at which the blocks of a repetition begin, out of equally good places: the step before
 * which the fewest values are alive (in a transformer between two layers); ties: the start of a
 * named block, then the first place.
 *
 * @param from the first place, `spare` the number of further ones
 * @param blocks the name of each step's block, empty for none
 */
export function alignedStart(
  wires: Wires,
  blocks: readonly string[],
  from: number,
  period: number,
  spare: number,
): number {
  const crossing = crossings(wires, from, period, spare);
  let best = { start: from, crossing: Number.POSITIVE_INFINITY, isNamed: false };
  for (const [offset, count] of crossing.entries()) {
    const start = from + offset;
    const isNamed = blocks[start] !== "" && blocks[start] !== blocks[start - 1];
    const isBetter = count < best.crossing || (count === best.crossing && isNamed && !best.isNamed);
    if (isBetter) best = { start, crossing: count, isNamed };
  }
  return best.start;
}

/**
 * Number of values alive across each step boundary: computed less than a period before it and read
 * less than a period after it. Boundaries start one period after the first.
 */
function crossings(
  { steps, sources }: Wires,
  from: number,
  period: number,
  spare: number,
): readonly number[] {
  const first = from + period;
  const lastReads = new Map<string, { readonly made: number; readonly read: number }>();
  for (let read = first; read < Math.min(steps.length, first + spare + period); read += 1) {
    const step = steps[read];
    for (const id of step === undefined ? [] : readsOf(step)) {
      const made = sources.get(id)?.step;
      if (made !== undefined && made >= from) lastReads.set(id, { made, read });
    }
  }
  const counts = Array.from({ length: spare + 1 }, () => 0);
  for (const { made, read } of lastReads.values()) {
    const begin = Math.max(made + 1, first, read - period + 1);
    const end = Math.min(read, first + spare, made + period);
    for (let place = begin; place <= end; place += 1) {
      counts[place - first] = (counts[place - first] ?? 0) + 1;
    }
  }
  return counts;
}
