import type { StoreApi } from "zustand/vanilla";
import { keepText } from "#app/texts";
import type { AppState } from "./app-state.ts";
import type { Services } from "./services.ts";
import { nameOf } from "./text-name.ts";
import { noteAfterKeeping } from "./texts-slice.ts";

/** Stores the text on screen, and notes when that was not possible as expected. */
export function keepShown(store: StoreApi<AppState>, { shelf }: Services): void {
  const { document, shownText, textNote, countTexts } = store.getState();
  const { from, isNamed, name } = shownText;
  // A lesson's text is not one of the reader's plans.
  if (from.kind === "lesson") return;
  const named = { ...shownText, name: isNamed ? name : nameOf(from, document.source) };
  const kept = keepText(shelf, named, document.source);
  store.setState({ shownText: kept, textNote: noteAfterKeeping(textNote, shownText, kept) });
  if (shownText.kept !== kept.kept || shownText.id !== kept.id) countTexts();
}
