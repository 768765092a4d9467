import type { Shelf } from "./shelf.ts";
import type { TextStorage } from "./text-storage.ts";

/** An in-memory storage that can be full. */
export interface TestStorage extends TextStorage {
  readonly kept: Map<string, string>;
  isFull: boolean;
}

/** A storage that accepts everything until it is marked full; then it refuses longer values. */
export function testStorage(): TestStorage {
  const kept = new Map<string, string>();
  const storage: TestStorage = {
    kept,
    isFull: false,
    read: (key) => kept.get(key),
    write: (key, value) => {
      if (storage.isFull && value.length > (kept.get(key)?.length ?? 0)) return false;
      kept.set(key, value);
      return true;
    },
    remove: (key) => {
      kept.delete(key);
    },
    keys: () => [...kept.keys()],
  };
  return storage;
}

/** A disabled storage, where every access throws in the browser. */
export function brokenStorage(): TextStorage {
  return { read: () => undefined, write: () => false, remove: () => {}, keys: () => [] };
}

let pages = 0;

/** The texts from the view of a new page, with sequential ids and times. */
export function testShelf(storage: TextStorage = testStorage(), more: Partial<Shelf> = {}): Shelf {
  pages += 1;
  const page = `page${pages}`;
  let count = 0;
  const fresh = () => {
    count += 1;
    return `${page}n${count}`;
  };
  const base = { storage, shelter: testStorage(), memory: new Map(), page, fresh };
  return { ...base, elsewhere: () => new Set(), now: () => pages * 1_000 + count, ...more };
}
