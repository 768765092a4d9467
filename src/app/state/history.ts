import type { ShownText } from "#app/texts";

/** One step of the log: the text before it, and the label of the edit. */
export interface Entry {
  readonly label: string;
  readonly source: string;
  /** The identity of `source`, if the step replaced the text by another one. */
  readonly text?: ShownText;
}

/** The result of an undo or redo step. */
export interface Moved extends Entry {
  readonly history: History;
}

/** The undo log of one document: older texts last in `past`, undone ones last in `future`. */
export interface History {
  readonly past: readonly Entry[];
  readonly future: readonly Entry[];
  /** Time of the last keystroke of a typing burst; absent after any other edit. */
  readonly typedAt?: number;
}

/** A pause longer than this (ms) ends a typing burst. */
const burstMilliseconds = 500;

/** Most entries that are kept; older ones are dropped. */
const limit = 500;

export const emptyHistory: History = { past: [], future: [] };

/**
 * The log after an edit with an undo step of its own; `text` is the previous identity if the text
 * was replaced.
 */
export function record(history: History, before: string, label: string, text?: ShownText): History {
  const entry = { label, source: before, ...(text !== undefined && { text }) };
  return { past: [...history.past, entry].slice(-limit), future: [] };
}

/** The log after an edit that continues the last one, whose earlier text is kept. */
export function relabelled(history: History, label: string): History {
  const last = history.past.at(-1);
  if (last === undefined) return history;
  return { past: [...history.past.slice(0, -1), { ...last, label }], future: [] };
}

/** The log after a keystroke; a burst of typing is one entry. */
export function recordTyping(history: History, before: string, now: number): History {
  const isBurst =
    history.typedAt !== undefined &&
    now - history.typedAt <= burstMilliseconds &&
    history.future.length === 0;
  const base = isBurst ? history : record(history, before, "Typing");
  return { past: base.past, future: [], typedAt: now };
}

/** The text and log after undoing, or `undefined` when there is nothing to undo. */
export function undone(history: History, source: string, text?: ShownText): Moved | undefined {
  const entry = history.past.at(-1);
  if (entry === undefined) return undefined;
  const future = [...history.future, stepFrom(entry, source, text)];
  return { ...entry, history: { past: history.past.slice(0, -1), future } };
}

/** The text and log after redoing, or `undefined` when there is nothing to redo. */
export function redone(history: History, source: string, text?: ShownText): Moved | undefined {
  const entry = history.future.at(-1);
  if (entry === undefined) return undefined;
  const past = [...history.past, stepFrom(entry, source, text)];
  return { ...entry, history: { past, future: history.future.slice(0, -1) } };
}

/** The step that reverses `entry`, from the present text. */
function stepFrom(entry: Entry, source: string, text: ShownText | undefined): Entry {
  const isOther = entry.text !== undefined && text !== undefined;
  return { label: entry.label, source, ...(isOther && { text }) };
}
