import { type KeptText, parseEntry, type TextId, textId } from "./kept-text.ts";
import type { TextStorage } from "./text-storage.ts";

/** The texts of this browser from the view of one page. */
export interface Shelf {
  /** Storage shared by all pages, which persists across visits. */
  readonly storage: TextStorage;
  /**
   * Storage of this tab, for entries that do not fit in `storage`; it lasts while the tab is open.
   */
  readonly shelter: TextStorage;
  /** Entries that fit in neither storage, until the page is left. */
  readonly memory: Map<TextId, string>;
  /** Ids of the texts that other pages show, as last known. */
  readonly elsewhere: () => ReadonlySet<string>;
  /** Id of this page. */
  readonly page: string;
  readonly now: () => number;
  /** A new random id of letters and digits. */
  readonly fresh: () => string;
}

const prefix = "shardboard.text.";

/** The storage key of a text. */
export function keyOf(id: TextId): string {
  return `${prefix}${id}`;
}

/** The text id of a storage key; `undefined` for a key of something else. */
export function idOfKey(key: string): TextId | undefined {
  return key.startsWith(prefix) ? textId(key.slice(prefix.length)) : undefined;
}

/** An unused text id. */
export function freshId(shelf: Shelf): TextId {
  return shelf.fresh() as TextId;
}

/** The stored version of a text, common to all pages. */
export function readKept({ storage }: Shelf, id: TextId): KeptText | undefined {
  const entry = storage.read(keyOf(id));
  return entry === undefined ? undefined : parseEntry(id, entry);
}

/** The newer version of a text that only this page has, for lack of storage. */
export function readUnsaved({ memory, shelter }: Shelf, id: TextId): KeptText | undefined {
  const entry = memory.get(id) ?? shelter.read(keyOf(id));
  return entry === undefined ? undefined : parseEntry(id, entry);
}

/** All readable texts, unordered, each in the newest version that this page knows. */
export function allTexts(shelf: Shelf): readonly KeptText[] {
  return allIds(shelf).flatMap((id) => readUnsaved(shelf, id) ?? readKept(shelf, id) ?? []);
}

/** Ids of all entries, including unreadable ones. */
export function allIds({ storage, shelter, memory }: Shelf): readonly TextId[] {
  const keys = [...storage.keys(), ...shelter.keys()].flatMap((key) => idOfKey(key) ?? []);
  return [...new Set([...keys, ...memory.keys()])];
}
