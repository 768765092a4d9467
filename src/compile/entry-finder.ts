/**
 * Key of a list entry: its `id`, `tensor`, `output`, `operator` or `index`; `undefined` without
 * any.
 */
export function entryKey(item: unknown): unknown {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return undefined;
  if ("id" in item) return item.id;
  if ("tensor" in item) return item.tensor;
  if ("output" in item) return item.output;
  if ("operator" in item) return item.operator;
  return "index" in item ? item.index : undefined;
}

/**
 * Finds each entry's index in an earlier list by its key; entries are queried in list order. An
 * insertion or removal shifts all later entries alike, so the shifted index is tried first.
 */
export class EntryFinder {
  private readonly before: readonly unknown[];
  /** Shift of the last entry from its earlier index. */
  private shift = 0;
  /** Number of entries of the earlier list found so far. */
  private found: number;
  private hasMissed = false;
  private places: ReadonlyMap<unknown, number> | undefined;

  /** @param found number of leading entries known to have kept their index */
  constructor(before: readonly unknown[], found: number) {
    this.before = before;
    this.found = found;
  }

  /** Earlier index of the entry at `at`; -1 if it is new. */
  placeOf(key: unknown, at: number): number {
    const near = at + this.shift;
    if (near < this.before.length && entryKey(this.before[near]) === key) return this.at(near, at);
    if (this.found >= this.before.length) return -1;
    const place = this.look(key);
    if (place >= 0) return this.at(place, at);
    this.shift -= 1;
    return -1;
  }

  private at(place: number, at: number): number {
    this.shift = place - at;
    this.found += 1;
    return place;
  }

  /**
   * Searches for a key. Most lists have one new entry, for which a single pass is faster than a
   * map.
   */
  private look(key: unknown): number {
    if (this.places === undefined && !this.hasMissed) {
      this.hasMissed = true;
      return this.before.findIndex((each) => entryKey(each) === key);
    }
    this.places ??= new Map(this.before.map((each, place) => [entryKey(each), place]));
    return this.places.get(key) ?? -1;
  }
}
