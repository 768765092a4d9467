import type { Actions, AppStore } from "#app/state";

/**
 * Puts a link to the plan on screen on the clipboard; the page's own address can be of a plan kept
 * in this browser only.
 */
export async function copyLink(store: AppStore, { linkNow }: Actions): Promise<void> {
  const { say } = store.getState();
  const link = linkNow().then(
    (fragment) => new Blob([`${location.origin}${location.pathname}${fragment}`], plain),
  );
  try {
    // Safari allows a write to the clipboard only if its promise is passed during the press.
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": link })]);
    say({ kind: "said", text: "The link to this plan is on the clipboard." });
  } catch {
    say({ kind: "refused", text: "The link could not be copied: Share shows it." });
  }
}

const plain = { type: "text/plain" };
