import type { ShownText } from "#app/texts";

/** One step of the log: the text before it, and the label of the edit. */
export interface Entry {
  readonly label: string;
  readonly source: string;
  /** The identity of `source`, if the step replaced the text by another one. */
  readonly text?: ShownText;
}

/** The result of a step back or forth. */
export interface Moved extends Entry {
  readonly history: History;
}

/** The undo log of one document: older texts last in `past`, undone ones last in `future`. */
export interface History {
  readonly past: readonly Entry[];
  readonly future: readonly Entry[];
  /** When the last keystroke of a typing burst came; absent after any other edit. */
  readonly typedAt?: number;
}

/** A pause longer than this ends a typing burst, in milliseconds. */
const burstMilliseconds = 500;

/** Entries that are kept; older ones are forgotten. */
const limit = 500;

export const emptyHistory: History = { past: [], future: [] };

/** The log after an edit that is undone by itself; `text` is the one before, if this is another. */
export function record(history: History, before: string, label: string, text?: ShownText): History {
  const entry = { label, source: before, ...(text !== undefined && { text }) };
  return { past: [...history.past, entry].slice(-limit), future: [] };
}

/** The log after an edit that goes on with the last one: its text before stays. */
export function relabelled(history: History, label: string): History {
  const last = history.past.at(-1);
  if (last === undefined) return history;
  return { past: [...history.past.slice(0, -1), { ...last, label }], future: [] };
}

/** The log after a keystroke: bursts of typing are one entry. */
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

/** The step that leads back to where another one leads from. */
function stepFrom(entry: Entry, source: string, text: ShownText | undefined): Entry {
  const isOther = entry.text !== undefined && text !== undefined;
  return { label: entry.label, source, ...(isOther && { text }) };
}
