import type { LanguageReply, LanguageRequest } from "#app/language-service";
import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { DocumentPart } from "./document-part.ts";
import type { LayoutHint } from "./layout-hints.ts";
import type { ColouredRun } from "./token-lines.ts";

/** Reports and questions of an editor to the application. */
export interface EditorEvents {
  /** The part of the document in the editor. */
  readonly part: DocumentPart;
  readonly onType: (source: string) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onFix: (fix: Fix) => void;
  /** The reader wants to rename what stands at an offset. */
  readonly onRename: (offset: number) => void;
  /** Shows a place of the text, or of the document around it, wherever that is. */
  readonly onReveal: (span: Span) => void;
  /** The pointer rests on a place of the text, or the caret stands there; without one, no more. */
  readonly onPoint: (by: "pointer" | "caret", offset: number | undefined) => void;
  /** Asks about the text as it is; nothing where the answer came too late. */
  readonly ask: (request: LanguageRequest) => Promise<LanguageReply | undefined>;
}

/** Places of the text that are marked in ink, by their lines. */
export interface PointedPlaces {
  /** Places of the selection in the text: where it is made, and the calls that led there. */
  readonly selected: readonly Span[];
  /** Places of the part pointed at on the canvas. */
  readonly pointed: readonly Span[];
  /** The place pointed at in the text. */
  readonly word?: Span | undefined;
}

/** The author of some lines, and the name of the button that takes them back. */
export interface WroteNote {
  readonly text: string;
  readonly undo: string;
}

/** The editor of one text; the application holds the text, its log and what is wrong with it. */
export interface EditorHandle {
  /** Makes the text equal to `source` by its smallest change. */
  write(source: string): void;
  /** Colours the text, of which `source` is the version that `runs` tell of. */
  colour(runs: readonly ColouredRun[], source: string): void;
  /** Shows layouts at the ends of lines. */
  hint(hints: readonly LayoutHint[]): void;
  mark(diagnostics: readonly Diagnostic[]): void;
  /** Shows which lines a gesture or a plan wrote, until the text changes. */
  flash(spans: readonly Span[], note: WroteNote): void;
  /** Marks places of what is selected or pointed at. */
  point(places: PointedPlaces): void;
  /** Puts the caret at a place. */
  reveal(span: Span): void;
  /** Scrolls a place into sight and leaves the caret and the focus where they are. */
  show(span: Span): void;
  paint(theme: "light" | "dark"): void;
  dispose(): void;
}

/** Opens an editor inside an element. */
export type OpenEditor = (host: HTMLElement, source: string, events: EditorEvents) => EditorHandle;

/** The properties of an editor's component. */
export interface EditorProps {
  readonly part: DocumentPart;
  /** Another editor was typed in until this one had to take its place. */
  readonly goesOn: boolean;
  readonly onRename: (offset: number) => void;
  readonly takeOver: TakeOver;
}

/**
 * Takes the place of the plain text that was typed in until now: what is selected there if it has
 * the focus, and how to give the place back.
 */
export type TakeOver = () => {
  readonly selected: Span | undefined;
  readonly giveBack: () => void;
};
