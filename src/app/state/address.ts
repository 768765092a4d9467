import { fragmentOf } from "./opening.ts";
import type { AppStore } from "./store.ts";
import type { TextActions } from "./text-actions.ts";

/** The address of the page and its history, as far as the text on screen is in it. */
export interface AddressBar {
  /** What stands behind the page's own address, with `#`; empty where nothing does. */
  readonly fragment: () => string;
  readonly push: (fragment: string) => void;
  readonly replace: (fragment: string) => void;
}

/**
 * Keeps the address naming what is shown, so that a reload, Back and Forward show it again: another
 * text is another entry of the history; a text that becomes the reader's own stays in its entry.
 *
 * @returns what to do when the reader has gone to another address
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
    // What came without a fragment is named before it is left.
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
