/**
 * While a pointer drags the canvas, Escape lets go of it where it is; the button that is still held
 * then neither moves nor presses anything.
 */
export const panEndsByEscape = {
  onMoveStart: (event: MouseEvent | TouchEvent | null) => {
    if (event?.type === "mousedown") window.addEventListener("keydown", onKeyDown, true);
  },
  onMoveEnd: () => window.removeEventListener("keydown", onKeyDown, true),
};

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
