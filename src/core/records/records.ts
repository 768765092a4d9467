/**
 * A field of a record whose keys people write, such as identifiers and names. `undefined` for a key
 * that the record itself does not have, also if all objects inherit it (`constructor`).
 */
export function fieldOf<T>(
  record: Readonly<Record<string, T>> | undefined,
  key: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Whether an object is a plain record, without a class, as JSON and literals create it. */
export function isPlainRecord(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether a value is an object with named fields: no list, not null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The entry of a map under a key.
 *
 * @param what the kind of entry, as in "no tensor x"
 * @throws Error without such an entry, which only a bug can cause
 */
export function required<Key, Held>(map: ReadonlyMap<Key, Held>, key: Key, what: string): Held {
  const held = map.get(key);
  if (held === undefined) throw new Error(`no ${what} ${key}`);
  return held;
}

/** Items by their key, both in order of first appearance. */
export function groupedBy<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) append(groups, keyOf(item), item);
  return groups;
}

/** Adds an item to the list under a key of a map. */
export function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/**
 * `{ ...record, ...more }` for records that occur in thousands. If a key follows a spread, engines
 * give every object its own hidden class (V8 11), which takes more memory than the object and slows
 * reads.
 */
export function extended<Own extends object, More extends object>(
  record: Own,
  more: More,
): Own & More {
  return Object.assign({}, record, more);
}

/** Whether two rows hold the same values in the same order. */
export function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}
