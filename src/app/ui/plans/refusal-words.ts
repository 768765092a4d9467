import type { TextStorage } from "#app/texts";

type Refusing = Pick<TextStorage, "isDenied">;

/** The reason why the text on screen is not saved, and how long it is kept. */
export function unsavedWords(storage: Refusing, where: "tab" | "page"): string {
  if (where === "page")
    return "Not saved: this browser keeps nothing. The plan is gone when this page is left.";
  const why = isDenied(storage)
    ? "this browser does not let this page keep anything"
    : "this browser has no room left";
  return `Not saved: ${why}. The plan is kept as long as this tab is open.`;
}

/** The reason why a change to the plans of this browser was not saved, and what helps. */
export function refusalWords(storage: Refusing): string {
  return isDenied(storage)
    ? "This browser does not let this page keep anything: allow it to store data, then try again."
    : "This browser has no room left: delete a plan, then try again.";
}

function isDenied(storage: Refusing): boolean {
  return storage.isDenied?.() === true;
}
