import type { Actions } from "#app/state";
import { openGiven } from "./open-given.ts";

/** Lets the reader choose a file and opens it: a picture with a plan inside, or a text. */
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
  // The input stays in the page while the reader chooses: outside of it, it may be
  // garbage-collected.
  document.body.append(input);
  input.click();
}
