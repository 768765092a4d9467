import { type From, type KeptText, printEntry, type TextId, timeOf } from "./kept-text.ts";
import { allTexts, freshId, keyOf, readKept, readUnsaved, type Shelf } from "./shelf.ts";

/** The identity of the text on screen, and where it is stored. */
export interface ShownText {
  readonly id: TextId;
  readonly name: string;
  readonly isNamed: boolean;
  readonly from: From;
  readonly created: number;
  /** Whether the reader has edited the text, in any visit. */
  readonly isEdited: boolean;
  /** The stamp of the stored version on which the text on screen is based. */
  readonly basis?: string;
  /** The stamp of the stored version that this page opened. */
  readonly since?: string;
  /** Place of the newest version: the storage, this tab, this page, or not stored. */
  readonly kept: "browser" | "tab" | "page" | "no";
  /**
   * The original of this text, which is a copy made because another page showed or changed the
   * original.
   */
  readonly forkOf?: TextId;
}

/** A text and its identity. */
export interface OpenedText {
  readonly shown: ShownText;
  readonly source: string;
}

/** A newly opened text; it is not stored before its first edit. */
export function freshText(shelf: Shelf, from: From, name: string): ShownText {
  const id = freshId(shelf);
  return { id, name, isNamed: false, isEdited: false, from, created: shelf.now(), kept: "no" };
}

/**
 * A stored text by its id, in the newest version that this page has; `undefined` if there is none.
 */
export function openText(shelf: Shelf, id: TextId): OpenedText | undefined {
  const unsaved = readUnsaved(shelf, id);
  const text = unsaved ?? readKept(shelf, id);
  if (text === undefined) return undefined;
  const basis = unsaved === undefined ? text.stamp : text.base;
  const where = shelf.memory.has(id) ? "page" : "tab";
  return {
    shown: {
      ...{ id, name: text.name, isNamed: text.isNamed, from: text.from, created: text.created },
      isEdited: text.edited !== undefined,
      ...(basis !== undefined && { basis, since: basis }),
      kept: unsaved === undefined ? "browser" : where,
    },
    source: text.source,
  };
}

/**
 * Stores the text on screen after an edit. If another page shows it, or has changed it since this
 * page read it, it is stored as a copy under a new id, so that neither page overwrites the other.
 */
export function keepText(shelf: Shelf, shown: ShownText, source: string): ShownText {
  const { shown: next, isForeign } = checked(shelf, shown);
  if (isForeign && readKept(shelf, shown.id)?.source === source) return adopted(shelf, next);
  const isTaken = isForeign || shelf.elsewhere().has(shown.id);
  return written(shelf, isTaken ? forkOf(shelf, next) : next, source, shelf.now());
}

/** Stores a text without an edit, such as an opened file. */
export function keepAsCame(shelf: Shelf, shown: ShownText, source: string): ShownText {
  return written(shelf, shown, source, undefined);
}

/** The change of the text on screen by another page. */
export type Heard = "nothing" | "changed" | "removed" | "forked";

/** Checks the storage for changes that another page made to the text on screen. */
export function hearText(
  shelf: Shelf,
  shown: ShownText,
  source: string,
): { readonly shown: ShownText; readonly heard: Heard } {
  const { shown: named, isForeign } = checked(shelf, shown);
  const stored = readKept(shelf, shown.id);
  if (stored === undefined && !isForeign) {
    const { basis, ...rest } = named;
    if (basis === undefined || named.kept !== "browser") return { shown: named, heard: "nothing" };
    return { shown: { ...rest, kept: "no" }, heard: "removed" };
  }
  if (!isForeign) return { shown: named, heard: "nothing" };
  if (stored?.source === source) return { shown: adopted(shelf, named), heard: "nothing" };
  const wroteHere = named.basis?.startsWith(`${shelf.page}.`) === true;
  if (!wroteHere || stored?.base === named.basis) return { shown: named, heard: "changed" };
  // The other page overwrote the last edit of this one, so the edit is stored as a text of its own.
  const forked = written(shelf, forkOf(shelf, named), source, shelf.now());
  return { shown: forked, heard: "forked" };
}

/** The text on screen with its stored name, and whether another page has changed the text. */
function checked(shelf: Shelf, shown: ShownText): { shown: ShownText; isForeign: boolean } {
  const stored = readKept(shelf, shown.id);
  // An unreadable entry is of a newer version of this program and must not be overwritten.
  const hasEntry = shelf.storage.read(keyOf(shown.id)) !== undefined;
  if (stored === undefined) return { shown, isForeign: hasEntry };
  const isRenamed = stored.isNamed && stored.name !== shown.name;
  return {
    shown: isRenamed ? { ...shown, name: stored.name, isNamed: true } : shown,
    isForeign: stored.stamp !== shown.basis,
  };
}

function adopted(shelf: Shelf, shown: ShownText): ShownText {
  const stamp = readKept(shelf, shown.id)?.stamp;
  return stamp === undefined ? shown : { ...shown, basis: stamp, since: stamp, kept: "browser" };
}

function forkOf(shelf: Shelf, { basis: _, since: __, ...shown }: ShownText): ShownText {
  const name = copyName(shown.name);
  return { ...shown, id: freshId(shelf), name, created: shelf.now(), kept: "no", forkOf: shown.id };
}

/** Name of a copy: `Net` becomes `Net 2`, and `Net 2` becomes `Net 3`. */
export function copyName(name: string): string {
  const [, stem = name, count = "1"] = /^(.*) (\d{1,4})$/u.exec(name) ?? [];
  return `${stem} ${Number(count) + 1}`;
}

function written(
  shelf: Shelf,
  shown: ShownText,
  source: string,
  edited: number | undefined,
): ShownText {
  const { id, name, isNamed, from, created, basis, since } = shown;
  const stamp = `${shelf.page}.${shelf.fresh()}`;
  const head = { id, name, isNamed, from, created, stamp, source };
  const text: KeptText = { ...head, ...(edited !== undefined && { edited }) };
  const isEdited = edited !== undefined;
  if (shelf.storage.write(keyOf(id), printEntry({ ...text, ...(since && { base: since }) }))) {
    forgetUnsaved(shelf, id);
    return { ...shown, isEdited, basis: stamp, kept: "browser" };
  }
  return { ...shown, isEdited, kept: sheltered(shelf, { ...text, ...(basis && { base: basis }) }) };
}

/** Stores a version for this page only; `base` is the stored version on which it is based. */
function sheltered({ shelter, memory }: Shelf, text: KeptText): "tab" | "page" {
  const entry = printEntry(text);
  if (shelter.write(keyOf(text.id), entry)) {
    memory.delete(text.id);
    return "tab";
  }
  memory.set(text.id, entry);
  return "page";
}

function forgetUnsaved({ shelter, memory }: Shelf, id: TextId): void {
  memory.delete(id);
  if (shelter.read(keyOf(id)) !== undefined) shelter.remove(keyOf(id));
}

/**
 * The reader's own text that was edited last. Unnamed texts that came by a link are chosen only if
 * there are no others.
 */
export function latestText(shelf: Shelf, but?: TextId): TextId | undefined {
  const rank = (text: KeptText) => (text.from.kind === "link" && !text.isNamed ? 0 : 2);
  const rankOf = (text: KeptText) => rank(text) + (text.edited === undefined ? 0 : 1);
  const [latest] = allTexts(shelf)
    .filter(({ id }) => id !== but)
    .sort((a, b) => rankOf(b) - rankOf(a) || timeOf(b) - timeOf(a) || (a.id < b.id ? -1 : 1));
  return latest?.id;
}

/** The newest stored text that began as a link; `undefined` if there is none. */
export function textOfLink(shelf: Shelf, fragment: string): TextId | undefined {
  const plan = planOf(fragment);
  const [found] = allTexts(shelf)
    .filter(({ from }) => from.kind === "link" && planOf(from.fragment) === plan)
    .sort((a, b) => timeOf(b) - timeOf(a));
  return found?.id;
}

/** The part of a fragment that contains the plan itself. */
function planOf(fragment: string): string {
  return fragment.split("&")[0] ?? "";
}
