/**
 * Handlers that let Escape end a drag of the canvas where it is; the button that is still held then
 * neither moves nor clicks anything. Nothing is hovered during the drag.
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

/** Class for the style sheet while the canvas is dragged: no hover styles. */
const panning = "is-panning";

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  // React Flow has no call to end a drag; it ends one at a `mouseup`.
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
