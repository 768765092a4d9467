/** Ranges up to this length are sorted by insertion, which keeps the order of equal items. */
const shortRange = 16;

type Keys = { readonly index: number; readonly key: number }[];

/**
 * Index of the item that comes first when the C++ library sorts by `keyOf`. That sort is not
 * stable: among equal items of a long list, which one leads follows from its partitions.
 */
export function sortedFirst<T>(
  items: readonly T[],
  keyOf: (item: T) => number,
): number | undefined {
  const keys: Keys = items.map((item, index) => ({ index, key: keyOf(item) }));
  let end = keys.length;
  while (end > shortRange) end = partition(keys, end);
  const head = keys.slice(0, end);
  return head.reduce((best, each) => (each.key < best.key ? each : best), head[0] ?? none).index;
}

const none = { index: undefined, key: Number.POSITIVE_INFINITY } as const;

/** One step of quicksort on the head of a list; returns where its lower part ends. */
function partition(keys: Keys, end: number): number {
  medianFirst(keys, end);
  const pivot = keyAt(keys, 0);
  let [low, high] = [1, end];
  for (;;) {
    while (keyAt(keys, low) < pivot) low += 1;
    high -= 1;
    while (pivot < keyAt(keys, high)) high -= 1;
    if (low >= high) return low;
    swap(keys, low, high);
    low += 1;
  }
}

/** Brings the median of the second, the middle and the last item to the front. */
function medianFirst(keys: Keys, end: number): void {
  const [a, b, c] = [1, Math.floor(end / 2), end - 1];
  const isLess = (x: number, y: number) => keyAt(keys, x) < keyAt(keys, y);
  if (isLess(a, b)) swap(keys, 0, isLess(b, c) ? b : isLess(a, c) ? c : a);
  else swap(keys, 0, isLess(a, c) ? a : isLess(b, c) ? c : b);
}

function keyAt(keys: Keys, at: number): number {
  return keys[at]?.key ?? 0;
}

function swap(keys: Keys, a: number, b: number): void {
  const [first, second] = [keys[a], keys[b]];
  if (first === undefined || second === undefined) return;
  keys[a] = second;
  keys[b] = first;
}
