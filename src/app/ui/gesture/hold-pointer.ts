/** Listeners to a pointer that is held down. */
export interface Held {
  readonly onMove: (event: PointerEvent) => void;
  /** The pointer is released: the dragged thing stays where it is. */
  readonly onDrop?: (event: PointerEvent) => void;
  /** Escape was pressed, or the pointer was lost: everything goes back to where it was. */
  readonly onGiveUp: () => void;
}

/** Follows the pointer that presses an element until it is let go, or until Escape. */
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
    // This Escape ends the drag alone: it closes no sheet and disarms no axis.
    event.preventDefault();
    event.stopPropagation();
    end();
    withoutClick();
    onGiveUp();
  };
  document.addEventListener("keydown", onKey, how);
}

/** The click at the end of a drag is swallowed; after Escape that click is still to come. */
export function withoutClick(end?: PointerEvent): void {
  const ignoring = new AbortController();
  const how = { signal: ignoring.signal, capture: true };
  const soon = () => setTimeout(() => ignoring.abort());
  document.addEventListener("click", (event) => event.stopPropagation(), how);
  if (end !== undefined) soon();
  document.addEventListener("pointerup", soon, how);
  document.addEventListener("pointercancel", soon, how);
}

/** At Escape a dragged slider goes back to its first value, and the drag ends. */
export function holdSlider({ currentTarget: slider, pointerId }: Press): void {
  const { value } = slider;
  const putBack = () => {
    // Disabling a slider makes the browser release its knob.
    slider.disabled = true;
    slider.disabled = false;
    slider.focus();
    // React tracks `value` by a property of the element: set through the prototype, it counts as
    // changed.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(slider, value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  };
  holdPointer(slider, pointerId, { onMove: () => {}, onGiveUp: putBack });
}

interface Press {
  readonly currentTarget: HTMLInputElement;
  readonly pointerId: number;
}
