/**
 * Assigns each wanted key the index of an equal present key, using every present key once. The
 * index `own` is preferred if its key is equal, otherwise the next free one. `undefined` if the two
 * lists differ as multisets.
 */
export function matchKeys(
  present: readonly string[],
  wanted: readonly { readonly key: string; readonly own: number }[],
): readonly number[] | undefined {
  const kept = new Set(wanted.flatMap(({ key, own }) => (present[own] === key ? [own] : [])));
  const free = new Map<string, { readonly places: number[]; used: number }>();
  present.forEach((key, at) => {
    if (kept.has(at)) return;
    const known = free.get(key);
    if (known === undefined) free.set(key, { places: [at], used: 0 });
    else known.places.push(at);
  });
  const nextFree = (key: string) => {
    const left = free.get(key);
    const place = left?.places[left.used];
    if (left !== undefined) left.used += 1;
    return place ?? [];
  };
  const sources = wanted.flatMap(({ key, own }) => (present[own] === key ? own : nextFree(key)));
  const isWhole = sources.length === wanted.length && present.length === wanted.length;
  return isWhole ? sources : undefined;
}
