import type { StateCreator } from "zustand/vanilla";
import type { RemovedText, ShownText } from "#app/texts";

/** A lasting note about how the text on screen is stored. */
export type TextNote =
  /** The browser has no space or no storage: the text exists in this tab or this page only. */
  | { readonly kind: "unsaved"; readonly where: "tab" | "page" }
  /** Another page shows the same text: edits made here went into a copy. */
  | { readonly kind: "forked"; readonly name: string }
  /** Another page has changed the text meanwhile. */
  | { readonly kind: "changed" }
  /** Another page has removed the text. */
  | { readonly kind: "removed" }
  /** The address names a text that is not in this browser. */
  | { readonly kind: "missing" }
  /** The address names an unknown example. */
  | { readonly kind: "no-example"; readonly name: string }
  /** The address names an unknown lesson, or has one that cannot be read. */
  | { readonly kind: "no-lesson"; readonly why: string }
  /**
   * The link was edited before in this browser, and that text is shown; `fragment` is the link as
   * sent.
   */
  | { readonly kind: "edited-link"; readonly fragment: string };

export interface TextsSlice {
  readonly textNote: TextNote | undefined;
  /** Counter that changes whenever the list of texts may have changed. */
  readonly textsChanged: number;
  /** The text that was deleted last, while it can be restored. */
  readonly removed: Removed | undefined;
  readonly noteText: (note: TextNote | undefined) => void;
  readonly countTexts: () => void;
  readonly rememberRemoved: (removed: Removed | undefined) => void;
}

interface Removed {
  readonly text: RemovedText;
  readonly name: string;
  readonly wasShown: boolean;
}

/** Notes about how the reader's texts are stored. */
export function textsSlice(note: TextNote | undefined): StateCreator<TextsSlice> {
  return (set) => ({
    textNote: note,
    textsChanged: 0,
    removed: undefined,
    noteText: (textNote) => set({ textNote }),
    countTexts: () => set(({ textsChanged }) => ({ textsChanged: textsChanged + 1 })),
    rememberRemoved: (removed) => set({ removed }),
  });
}

/** The note after an edit was stored: shown once, and removed when it no longer holds. */
export function noteAfterKeeping(
  note: TextNote | undefined,
  before: ShownText,
  after: ShownText,
): TextNote | undefined {
  if (after.kept === "tab" || after.kept === "page") {
    const isKnown = before.kept === after.kept && after.forkOf === before.forkOf;
    return isKnown ? note : { kind: "unsaved", where: after.kept };
  }
  if (after.id !== before.id) return { kind: "forked", name: after.name };
  const isOver = note?.kind === "unsaved" || note?.kind === "removed" || note?.kind === "missing";
  return isOver ? undefined : note;
}
