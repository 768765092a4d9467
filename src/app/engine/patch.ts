import { EntryFinder, entryKey } from "#compile";
import { fieldOf, isPlainRecord } from "#core/records";

/**
 * Difference between two values as data, for a receiver that has the old one. Lists and maps are
 * written as a sequence of kept and new entries.
 */
export type Patch =
  | "same"
  | { readonly value: unknown }
  | {
      readonly fields: Readonly<Record<string, Patch>>;
      /** All keys in order, if keys were added, removed or reordered. */
      readonly keys?: readonly string[];
    }
  | { readonly list: readonly Piece[] }
  | { readonly map: readonly Piece[]; readonly keys?: readonly unknown[] };

/**
 * Run of kept entries by index in the old list, or a changed entry as a patch of the old entry
 * `at`.
 */
type Piece =
  | { readonly from: number; readonly count: number }
  | { readonly at: number; readonly patch: Patch };

/** Computed patches by new object, each with the old object it starts from. */
type PatchMemo = Map<object, { readonly before: object; readonly patch: Patch }>;

/** The patch from one plain value to the next. */
export function patchOf(before: unknown, after: unknown): Patch {
  return differenceOf(before, after, new Map());
}

function differenceOf(before: unknown, after: unknown, known: PatchMemo): Patch {
  if (Object.is(before, after)) return "same";
  if (!isObject(before) || !isObject(after)) return { value: after };
  const had = known.get(after);
  if (had?.before === before) return had.patch;
  const patch = objectPatch(before, after, known);
  known.set(after, { before, patch });
  return patch;
}

function objectPatch(before: object, after: object, known: PatchMemo): Patch {
  if (Array.isArray(after)) {
    if (!Array.isArray(before)) return { value: after };
    const list = listPieces(before, after, pairsInLists(before, after), known);
    return isWhole(list, before.length, after.length) ? "same" : { list };
  }
  if (after instanceof Map) {
    return before instanceof Map ? mapPatch(before, after, known) : { value: after };
  }
  return isPlainRecord(before) && isPlainRecord(after)
    ? recordPatch(before, after, known)
    : { value: after };
}

function recordPatch(before: PlainRecord, after: PlainRecord, known: PatchMemo): Patch {
  const [old, keys] = [Object.keys(before), Object.keys(after)];
  const isSameOrder = old.length === keys.length && old.every((key, at) => key === keys[at]);
  const fields: Record<string, Patch> = {};
  let isSame = isSameOrder;
  for (const key of keys) {
    const patch = differenceOf(fieldOf(before, key), fieldOf(after, key), known);
    if (patch === "same") continue;
    fields[key] = patch;
    isSame = false;
  }
  if (isSame) return "same";
  return isSameOrder ? { fields } : { fields, keys };
}

function mapPatch(
  before: ReadonlyMap<unknown, unknown>,
  after: ReadonlyMap<unknown, unknown>,
  known: PatchMemo,
): Patch {
  const [old, keys] = [[...before.keys()], [...after.keys()]];
  const isSameOrder = old.length === keys.length && old.every((key, at) => key === keys[at]);
  const places = isSameOrder ? undefined : new Map(old.map((key, at) => [key, at]));
  const indexBefore = (at: number) => (places === undefined ? at : (places.get(keys[at]) ?? -1));
  const map = listPieces([...before.values()], [...after.values()], indexBefore, known);
  if (isSameOrder && isWhole(map, before.size, after.size)) return "same";
  return isSameOrder ? { map } : { map, keys };
}

/**
 * Index of the old entry that an entry of the new list is compared with: by key, otherwise by
 * index; −1 if there is none.
 */
function pairsInLists(
  before: readonly unknown[],
  after: readonly unknown[],
): (at: number) => number {
  let finder: EntryFinder | undefined;
  return (at) => {
    if (Object.is(before[at], after[at])) return at;
    const key = entryKey(after[at]);
    if (key === undefined || (finder === undefined && entryKey(before[at]) === key))
      return at < before.length ? at : -1;
    finder ??= new EntryFinder(before, at);
    return finder.placeOf(key, at);
  };
}

function listPieces(
  before: readonly unknown[],
  after: readonly unknown[],
  indexBefore: (at: number) => number,
  known: PatchMemo,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let run: { from: number; count: number } | undefined;
  for (const [index, item] of after.entries()) {
    const at = indexBefore(index);
    const patch = at < 0 ? { value: item } : differenceOf(before[at], item, known);
    if (patch !== "same") {
      pieces.push({ at, patch });
      run = undefined;
    } else if (run !== undefined && run.from + run.count === at) {
      run.count += 1;
    } else {
      run = { from: at, count: 1 };
      pieces.push(run);
    }
  }
  return pieces;
}

/** Whether the pieces are exactly the whole old list. */
function isWhole(pieces: readonly Piece[], before: number, after: number): boolean {
  if (before !== after) return false;
  const [only, another] = pieces;
  if (only === undefined) return true;
  return another === undefined && "count" in only && only.from === 0 && only.count === after;
}

/** Applies a patch; unchanged parts are shared with the old value. */
export function patched<T>(before: T, patch: Patch): T;
export function patched(before: unknown, patch: Patch): unknown {
  return applied(before, patch, new Map());
}

/** Object made from each patch, so an object that occurs in several places stays one object. */
type Made = Map<Patch, unknown>;

function applied(before: unknown, patch: Patch, made: Made): unknown {
  if (patch === "same") return before;
  if ("value" in patch) return patch.value;
  if (made.has(patch)) return made.get(patch);
  const result = changed(before, patch, made);
  made.set(patch, result);
  return result;
}

function changed(
  before: unknown,
  patch: Exclude<Patch, "same" | { readonly value: unknown }>,
  made: Made,
): unknown {
  if ("list" in patch) return joined(Array.isArray(before) ? before : [], patch.list, made);
  if ("map" in patch) {
    const old: ReadonlyMap<unknown, unknown> = before instanceof Map ? before : new Map();
    const values = joined([...old.values()], patch.map, made);
    return new Map((patch.keys ?? [...old.keys()]).map((key, at) => [key, values[at]]));
  }
  const old: PlainRecord = isObject(before) && isPlainRecord(before) ? before : {};
  const record: Record<string, unknown> = {};
  for (const key of patch.keys ?? Object.keys(old)) {
    record[key] = applied(fieldOf(old, key), fieldOf(patch.fields, key) ?? "same", made);
  }
  return record;
}

function joined(before: readonly unknown[], pieces: readonly Piece[], made: Made): unknown[] {
  const list: unknown[] = [];
  for (const piece of pieces) {
    if ("count" in piece) {
      for (let at = 0; at < piece.count; at += 1) list.push(before[piece.from + at]);
    } else {
      list.push(applied(before[piece.at], piece.patch, made));
    }
  }
  return list;
}

type PlainRecord = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
