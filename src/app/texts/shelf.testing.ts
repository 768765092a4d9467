import type { Keep } from "./keep.ts";
import type { Shelf } from "./shelf.ts";

/** A storage in memory, which can be full. */
export interface TestKeep extends Keep {
  readonly kept: Map<string, string>;
  isFull: boolean;
}

/** A storage that takes everything until it is said to be full; then it refuses what is longer. */
export function testKeep(): TestKeep {
  const kept = new Map<string, string>();
  const keep: TestKeep = {
    kept,
    isFull: false,
    read: (key) => kept.get(key),
    write: (key, value) => {
      if (keep.isFull && value.length > (kept.get(key)?.length ?? 0)) return false;
      kept.set(key, value);
      return true;
    },
    remove: (key) => {
      kept.delete(key);
    },
    keys: () => [...kept.keys()],
  };
  return keep;
}

/** A storage that is switched off: every access throws in the browser. */
export function brokenKeep(): Keep {
  return { read: () => undefined, write: () => false, remove: () => {}, keys: () => [] };
}

let pages = 0;

/** The texts as a new page sees them; ids and times are counted. */
export function testShelf(keep: Keep = testKeep(), more: Partial<Shelf> = {}): Shelf {
  pages += 1;
  const page = `page${pages}`;
  let count = 0;
  const fresh = () => {
    count += 1;
    return `${page}n${count}`;
  };
  const base = { keep, shelter: testKeep(), memory: new Map(), page, fresh };
  return { ...base, elsewhere: () => new Set(), now: () => pages * 1_000 + count, ...more };
}
