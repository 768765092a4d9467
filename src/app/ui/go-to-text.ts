import type { AppState } from "#app/state";

/** Gives the focus to the program's editor, with the caret behind its last line. */
export function goToText({ document: { source }, settings, set, reveal }: AppState): void {
  if (settings.isProgramFolded) set({ isProgramFolded: false });
  reveal({ from: source.length, to: source.length });
}
