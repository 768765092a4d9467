import type { AppState } from "#app/state";

/** Unfolds and focuses the program's editor, with the caret after its last line. */
export function goToText({ document: { source }, settings, set, reveal }: AppState): void {
  if (settings.isProgramFolded) set({ isProgramFolded: false });
  reveal({ from: source.length, to: source.length });
}
