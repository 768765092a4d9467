// Lists of a configuration that say nothing beyond what a text has: a value a layer.

/** Most values of a list that is written as values and how often they come. */
const mostValues = 1 << 20;

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

/**
 * Whether a list has the values of a shorter one, over and over; also as `[[values, times], …]`, which
 * has to have as many values as there are layers.
 */
export function isRepeated(
  value: unknown,
  pattern: readonly string[] | undefined,
  layers: unknown,
): boolean {
  if (pattern === undefined || !isFilled(value)) return false;
  const counted = writtenOut(value);
  if (counted !== undefined && counted.length !== layers) return false;
  return (counted ?? value).every((each, at) => each === pattern[at % pattern.length]);
}

/** The values of `[[["global", "local"], 12]]`; nothing of a list of another form. */
function writtenOut(value: readonly unknown[]): readonly unknown[] | undefined {
  const parts = value.map((each) => {
    const [values, times] = Array.isArray(each) ? each : [];
    const isCounted = Array.isArray(values) && typeof times === "number" && times >= 0;
    return isCounted && values.length * times < mostValues
      ? Array.from({ length: Math.floor(times) }, () => values).flat()
      : undefined;
  });
  return parts.includes(undefined) ? undefined : parts.flatMap((each) => each ?? []);
}

/**
 * Whether a list of 0 and 1 has a 0 at every `count`-th place; an empty list leaves it to the
 * model.
 */
export function isEvery(value: unknown, count: unknown): boolean {
  if (typeof count !== "number" || !Array.isArray(value)) return false;
  return value.every((each, at) => each === Number((at + 1) % count !== 0));
}

/** Whether a list holds every `count`-th place, from 0: `[1, 3, 5]` for a count of 2. */
export function arePlaces(value: unknown, count: unknown): boolean {
  if (typeof count !== "number" || !isFilled(value)) return false;
  return value.every((each, at) => each === (at + 1) * count - 1);
}
