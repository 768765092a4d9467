import { type KeptText, parseEntry, type TextId, textId } from "./kept-text.ts";
import type { TextStorage } from "./text-storage.ts";

/** The texts of this browser, as one page of it sees them. */
export interface Shelf {
  /** For all pages, from visit to visit. */
  readonly storage: TextStorage;
  /** For this page alone, while its tab is open: entries for which `storage` has no room. */
  readonly shelter: TextStorage;
  /** Entries that neither of the two takes, until the page is left. */
  readonly memory: Map<TextId, string>;
  /** Ids of the texts that other pages show, as last known. */
  readonly elsewhere: () => ReadonlySet<string>;
  /** Identifies this page. */
  readonly page: string;
  readonly now: () => number;
  /** A new random id of letters and digits. */
  readonly fresh: () => string;
}

const prefix = "shardboard.text.";

/** The key of a text in the storage. */
export function keyOf(id: TextId): string {
  return `${prefix}${id}`;
}

/** The text that a key of the storage belongs to; `undefined` of a key for something else. */
export function idOfKey(key: string): TextId | undefined {
  return key.startsWith(prefix) ? textId(key.slice(prefix.length)) : undefined;
}

/** An id that no text has. */
export function freshId(shelf: Shelf): TextId {
  return shelf.fresh() as TextId;
}

/** A text as all pages see it. */
export function readKept({ storage }: Shelf, id: TextId): KeptText | undefined {
  const entry = storage.read(keyOf(id));
  return entry === undefined ? undefined : parseEntry(id, entry);
}

/** The newer version of a text that only this page has, because no room was left. */
export function readUnsaved({ memory, shelter }: Shelf, id: TextId): KeptText | undefined {
  const entry = memory.get(id) ?? shelter.read(keyOf(id));
  return entry === undefined ? undefined : parseEntry(id, entry);
}

/** All texts that can be read, in no order; of each the newest version that this page knows. */
export function allTexts(shelf: Shelf): readonly KeptText[] {
  return allIds(shelf).flatMap((id) => readUnsaved(shelf, id) ?? readKept(shelf, id) ?? []);
}

/** Ids of all entries, those that cannot be read among them. */
export function allIds({ storage, shelter, memory }: Shelf): readonly TextId[] {
  const keys = [...storage.keys(), ...shelter.keys()].flatMap((key) => idOfKey(key) ?? []);
  return [...new Set([...keys, ...memory.keys()])];
}
