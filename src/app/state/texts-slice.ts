import type { StateCreator } from "zustand/vanilla";
import type { RemovedText, ShownText } from "#app/texts";

/** A lasting note about how the text on screen is kept. */
export type TextNote =
  /** The browser has no room or no storage: the text is in this tab or this page alone. */
  | { readonly kind: "unsaved"; readonly where: "tab" | "page" }
  /** Another page shows the same text: what was typed here has become a copy. */
  | { readonly kind: "forked"; readonly name: string }
  /** Another page has changed the text meanwhile. */
  | { readonly kind: "changed" }
  /** Another page has removed the text. */
  | { readonly kind: "removed" }
  /** The address names a text that is not in this browser. */
  | { readonly kind: "missing" }
  /** The address names an example that there is none of. */
  | { readonly kind: "no-example"; readonly name: string }
  /** The address names a lesson that there is none of, or has one that cannot be read. */
  | { readonly kind: "no-lesson"; readonly why: string }
  /**
   * The link was edited before in this browser, and that text is shown; `fragment` is the link as
   * sent.
   */
  | { readonly kind: "edited-link"; readonly fragment: string };

export interface TextsSlice {
  readonly textNote: TextNote | undefined;
  /** Another number each time that the list of texts may have changed. */
  readonly textsChanged: number;
  /** The text that was deleted last, as long as it can be put back. */
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

/** Notes on the reader's texts beside the one on screen. */
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

/** The note after an edit was kept: said once, and gone when it does not hold any more. */
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
