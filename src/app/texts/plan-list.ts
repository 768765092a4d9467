import { type KeptText, printEntry, type TextId, timeOf } from "./kept-text.ts";
import { allIds, allTexts, freshId, keyOf, readKept, readUnsaved, type Shelf } from "./shelf.ts";
import { copyName, type ShownText } from "./shown-text.ts";

/** Most unnamed texts that are kept; named texts do not count. */
export const mostUnnamed = 100;

/** One entry of the list of texts. */
export type ListedText =
  | { readonly kind: "text"; readonly text: KeptText; readonly isSaved: boolean }
  | { readonly kind: "unreadable"; readonly id: TextId; readonly entry: string };

/** All texts, last edited first; unreadable entries come last. */
export function listTexts(shelf: Shelf): readonly ListedText[] {
  const time = (each: ListedText) => (each.kind === "text" ? timeOf(each.text) : -1);
  return allIds(shelf)
    .flatMap((id) => listed(shelf, id) ?? [])
    .sort((a, b) => time(b) - time(a) || (idOf(a) < idOf(b) ? -1 : 1));
}

/** The id of an entry. */
export function idOf(each: ListedText): TextId {
  return each.kind === "text" ? each.text.id : each.id;
}

function listed(shelf: Shelf, id: TextId): ListedText | undefined {
  const unsaved = readUnsaved(shelf, id);
  const text = unsaved ?? readKept(shelf, id);
  if (text !== undefined) return { kind: "text", text, isSaved: unsaved === undefined };
  const entry = shelf.storage.read(keyOf(id));
  return entry === undefined ? undefined : { kind: "unreadable", id, entry };
}

/** The entries whose name, description or first 20,000 characters contain every word of a query. */
export function textsWith(list: readonly ListedText[], query: string): readonly ListedText[] {
  const words = query.toLowerCase().split(/\s+/u);
  return list.filter((each) => {
    const said = each.kind === "text" ? searched(each.text) : "";
    return words.every((word) => said.includes(word));
  });
}

function searched({ name, about = "", source }: KeptText): string {
  return `${name} ${about} ${source.slice(0, 20_000)}`.toLowerCase();
}

/** Names a text. Returns false if the browser has no room for it. */
export function renameText(shelf: Shelf, id: TextId, name: string): boolean {
  return rewritten(shelf, id, (text) => ({ ...text, name, isNamed: true }));
}

/** Stores a description of a text, if the stored version is the one on screen. */
export function describeText(shelf: Shelf, { id, basis }: ShownText, about: string): void {
  rewritten(shelf, id, (text) =>
    text.stamp === basis && text.about !== about ? { ...text, about } : text,
  );
}

/** Rewrites a text's properties; the stamp stays, since the text itself is unchanged. */
function rewritten(shelf: Shelf, id: TextId, change: (text: KeptText) => KeptText): boolean {
  const unsaved = readUnsaved(shelf, id);
  if (unsaved !== undefined) {
    const entry = printEntry(change(unsaved));
    if (shelf.memory.has(id)) shelf.memory.set(id, entry);
    else if (!shelf.shelter.write(keyOf(id), entry)) return false;
  }
  const text = readKept(shelf, id);
  if (text === undefined) return unsaved !== undefined;
  const changed = change(text);
  return changed === text || shelf.storage.write(keyOf(id), printEntry(changed));
}

/** Copies a text under a new name; `undefined` if the browser has no room for it. */
export function duplicateText(shelf: Shelf, text: KeptText): TextId | undefined {
  const id = freshId(shelf);
  const { base: _, ...rest } = text;
  const now = shelf.now();
  const stamp = `${shelf.page}.${shelf.fresh()}`;
  const copy = { ...rest, id, name: copyName(text.name), created: now, edited: now, stamp };
  return shelf.storage.write(keyOf(id), printEntry(copy)) ? id : undefined;
}

/** The entries of a removed text, for `restoreText`. */
export interface RemovedText {
  readonly id: TextId;
  readonly kept: string | undefined;
  readonly unsaved: string | undefined;
}

/** Removes a text; the result is the argument of `restoreText`. */
export function removeText({ storage, shelter, memory }: Shelf, id: TextId): RemovedText {
  const key = keyOf(id);
  const removed = { id, kept: storage.read(key), unsaved: memory.get(id) ?? shelter.read(key) };
  storage.remove(key);
  shelter.remove(key);
  memory.delete(id);
  return removed;
}

/** Restores a removed text; for this page only if the storage has no room. */
export function restoreText(shelf: Shelf, { id, kept, unsaved }: RemovedText): void {
  const isKept = kept !== undefined && shelf.storage.write(keyOf(id), kept);
  const rest = unsaved ?? (isKept ? undefined : kept);
  if (rest !== undefined && !shelf.shelter.write(keyOf(id), rest)) shelf.memory.set(id, rest);
}

/** Retries writing the texts that only this page has to the storage. */
export function saveUnsaved(shelf: Shelf): void {
  for (const id of allIds({ ...shelf, storage: { ...shelf.storage, keys: () => [] } })) {
    const unsaved = readUnsaved(shelf, id);
    const kept = readKept(shelf, id);
    const isNewer = unsaved !== undefined && (kept === undefined || kept.stamp === unsaved.base);
    if (!isNewer || !shelf.storage.write(keyOf(id), printEntry(unsaved))) continue;
    shelf.memory.delete(id);
    shelf.shelter.remove(keyOf(id));
  }
}

/**
 * Removes unnamed texts beyond `mostUnnamed`: first those never edited, then the least recently
 * edited; never one that a page shows.
 */
export function removeOldest(shelf: Shelf, shown: TextId): readonly RemovedText[] {
  const unnamed = allTexts(shelf).filter(({ isNamed }) => !isNamed);
  const rank = ({ edited }: KeptText) => (edited === undefined ? 0 : 1);
  return unnamed
    .sort((a, b) => rank(a) - rank(b) || timeOf(a) - timeOf(b) || (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(0, unnamed.length - mostUnnamed))
    .filter(({ id }) => id !== shown && !shelf.elsewhere().has(id))
    .map(({ id }) => removeText(shelf, id));
}

/** The text in an unreadable entry, without the entry's head if that can be separated. */
export function rawText(entry: string): string {
  const end = entry.indexOf("\n");
  return entry.startsWith("{") && end > 0 ? entry.slice(end + 1) : entry;
}
