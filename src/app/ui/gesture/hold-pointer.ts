/** Handlers of a pointer that is held down. */
export interface Held {
  readonly onMove: (event: PointerEvent) => void;
  /** Called when the pointer is released: the dragged thing stays there. */
  readonly onDrop?: (event: PointerEvent) => void;
  /** Called at Escape, or when the pointer is lost: the earlier state is restored. */
  readonly onGiveUp: () => void;
}

/** Follows the pointer that presses an element until its release, or until Escape. */
export function holdPointer(
  element: Element,
  pointerId: number,
  { onMove, onDrop, onGiveUp }: Held,
): void {
  const following = new AbortController();
  const end = () => {
    following.abort();
    if (element.hasPointerCapture(pointerId)) element.releasePointerCapture(pointerId);
  };
  const onPointer = (event: PointerEvent) => {
    if (event.pointerId !== pointerId) return;
    if (event.type === "pointermove") return onMove(event);
    end();
    if (event.type === "pointerup") onDrop?.(event);
    else onGiveUp();
  };
  const how = { signal: following.signal, capture: true };
  element.setPointerCapture(pointerId);
  for (const type of ["pointermove", "pointerup", "pointercancel", "lostpointercapture"] as const) {
    document.addEventListener(type, onPointer, how);
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    // This Escape must not close a sheet or disarm an axis as well.
    event.preventDefault();
    event.stopPropagation();
    end();
    withoutClick();
    onGiveUp();
  };
  document.addEventListener("keydown", onKey, how);
}

/**
 * Suppresses the click that follows the end of a drag. Without `end` (after Escape) the release is
 * still to come.
 */
export function withoutClick(end?: PointerEvent): void {
  const ignoring = new AbortController();
  const how = { signal: ignoring.signal, capture: true };
  const soon = () => setTimeout(() => ignoring.abort());
  document.addEventListener("click", (event) => event.stopPropagation(), how);
  if (end !== undefined) soon();
  document.addEventListener("pointerup", soon, how);
  document.addEventListener("pointercancel", soon, how);
}

/** At Escape a dragged slider is released and gets its earlier value. */
export function holdSlider({ currentTarget: slider, pointerId }: Press): void {
  const { value } = slider;
  const putBack = () => {
    // Disabling a slider for a moment ends the browser's drag.
    slider.disabled = true;
    slider.disabled = false;
    slider.focus();
    // React replaces the setter on the element, so the prototype's setter is called for React to
    // notice the change.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(slider, value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  };
  holdPointer(slider, pointerId, { onMove: () => {}, onGiveUp: putBack });
}

interface Press {
  readonly currentTarget: HTMLInputElement;
  readonly pointerId: number;
}
