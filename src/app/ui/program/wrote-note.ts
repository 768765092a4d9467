import type { WroteNote } from "./editor.ts";

/** The author of the written lines, with a button that undoes them, behind the first of them. */
export function wroteNote({ text, undo }: WroteNote, onUndo: () => void): HTMLElement {
  const note = document.createElement("span");
  note.className = "wrote-note";
  const said = document.createElement("span");
  said.textContent = text;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Undo";
  // The undo button above the page is always there, so this one has another name.
  button.setAttribute("aria-label", `${text}, Undo`);
  button.title = undo;
  button.addEventListener("mousedown", (event) => event.stopPropagation());
  button.addEventListener("click", onUndo);
  note.append(said, button);
  return note;
}
