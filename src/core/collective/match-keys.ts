/**
 * For each wanted key the place of a present one, each used once: its own where that is equal,
 * else the next free in order. `undefined` when the two are not the same keys.
 */
export function matchKeys(
  present: readonly string[],
  wanted: readonly { readonly key: string; readonly own: number }[],
): readonly number[] | undefined {
  const kept = new Set(wanted.flatMap(({ key, own }) => (present[own] === key ? [own] : [])));
  const free = new Map<string, number[]>();
  present.forEach((key, at) => {
    if (!kept.has(at)) free.set(key, [...(free.get(key) ?? []), at]);
  });
  const sources = wanted.flatMap(({ key, own }) =>
    present[own] === key ? [own] : (free.get(key)?.splice(0, 1) ?? []),
  );
  const isWhole = sources.length === wanted.length && present.length === wanted.length;
  return isWhole ? sources : undefined;
}
