import type { WroteNote } from "./editor.ts";

/** Note with the author of written lines and an undo button, placed after the first of them. */
export function wroteNote({ text, undo }: WroteNote, onUndo: () => void): HTMLElement {
  const note = document.createElement("span");
  note.className = "wrote-note";
  const said = document.createElement("span");
  said.textContent = text;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Undo";
  // The undo button of the top bar has the same effect and is always present, so this one needs
  // another accessible name.
  button.setAttribute("aria-label", `${text}, Undo`);
  button.title = undo;
  button.addEventListener("mousedown", (event) => event.stopPropagation());
  button.addEventListener("click", onUndo);
  note.append(said, button);
  return note;
}
