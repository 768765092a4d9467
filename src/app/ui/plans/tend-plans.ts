import { type AppStore, shown } from "#app/state";
import { describeText, removeOldest, type Shelf } from "#app/texts";
import { aboutOf } from "./plan-line.ts";

/** Milliseconds without an edit after which a text is described. */
const quietMilliseconds = 1_500;

/**
 * Idle work on the stored texts, from the first call as long as the page lives: describes each text
 * for the list of plans, and removes the oldest unnamed texts above the limit.
 */
export function tendPlans(store: AppStore, shelf: Shelf): void {
  removeOldest(shelf, store.getState().shownText.id);
  let handle: ReturnType<typeof setTimeout> | undefined;
  const describe = () => {
    const state = store.getState();
    const compiled = shown(state);
    const isOfIt = compiled?.source === state.document.source && state.compiled.kind === "ready";
    if (isOfIt && state.shownText.kept === "browser") {
      describeText(shelf, state.shownText, aboutOf(compiled));
      state.countTexts();
    }
  };
  const later = () => {
    clearTimeout(handle);
    handle = setTimeout(describe, quietMilliseconds);
  };
  later();
  store.subscribe((state, before) => {
    if (state.compiled !== before.compiled) later();
  });
}
