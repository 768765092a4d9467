import type { LanguageReply, LanguageRequest } from "#app/language-service";
import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { DocumentPart } from "./document-part.ts";
import type { LayoutHint } from "./layout-hints.ts";
import type { ColouredRun } from "./token-lines.ts";

/** Events and requests of an editor to the application. */
export interface EditorEvents {
  /** Part of the document in the editor. */
  readonly part: DocumentPart;
  readonly onType: (source: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onFix: (fix: Fix) => void;
  /** Starts renaming the name at an offset. */
  readonly onRename: (offset: number) => void;
  /** Reveals a span of the text or of the rest of the document. */
  readonly onReveal: (span: Span) => void;
  /** The pointer rests, or the caret is, at an offset; `undefined` when it leaves. */
  readonly onPoint: (by: "pointer" | "caret", offset: number | undefined) => void;
  /** Requests language support for the present text; `undefined` if the answer came too late. */
  readonly ask: (request: LanguageRequest) => Promise<LanguageReply | undefined>;
}

/** Spans of the text that are marked, by their lines. */
export interface PointedPlaces {
  /** Spans of the selection: where it is made, and the calls that led there. */
  readonly selected: readonly Span[];
  /** Spans of the part hovered on the canvas. */
  readonly pointed: readonly Span[];
  /** Span of the hovered word in the text. */
  readonly word?: Span | undefined;
}

/** Author of written lines, and the label of the button that undoes them. */
export interface WroteNote {
  readonly text: string;
  readonly undo: string;
}

/** Handle of an editor; the application holds the text, its history and its diagnostics. */
export interface EditorHandle {
  /** Sets the text to `source` by the smallest change. */
  write(source: string): void;
  /** Colours the text; `source` is the text that `runs` refer to. */
  colour(runs: readonly ColouredRun[], source: string): void;
  /** Shows layouts at the ends of lines. */
  hint(hints: readonly LayoutHint[]): void;
  mark(diagnostics: readonly Diagnostic[]): void;
  /** Marks lines that a gesture or a plan wrote, until the text changes. */
  flash(spans: readonly Span[], note: WroteNote): void;
  /** Marks the spans of the selected or hovered parts. */
  point(places: PointedPlaces): void;
  /** Moves the caret to a span. */
  reveal(span: Span): void;
  /** Scrolls to a span without moving the caret or the focus. */
  show(span: Span): void;
  paint(theme: "light" | "dark"): void;
  dispose(): void;
}

/** Opens an editor inside an element. */
export type OpenEditor = (host: HTMLElement, source: string, events: EditorEvents) => EditorHandle;

/** Props of an editor component. */
export interface EditorProps {
  readonly part: DocumentPart;
  /** Whether the user was typing in another editor that this one replaces. */
  readonly goesOn: boolean;
  readonly onRename: (offset: number) => void;
  readonly takeOver: TakeOver;
}

/**
 * Replaces the plain text area. Returns its selection if it has the focus, and a function that
 * restores it.
 */
export type TakeOver = () => {
  readonly selected: Span | undefined;
  readonly giveBack: () => void;
};
