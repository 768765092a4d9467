import { type ReactNode, useEffect, useRef } from "react";

interface Props {
  readonly className: string;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A panel over the page: takes the focus, closes on Escape or a press elsewhere, gives it back. */
export function Popover({ className, label, onClose, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const before = document.activeElement;
    const first = box.current?.querySelector("[data-first], button, input");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
    const onPointer = (event: PointerEvent) => {
      const isInside = event.target instanceof Node && box.current?.contains(event.target);
      const isOpener = before instanceof Node && before.contains(event.target as Node | null);
      if (!isInside && !isOpener) close.current();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") close.current();
    };
    document.addEventListener("pointerdown", onPointer, true);
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("pointerdown", onPointer, true);
      document.removeEventListener("keydown", onKey, true);
      if (
        box.current?.contains(document.activeElement) !== false &&
        before instanceof HTMLElement
      ) {
        before.focus({ preventScroll: true });
      }
    };
  }, []);
  return (
    <div className={`pop ${className}`} role="dialog" aria-label={label} ref={box}>
      {children}
    </div>
  );
}
