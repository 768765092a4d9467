import type { Actions, AppStore } from "#app/state";

/** Puts the link of the plan on screen on the clipboard: the address of a kept plan is private. */
export async function copyLink(store: AppStore, { linkNow }: Actions): Promise<void> {
  const { say } = store.getState();
  const link = linkNow().then(
    (fragment) => new Blob([`${location.origin}${location.pathname}${fragment}`], plain),
  );
  try {
    // Safari lets a page write only what it was promised at the press.
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": link })]);
    say({ kind: "said", text: "The link to this plan is on the clipboard." });
  } catch {
    say({ kind: "refused", text: "The link could not be copied: Share shows it." });
  }
}

const plain = { type: "text/plain" };
