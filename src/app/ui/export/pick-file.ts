import type { Actions } from "#app/state";
import { openGiven } from "./open-given.ts";

/** Lets the user choose a file and opens it. */
export function pickFile(actions: Actions): void {
  const input = document.createElement("input");
  input.type = "file";
  input.hidden = true;
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    input.remove();
    if (file === undefined) return;
    void openGiven(actions, file);
  });
  input.addEventListener("cancel", () => input.remove());
  // The input stays in the document while the file is chosen; a detached one may be garbage
  // collected.
  document.body.append(input);
  input.click();
}
