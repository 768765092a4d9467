import type { LanguageReply, LanguageRequest } from "#app/language-service";
import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { DocumentPart } from "./document-part.ts";
import type { LayoutHint } from "./layout-hints.ts";
import type { ColouredRun } from "./token-lines.ts";

/** Events of an editor, and its questions to the application. */
export interface EditorEvents {
  /** The part of the document in the editor. */
  readonly part: DocumentPart;
  readonly onType: (source: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onFix: (fix: Fix) => void;
  /** Asks to rename the name at an offset. */
  readonly onRename: (offset: number) => void;
  /** Shows a place of the document, in this editor or another. */
  readonly onReveal: (span: Span) => void;
  /**
   * The pointer rests on a place of the text, or the caret is there; `undefined` when neither is
   * any more.
   */
  readonly onPoint: (by: "pointer" | "caret", offset: number | undefined) => void;
  /** Asks the language service about the present text; `undefined` where the answer is outdated. */
  readonly ask: (request: LanguageRequest) => Promise<LanguageReply | undefined>;
}

/** Places of the text whose lines or words are marked in ink. */
export interface PointedPlaces {
  /** Places that made the selection: its statement, and the calls that led there. */
  readonly selected: readonly Span[];
  /** Places of the part pointed at on the canvas. */
  readonly pointed: readonly Span[];
  /** The place pointed at in the text. */
  readonly word?: Span | undefined;
}

/** The author of the last written lines, and the label of the button that undoes them. */
export interface WroteNote {
  readonly text: string;
  readonly undo: string;
}

/** The editor of one text; the application owns the text, its log and its diagnostics. */
export interface EditorHandle {
  /** Turns the text into `source` by the smallest change. */
  write(source: string): void;
  /** Colours the text; the runs are of the version `source`. */
  colour(runs: readonly ColouredRun[], source: string): void;
  /** Shows layouts at the ends of lines. */
  hint(hints: readonly LayoutHint[]): void;
  mark(diagnostics: readonly Diagnostic[]): void;
  /** Marks the lines that a gesture or a plan wrote, until the text changes. */
  flash(spans: readonly Span[], note: WroteNote): void;
  /** Marks the places of the selection and of the part pointed at. */
  point(places: PointedPlaces): void;
  /** Puts the caret at a place. */
  reveal(span: Span): void;
  /** Scrolls a place into sight without moving the caret or the focus. */
  show(span: Span): void;
  paint(theme: "light" | "dark"): void;
  dispose(): void;
}

/** Opens an editor inside an element. */
export type OpenEditor = (host: HTMLElement, source: string, events: EditorEvents) => EditorHandle;

/** The properties of an editor's component. */
export interface EditorProps {
  readonly part: DocumentPart;
  /** Whether the reader was typing in the editor that this one replaces. */
  readonly goesOn: boolean;
  readonly onRename: (offset: number) => void;
  readonly takeOver: TakeOver;
}

/**
 * Replaces the plain text: returns its selection, if it has the focus, and a function that brings
 * it back.
 */
export type TakeOver = () => {
  readonly selected: Span | undefined;
  readonly giveBack: () => void;
};
