import { type AppStore, shown } from "#app/state";
import { describeText, removeOldest, type Shelf } from "#app/texts";
import { aboutOf } from "./plan-line.ts";

/** Pause in milliseconds after a compilation, after which the text is described. */
const quietMilliseconds = 1_500;

/**
 * Removes the oldest unnamed texts above the limit. From then on, for the lifetime of the page,
 * describes each stored text for the list of plans once it is compiled and typing rests.
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
