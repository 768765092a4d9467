/**
 * `after`, with everything in it that says the same as in `before` taken from there: what is drawn
 * of an unchanged part then sees the very same object. Entries of lists are found by their `id`,
 * `tensor` or `index`, else by their place. Places in the text make no difference: where only they
 * differ, they are those of `before`.
 */
export function reused<T>(before: T, after: T): T;
export function reused(before: unknown, after: unknown): unknown {
  return merged(before, after, new Map());
}

/** Each object of `after`, with that of `before` in its place and what came of both. */
type Known = Map<object, { readonly before: object; readonly result: unknown }>;

function merged(before: unknown, after: unknown, known: Known): unknown {
  if (Object.is(before, after)) return before;
  if (!isObject(before) || !isObject(after)) return after;
  const had = known.get(after);
  if (had?.before === before) return had.result;
  const result = mergedObjects(before, after, known);
  known.set(after, { before, result });
  return result;
}

function mergedObjects(before: object, after: object, known: Known): unknown {
  if (Array.isArray(after)) {
    return Array.isArray(before) ? mergedLists(before, after, known) : after;
  }
  if (after instanceof Map) {
    return before instanceof Map ? mergedMaps(before, after, known) : after;
  }
  if (Array.isArray(before) || before instanceof Map) return after;
  return mergedRecords(before, after, known);
}

function mergedLists(
  before: readonly unknown[],
  after: readonly unknown[],
  known: Known,
): readonly unknown[] {
  let isSame = before.length === after.length;
  let byKey: ReadonlyMap<unknown, unknown> | undefined;
  const result = after.map((item, at) => {
    let other = before[at];
    const key = keyOf(item);
    if (key !== undefined && keyOf(other) !== key) {
      byKey ??= new Map(before.map((each) => [keyOf(each), each]));
      other = byKey.get(key);
    }
    const next = merged(other, item, known);
    if (next !== before[at]) isSame = false;
    return next;
  });
  return isSame ? before : result;
}

function mergedMaps(
  before: ReadonlyMap<unknown, unknown>,
  after: ReadonlyMap<unknown, unknown>,
  known: Known,
): ReadonlyMap<unknown, unknown> {
  const result = new Map<unknown, unknown>();
  const keys = [...before.keys()];
  let isSame = before.size === after.size;
  for (const [key, item] of after) {
    if (keys[result.size] !== key) isSame = false;
    const next = merged(before.get(key), item, known);
    if (next !== before.get(key)) isSame = false;
    result.set(key, next);
  }
  return isSame ? before : result;
}

function mergedRecords(before: object, after: object, known: Known): object {
  const old = new Map<string, unknown>(Object.entries(before));
  const result: Record<string, unknown> = {};
  let isSame = true;
  let count = 0;
  for (const [key, item] of Object.entries(after)) {
    const had = old.get(key);
    const next = isSpan(had) && isSpan(item) ? had : merged(had, item, known);
    if (!old.has(key) || !Object.is(next, had)) isSame = false;
    result[key] = next;
    count += 1;
  }
  return isSame && count === old.size ? before : result;
}

function keyOf(item: unknown): unknown {
  if (!isObject(item)) return undefined;
  if ("id" in item) return item.id;
  if ("tensor" in item) return item.tensor;
  return "index" in item ? item.index : undefined;
}

function isSpan(value: unknown): boolean {
  if (!isObject(value) || !("from" in value) || !("to" in value)) return false;
  const { from, to } = value;
  return typeof from === "number" && typeof to === "number" && Object.keys(value).length === 2;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
