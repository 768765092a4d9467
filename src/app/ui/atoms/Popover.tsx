import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";

interface Props {
  readonly className: string;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * Panel over the page: takes the focus, closes on Escape or an outside press, then returns the
 * focus.
 */
export function Popover({ className, label, onClose, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useRoomBelow(box);
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

/** Room between a popover and the edge of the window. */
const marginPx = 8;

/** Least height of a popover: less is no room to read in. */
const leastPx = 160;

/** Limits a popover's height to the window, so that the popover scrolls and not the page. */
function useRoomBelow(box: RefObject<HTMLDivElement | null>): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => {
      element.style.maxHeight = "";
      const { top, bottom } = element.getBoundingClientRect();
      const end = window.innerHeight - marginPx;
      if (bottom > end) element.style.maxHeight = `${Math.max(leastPx, end - top)}px`;
    };
    measure();
    // Content that is loaded or opened later changes the height. Measuring waits for the next
    // frame: a ResizeObserver must not change sizes while it reports them.
    const growth = new ResizeObserver(() => requestAnimationFrame(measure));
    growth.observe(element);
    window.addEventListener("resize", measure);
    return () => {
      growth.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, [box]);
}
