/**
 * While a pointer drags the canvas, Escape lets go of it where it is; the button that is still held
 * then neither moves nor presses anything. What passes under the pointer meanwhile is not pointed at.
 */
export const panEndsByEscape = {
  onMoveStart: (event: MouseEvent | TouchEvent | null) => {
    if (event?.type === "mousedown") window.addEventListener("keydown", onKeyDown, true);
  },
  onMove: (event: MouseEvent | TouchEvent | null) => {
    if (event?.type === "mousemove") document.body.classList.add(panning);
  },
  onMoveEnd: () => {
    window.removeEventListener("keydown", onKeyDown, true);
    document.body.classList.remove(panning);
  },
};

/** For the style sheet: nothing on the canvas is hovered. */
const panning = "is-panning";

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  // The library has no word for it: it ends a drag when the button goes up.
  window.dispatchEvent(new MouseEvent("mouseup", { view: window }));
  window.addEventListener("click", swallow, true);
  window.addEventListener("pointerup", () => setTimeout(stopSwallowing), { once: true });
}

function swallow(event: MouseEvent): void {
  event.stopPropagation();
}

function stopSwallowing(): void {
  window.removeEventListener("click", swallow, true);
}
