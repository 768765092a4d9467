import type { AppStore } from "../store.ts";
import type { TextActions } from "../text-actions.ts";
import { fragmentOf } from "./opening.ts";

/** The address bar and history of the page, for the fragment that names the text on screen. */
export interface AddressBar {
  /** The fragment of the address with its `#`; empty if there is none. */
  readonly fragment: () => string;
  readonly push: (fragment: string) => void;
  readonly replace: (fragment: string) => void;
}

/**
 * Keeps the fragment of the address in step with the text on screen, so that a reload, Back and
 * Forward show it again. Another text gets a new history entry; a text that becomes the reader's
 * own by its first edit keeps its entry.
 *
 * @returns callback for the address after the reader has navigated to another one
 */
export function followAddress(
  store: AppStore,
  { follow }: Pick<TextActions, "follow">,
  bar: AddressBar,
): (address: string) => void {
  let isFollowing = false;
  const write = (before: string, isOther: boolean) => {
    const { shownText, refusal } = store.getState();
    const next = fragmentOf(shownText);
    if (refusal !== undefined || next === bar.fragment()) return;
    if (!isOther || isFollowing) return bar.replace(next);
    // An entry without a fragment gets one before the page moves on from it.
    if (bar.fragment() === "") bar.replace(before);
    bar.push(next);
  };
  if (store.getState().shownText.kept !== "no") write("", false);
  store.subscribe((state, { shownText: before, refusal }) => {
    const { id, forkOf } = state.shownText;
    if (state.shownText === before && state.refusal === refusal) return;
    const isOther = id !== before.id && forkOf !== before.id;
    if (isOther || state.shownText.kept !== "no") write(fragmentOf(before), isOther);
  });
  return (address) => {
    isFollowing = true;
    follow(address);
    isFollowing = false;
    if (store.getState().shownText.kept !== "no") write("", false);
  };
}
