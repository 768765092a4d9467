/** Listeners to a pointer that is held down. */
export interface Held {
  readonly onMove: (event: PointerEvent) => void;
  /** The pointer is let go: the dragged thing stays there. */
  readonly onDrop?: (event: PointerEvent) => void;
  /** Escape, or a pointer that is lost: everything is put back as it was. */
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
    // Escape then closes no sheet and lets go of nothing else.
    event.preventDefault();
    event.stopPropagation();
    end();
    withoutClick();
    onGiveUp();
  };
  document.addEventListener("keydown", onKey, how);
}

/** The click that the end of a drag makes is none; after Escape that end is still to come. */
export function withoutClick(end?: PointerEvent): void {
  const ignoring = new AbortController();
  const how = { signal: ignoring.signal, capture: true };
  const soon = () => setTimeout(() => ignoring.abort());
  document.addEventListener("click", (event) => event.stopPropagation(), how);
  if (end !== undefined) soon();
  document.addEventListener("pointerup", soon, how);
  document.addEventListener("pointercancel", soon, how);
}

/** A slider that is dragged goes back to where it was at Escape, and is let go. */
export function holdSlider({ currentTarget: slider, pointerId }: Press): void {
  const { value } = slider;
  const putBack = () => {
    // A slider that is disabled lets go of its knob.
    slider.disabled = true;
    slider.disabled = false;
    slider.focus();
    // React looks at the property of the prototype.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(slider, value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  };
  holdPointer(slider, pointerId, { onMove: () => {}, onGiveUp: putBack });
}

interface Press {
  readonly currentTarget: HTMLInputElement;
  readonly pointerId: number;
}
