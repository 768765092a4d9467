import { fieldOf } from "#core/records";
/**
 * `after`, with everything in it that says the same as in `before` taken from there: what is drawn
 * of an unchanged part then sees the very same object. Entries of lists are found by their `id`,
 * `tensor`, `output`, `operator` or `index`, else by their place. Places in the text make no
 * difference: where only they differ, they are those of `before`.
 */
export function shareStructure<T>(before: T, after: T): T;
export function shareStructure(before: unknown, after: unknown): unknown {
  return merged(before, after, { known: new Map(), isExact: false });
}

/** The same, where places in the text do make a difference: the result equals `after`. */
export function shareStructureExactly<T>(before: T, after: T): T;
export function shareStructureExactly(before: unknown, after: unknown): unknown {
  return merged(before, after, { known: new Map(), isExact: true });
}

/** The key of an entry of a list: its `id`, `tensor`, `output`, `operator` or `index`; if it has one. */
export function entryKey(item: unknown): unknown {
  if (!isObject(item) || Array.isArray(item)) return undefined;
  if ("id" in item) return item.id;
  if ("tensor" in item) return item.tensor;
  if ("output" in item) return item.output;
  if ("operator" in item) return item.operator;
  return "index" in item ? item.index : undefined;
}

interface Merge {
  /**
   * By object of `after`: the object of `before` in the same place, and the shared result. Entries
   * of keyed lists are not noted, since few of them are shared.
   */
  readonly known: Map<object, { readonly before: object; readonly result: unknown }>;
  readonly isExact: boolean;
}

function merged(before: unknown, after: unknown, merge: Merge): unknown {
  if (Object.is(before, after)) return before;
  if (!isObject(before) || !isObject(after)) return after;
  const had = merge.known.get(after);
  if (had?.before === before) return had.result;
  const result = mergedObjects(before, after, merge);
  if (!isSmall(after)) merge.known.set(after, { before, result });
  return result;
}

/** Whether comparing again costs no more than noting what came of it: spans, shapes. */
function isSmall(value: object): boolean {
  if (Array.isArray(value)) return value.length === 0 || !isObject(value[0]);
  return isPlainRecord(value) && isSpan(value);
}

function mergedObjects(before: object, after: object, merge: Merge): unknown {
  if (Array.isArray(after)) {
    return Array.isArray(before) ? mergedLists(before, after, merge) : after;
  }
  if (isPlainRecord(after))
    return isPlainRecord(before) ? mergedRecords(before, after, merge) : after;
  if (after instanceof Map) {
    return before instanceof Map ? mergedMaps(before, after, merge) : after;
  }
  if (after instanceof Set)
    return before instanceof Set && isSameSet(before, after) ? before : after;
  return isNumbers(before) && isNumbers(after) && isSameNumbers(before, after) ? before : after;
}

function mergedLists(
  before: readonly unknown[],
  after: readonly unknown[],
  merge: Merge,
): readonly unknown[] {
  let isBefore = before.length === after.length;
  let list: unknown[] | undefined = isBefore ? undefined : [];
  const byKey = createFinder(before);
  for (let at = 0; at < after.length; at++) {
    const [had, item] = [before[at], after[at]];
    const next = Object.is(had, item) ? item : mergedEntry(had, item, byKey, merge);
    if (isBefore && !Object.is(next, had)) {
      isBefore = false;
      list = before.slice(0, at);
    }
    list?.push(next);
  }
  return list ?? before;
}

/** An entry of a list, with the one that has its key, else with the one in its place. */
function mergedEntry(
  had: unknown,
  item: unknown,
  byKey: (key: unknown) => unknown,
  merge: Merge,
): unknown {
  if (!isObject(item)) return item;
  const key = entryKey(item);
  if (key === undefined) return merged(had, item, merge);
  const other = entryKey(had) === key ? had : byKey(key);
  if (Object.is(other, item) || !isObject(other)) return item;
  return mergedObjects(other, item, merge);
}

function createFinder(list: readonly unknown[]): (key: unknown) => unknown {
  let known: ReadonlyMap<unknown, unknown> | undefined;
  return (key) => {
    known ??= new Map(list.map((each) => [entryKey(each), each]));
    return known.get(key);
  };
}

function mergedMaps(
  before: ReadonlyMap<unknown, unknown>,
  after: ReadonlyMap<unknown, unknown>,
  merge: Merge,
): ReadonlyMap<unknown, unknown> {
  const result = new Map<unknown, unknown>();
  const keys = before.keys();
  let isSame = before.size === after.size;
  for (const [key, item] of after) {
    if (isSame && keys.next().value !== key) isSame = false;
    const had = before.get(key);
    const next = merged(had, item, merge);
    if (next !== had) isSame = false;
    result.set(key, next);
  }
  return isSame ? before : result;
}

type Numbers = Float64Array | Int32Array | Uint8Array;

function isNumbers(value: object): value is Numbers {
  return (
    value instanceof Float64Array || value instanceof Int32Array || value instanceof Uint8Array
  );
}

function isSameNumbers(before: Numbers, after: Numbers): boolean {
  return before.length === after.length && before.every((each, at) => Object.is(each, after[at]));
}

/** Whether both have the same in the same order. */
function isSameSet(before: ReadonlySet<unknown>, after: ReadonlySet<unknown>): boolean {
  const had = before.values();
  return before.size === after.size && [...after].every((item) => had.next().value === item);
}

function mergedRecords(before: PlainRecord, after: PlainRecord, merge: Merge): PlainRecord {
  if (isSpan(after) && isSpan(before)) return mergedSpans(before, after, merge);
  let isBefore = true;
  let isAfter = true;
  let size = 0;
  let record: Record<string, unknown> | undefined;
  for (const key in after) {
    const [had, item] = [ownField(before, key), after[key]];
    const next = Object.is(had, item) ? item : merged(had, item, merge);
    const isHad: boolean = isBefore && Object.is(next, had) && (had !== undefined || key in before);
    const isItem: boolean = isAfter && Object.is(next, item);
    // Only from here on is it neither of both.
    if (!isHad && !isItem) record ??= begun(isBefore ? before : after, after, key);
    if (record !== undefined) record[key] = next;
    isBefore = isHad;
    isAfter = isItem;
    size += 1;
  }
  if (record !== undefined) return record;
  if (isBefore && sizeOf(before) === size) return before;
  return isAfter ? after : begun(before, after);
}

/** Of places only exact ones are told apart. */
function mergedSpans(before: PlainRecord, after: PlainRecord, { isExact }: Merge): PlainRecord {
  const isSame = before["from"] === after["from"] && before["to"] === after["to"];
  return isSame || !isExact ? before : after;
}

/** What `after` has before a key, with the values of one of both. */
function begun(from: PlainRecord, after: PlainRecord, end?: string): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const key in after) {
    if (key === end) break;
    record[key] = ownField(from, key);
  }
  return record;
}

/** `fieldOf`, quicker: what all objects inherit is a function, or their prototype. */
function ownField(record: PlainRecord, key: string): unknown {
  const value = record[key];
  return typeof value === "function" || key === "__proto__" ? fieldOf(record, key) : value;
}

function sizeOf(record: PlainRecord): number {
  let size = 0;
  for (const _ in record) size += 1;
  return size;
}

type PlainRecord = Readonly<Record<string, unknown>>;

/** Whether a value is `{ from, to }`, offsets in a text. */
function isSpan(value: PlainRecord): boolean {
  return (
    typeof value["from"] === "number" && typeof value["to"] === "number" && sizeOf(value) === 2
  );
}

function isPlainRecord(value: object): value is PlainRecord {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
