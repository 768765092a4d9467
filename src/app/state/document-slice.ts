import type { StateCreator } from "zustand/vanilla";
import type { ShownText } from "#app/texts";
import type { Span } from "#core/diagnostics";
import { splitTexts, type TwoTexts } from "#language/texts";
import { createLogs } from "./document-logs.ts";
import {
  emptyHistory,
  type History,
  type Moved,
  record,
  recordTyping,
  redone,
  relabelled,
  undone,
} from "./history.ts";
import { newLines } from "./new-lines.ts";

/** The text on screen; each edit creates a new object. */
export interface OpenDocument {
  readonly source: string;
  /** The graph in JSON and its plan, which `source` joins; absent for a program. */
  readonly texts?: TwoTexts;
  /** Number of documents opened so far; distinguishes another document from an edit of this one. */
  readonly opening: number;
  /**
   * The label of the edit that produced this text, or `Undo …`, `Redo …`; absent for a document
   * just opened.
   */
  readonly change?: string;
  /** The lines written by a gesture, a fix or a plan, for the editor to highlight. */
  readonly wrote?: readonly Span[];
}

export interface DocumentSlice {
  readonly document: OpenDocument;
  /** Identity of the text; it changes together with the document, or when the text is stored. */
  readonly shownText: ShownText;
  readonly history: History;
  /** Records a keystroke in an editor. */
  readonly type: (source: string, now: number) => void;
  /** Records any other edit: one entry of the log, with its label. */
  readonly commit: (source: string, label: string) => void;
  /** Continues the last entry of the log: the same edit, with another outcome. */
  readonly amend: (source: string, label: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Replaces the text by another one: one entry of the log, which leads back to this text. */
  readonly commitOther: (source: string, label: string, shown: ShownText) => void;
  /** Shows another document, with the log it had when this page showed it last. */
  readonly openDocument: (source: string, shown: ShownText) => void;
}

/** State of the text and its log. */
export function documentSlice(source: string, shown: ShownText): StateCreator<DocumentSlice> {
  const logs = createLogs();
  return (set) => ({
    document: { ...textsOf(source), opening: 0 },
    shownText: shown,
    history: emptyHistory,
    type: (text, now) => set((state) => typed(state, text, now)),
    commit: (text, label) => set((state) => committed(state, text, label)),
    amend: (text, label) => set((state) => amended(state, text, label)),
    undo: () =>
      set((state) =>
        moved(state, undone(state.history, state.document.source, state.shownText), "Undo"),
      ),
    redo: () =>
      set((state) =>
        moved(state, redone(state.history, state.document.source, state.shownText), "Redo"),
      ),
    commitOther: (text, label, other) =>
      set((state) => {
        logs.leave(state);
        return {
          document: withSource(state.document, text, label),
          shownText: other,
          history: record(state.history, state.document.source, label, state.shownText),
        };
      }),
    openDocument: (text, other) =>
      set((state) => {
        logs.leave(state);
        return {
          document: { ...textsOf(text), opening: state.document.opening + 1 },
          shownText: other,
          history: logs.of(other.id, text),
        };
      }),
  });
}

type Content = Pick<DocumentSlice, "document" | "history" | "shownText">;

function typed(state: Content, source: string, now: number): Partial<Content> {
  if (source === state.document.source) return {};
  const history = recordTyping(state.history, state.document.source, now);
  return { document: withSource(state.document, source, "Typing"), history };
}

function committed(state: Content, source: string, label: string): Partial<Content> {
  if (source === state.document.source) return {};
  return {
    document: withSource(state.document, source, label, state.document.source),
    history: record(state.history, state.document.source, label),
  };
}

function amended(state: Content, source: string, label: string): Partial<Content> {
  if (source === state.document.source) return {};
  const before = state.history.past.at(-1)?.source ?? state.document.source;
  const document = withSource(state.document, source, label, before);
  return { document, history: relabelled(state.history, label) };
}

function moved(state: Content, move: Moved | undefined, verb: "Undo" | "Redo"): Partial<Content> {
  if (move === undefined) return {};
  const { source, label, text, history } = move;
  const document = withSource(state.document, source, `${verb}: ${label}`);
  return { document, history, ...(text !== undefined && { shownText: text }) };
}

/** @param before the text in which the edit wrote, where its lines are to be shown */
function withSource(
  { opening }: OpenDocument,
  source: string,
  change: string,
  before?: string,
): OpenDocument {
  const wrote = before === undefined ? [] : newLines(before, source);
  return { ...textsOf(source), opening, change, ...(wrote.length > 0 && { wrote }) };
}

function textsOf(source: string): Pick<OpenDocument, "source" | "texts"> {
  const texts = splitTexts(source);
  return { source, ...(texts !== undefined && { texts }) };
}
