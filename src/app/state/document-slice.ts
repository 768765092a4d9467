import type { StateCreator } from "zustand/vanilla";
import type { Span } from "#core/diagnostics";
import { splitTexts, type TwoTexts } from "#language/texts";
import {
  emptyHistory,
  type History,
  record,
  recordTyping,
  redone,
  relabelled,
  undone,
} from "./history.ts";

/** Whose text it is: the reader's own draft, or one that came by a link. */
export type Origin =
  | { readonly kind: "draft" }
  | { readonly kind: "link"; readonly fragment: string; readonly name?: string };

export interface OpenDocument {
  readonly source: string;
  /** Of a LoomGraph: its JSON and the plan beside it, which `source` joins. */
  readonly texts?: TwoTexts;
  readonly origin: Origin;
  /** Counts openings, so that an editor knows another text from an edit of this one. */
  readonly opening: number;
  /** What made this text of the one before: the label of an edit, `Undo …`, `Redo …`. */
  readonly change?: string;
  /** Where an edit by hand wrote, for the editor to show. */
  readonly wrote?: Span;
}

export interface DocumentSlice {
  readonly document: OpenDocument;
  readonly history: History;
  /** A keystroke in an editor. */
  readonly type: (source: string, now: number) => void;
  /** Any other edit: one entry of the log, with its label. */
  readonly commit: (source: string, label: string, wrote?: Span) => void;
  /** Goes on with the last entry of the log: the same edit, with another outcome. */
  readonly amend: (source: string, label: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Shows another document; the log starts anew. */
  readonly openDocument: (source: string, origin: Origin) => void;
}

/** The text and its log. */
export function documentSlice(source: string, origin: Origin): StateCreator<DocumentSlice> {
  return (set) => ({
    document: { ...textsOf(source), origin, opening: 0 },
    history: emptyHistory,
    type: (text, now) => set((state) => typed(state, text, now)),
    commit: (text, label, wrote) => set((state) => committed(state, text, label, wrote)),
    amend: (text, label) => set((state) => amended(state, text, label)),
    undo: () => set((state) => moved(state, undone(state.history, state.document.source), "Undo")),
    redo: () => set((state) => moved(state, redone(state.history, state.document.source), "Redo")),
    openDocument: (text, from) =>
      set((state) => ({
        document: { ...textsOf(text), origin: from, opening: state.document.opening + 1 },
        history: emptyHistory,
      })),
  });
}

type Content = Pick<DocumentSlice, "document" | "history">;

function typed(state: Content, source: string, now: number): Partial<Content> {
  if (source === state.document.source) return {};
  const history = recordTyping(state.history, state.document.source, now);
  return { document: withSource(state.document, source, "Typing"), history };
}

function committed(
  state: Content,
  source: string,
  label: string,
  wrote: Span | undefined,
): Partial<Content> {
  if (source === state.document.source) return {};
  return {
    document: withSource(state.document, source, label, wrote),
    history: record(state.history, state.document.source, label),
  };
}

function amended(state: Content, source: string, label: string): Partial<Content> {
  if (source === state.document.source) return {};
  const document = withSource(state.document, source, label);
  return { document, history: relabelled(state.history, label) };
}

function moved(
  state: Content,
  move: { source: string; label: string; history: History } | undefined,
  verb: "Undo" | "Redo",
): Partial<Content> {
  if (move === undefined) return {};
  const change = `${verb}: ${move.label}`;
  return { document: withSource(state.document, move.source, change), history: move.history };
}

function withSource(
  document: OpenDocument,
  source: string,
  change: string,
  wrote?: Span,
): OpenDocument {
  const { origin, opening } = document;
  return { ...textsOf(source), origin, opening, change, ...(wrote !== undefined && { wrote }) };
}

function textsOf(source: string): Pick<OpenDocument, "source" | "texts"> {
  const texts = splitTexts(source);
  return { source, ...(texts !== undefined && { texts }) };
}
