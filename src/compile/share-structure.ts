import { fieldOf, isPlainRecord } from "#core/records";
import { EntryFinder, entryKey } from "./entry-finder.ts";

/**
 * `after`, with every part that equals the part of `before` replaced by it, so that unchanged parts
 * of the drawing get the same object. List entries are matched by their `id`, `tensor`, `output`,
 * `operator` or `index`, else by position. Spans are ignored: of parts that differ only in spans,
 * those of `before` are used.
 */
export function shareStructure<T>(before: T, after: T): T;
export function shareStructure(before: unknown, after: unknown): unknown {
  return merged(before, after, { known: new Map(), isExact: false, compared: 0 });
}

/** `shareStructure` with spans compared too: the result equals `after`. */
export function shareStructureExactly<T>(before: T, after: T): T;
export function shareStructureExactly(before: unknown, after: unknown): unknown {
  return merged(before, after, { known: new Map(), isExact: true, compared: 0 });
}

interface Merge {
  /**
   * Memoized results by object of `after`: the object of `before` at the same place, and the shared
   * result. Only objects whose result is a third object, or that took many comparisons, are
   * remembered; comparing others again is cheaper.
   */
  readonly known: Map<object, { readonly before: object; readonly result: unknown }>;
  readonly isExact: boolean;
  /** Number of objects compared so far. */
  compared: number;
}

/** Most comparisons of an object that is compared again rather than remembered. */
const few = 4;

function merged(before: unknown, after: unknown, merge: Merge): unknown {
  if (Object.is(before, after)) return before;
  if (!isObject(after)) return after;
  if (!isObject(before)) return joined(after, merge);
  const had = merge.known.get(after);
  if (had?.before === before) return had.result;
  const start = merge.compared;
  const result = mergedObjects(before, after, merge);
  const isNew = result !== before && result !== after;
  if (isNew || merge.compared - start > few) merge.known.set(after, { before, result });
  return result;
}

/**
 * A value without a counterpart in `before`, such as a new operator. Parts that occur elsewhere in
 * `before`, such as its tensors or mesh, are replaced by those objects.
 */
function joined(after: object, merge: Merge): unknown {
  const had = merge.known.get(after);
  if (had !== undefined) return had.result;
  const start = merge.compared;
  merge.compared += 1;
  let result: unknown = after;
  if (Array.isArray(after)) result = joinedList(after, merge);
  else if (isPlainRecord(after)) result = joinedRecord(after, merge);
  const isNoted = result !== after || merge.compared - start > few;
  if (isNoted) merge.known.set(after, { before: after, result });
  return result;
}

function joinedList(after: readonly unknown[], merge: Merge): readonly unknown[] {
  let made: unknown[] | undefined;
  for (const [at, item] of after.entries()) {
    if (!isObject(item)) continue;
    const next = joined(item, merge);
    if (Object.is(next, item)) continue;
    made ??= [...after];
    made[at] = next;
  }
  return made ?? after;
}

function joinedRecord(after: PlainRecord, merge: Merge): PlainRecord {
  let changed: Map<string, unknown> | undefined;
  for (const key in after) {
    const item = ownField(after, key);
    if (!isObject(item)) continue;
    const next = joined(item, merge);
    if (Object.is(next, item)) continue;
    changed ??= new Map();
    changed.set(key, next);
  }
  if (changed === undefined) return after;
  const parts = changed;
  return Object.fromEntries(
    Object.entries(after).map(([key, item]) => [key, parts.has(key) ? parts.get(key) : item]),
  );
}

function mergedObjects(before: object, after: object, merge: Merge): unknown {
  merge.compared += 1;
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
  let finder: EntryFinder | undefined;
  let isBefore = before.length === after.length;
  let isAfter = true;
  let list: unknown[] | undefined;
  for (let at = 0; at < after.length; at++) {
    const [had, item] = [before[at], after[at]];
    let next = item;
    if (!Object.is(had, item) && isObject(item)) {
      const key = entryKey(item);
      if (key !== undefined && finder === undefined && entryKey(had) !== key)
        finder = new EntryFinder(before, at);
      const other =
        key === undefined || finder === undefined ? had : before[finder.placeOf(key, at)];
      const isEntry = key !== undefined && isObject(other);
      next = isEntry ? mergedObjects(other, item, merge) : merged(other, item, merge);
    }
    const isHad: boolean = isBefore && Object.is(next, had);
    const isItem: boolean = isAfter && Object.is(next, item);
    // From here on the result is a new list.
    if (!isHad && !isItem) list ??= (isBefore ? before : after).slice(0, at);
    list?.push(next);
    isBefore = isHad;
    isAfter = isItem;
  }
  return list ?? (isBefore ? before : after);
}

function mergedMaps(
  before: ReadonlyMap<unknown, unknown>,
  after: ReadonlyMap<unknown, unknown>,
  merge: Merge,
): ReadonlyMap<unknown, unknown> {
  const keys = before.keys();
  let isBefore = before.size === after.size;
  let isAfter = true;
  let map: Map<unknown, unknown> | undefined;
  let at = 0;
  for (const [key, item] of after) {
    const had = before.get(key);
    const next = merged(had, item, merge);
    const isHad: boolean = isBefore && keys.next().value === key && Object.is(next, had);
    const isItem: boolean = isAfter && Object.is(next, item);
    if (!isHad && !isItem) map ??= firstOf(isBefore ? before : after, at);
    map?.set(key, next);
    isBefore = isHad;
    isAfter = isItem;
    at += 1;
  }
  return map ?? (isBefore ? before : after);
}

/** The first entries of a map. */
function firstOf(map: ReadonlyMap<unknown, unknown>, count: number): Map<unknown, unknown> {
  const first = new Map<unknown, unknown>();
  for (const [key, item] of map) {
    if (first.size === count) break;
    first.set(key, item);
  }
  return first;
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

/** Whether both sets have the same items in the same order. */
function isSameSet(before: ReadonlySet<unknown>, after: ReadonlySet<unknown>): boolean {
  const had = before.values();
  return before.size === after.size && [...after].every((item) => had.next().value === item);
}

function mergedRecords(before: PlainRecord, after: PlainRecord, merge: Merge): PlainRecord {
  if (!merge.isExact && isSpan(after) && isSpan(before)) return before;
  let isBefore = true;
  let isAfter = true;
  let size = 0;
  let record: Record<string, unknown> | undefined;
  for (const key in after) {
    const [had, item] = [ownField(before, key), after[key]];
    const next = Object.is(had, item) ? item : merged(had, item, merge);
    const isHad: boolean = isBefore && Object.is(next, had) && (had !== undefined || key in before);
    const isItem: boolean = isAfter && Object.is(next, item);
    // From here on the result is a new record.
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

/** A copy of the fields of `after` up to a key, with the values of `from`. */
function begun(from: PlainRecord, after: PlainRecord, end?: string): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const key in after) {
    if (key === end) break;
    record[key] = ownField(from, key);
  }
  return record;
}

/** `fieldOf`, but faster: every inherited field is a function or the prototype. */
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

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
