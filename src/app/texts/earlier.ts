import { type From, printEntry, type TextId } from "./kept-text.ts";
import { keyOf, type Shelf } from "./shelf.ts";

const draftKey = "shardboard.draft";
const asideKey = "shardboard.aside";
const visitKey = "shardboard.visit";

/**
 * Takes over the texts stored by earlier versions of this program: one draft, a list of texts set
 * aside, and the last edited link. Entries for which there is no room stay where they are.
 */
export function takeEarlier(shelf: Shelf, nameOf: (from: From, source: string) => string): void {
  const { storage } = shelf;
  const write = (from: From, source: string, edited: number) => {
    const id = `e${digest(source)}` as TextId;
    const head = { id, name: nameOf(from, source), isNamed: false, from, created: edited, edited };
    return storage.write(keyOf(id), printEntry({ ...head, stamp: `earlier.${id}`, source }));
  };
  const now = shelf.now();
  moved(shelf, draftKey, (draft) => write({ kind: "new" }, draft, now));
  moved(shelf, asideKey, (entry) =>
    asideIn(entry).every((text, place) => write({ kind: "new" }, text, now - 1 - place)),
  );
  moved(shelf, visitKey, (entry) => {
    const end = entry.indexOf("\n");
    const fragment = entry.slice(0, Math.max(0, end));
    const from: From = fragment.startsWith("#p=") ? { kind: "link", fragment } : { kind: "new" };
    return end < 0 || write(from, entry.slice(end + 1), now - 1);
  });
}

/**
 * Removes the old entry first, since its space is needed, and restores it if the new entries cannot
 * be written.
 */
function moved({ storage }: Shelf, key: string, take: (entry: string) => boolean): void {
  const entry = storage.read(key);
  if (entry === undefined) return;
  storage.remove(key);
  if (!take(entry)) storage.write(key, entry);
}

/** The texts of the list; if the entry is no list, the entry itself. */
function asideIn(entry: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(entry);
    if (Array.isArray(list)) return list.filter((each) => typeof each === "string");
  } catch {
    // Not a list: the entry is kept as one text.
  }
  return [entry];
}

/**
 * Id derived from the text (FNV-1a), so that two pages that take over the same text store it once.
 */
function digest(text: string): string {
  let low = 0x811c9dc5;
  let high = text.length;
  for (let at = 0; at < text.length; at += 1) {
    low = Math.imul(low ^ text.charCodeAt(at), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(at), 0x85ebca6b) + 0x27d4eb2f;
  }
  return `${(low >>> 0).toString(36)}${(high >>> 0).toString(36)}`;
}
