import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
} from "react";
import { useAppStore } from "../store-context.tsx";

/**
 * The dims of a tensor behind one Tab stop: ↑ and ↓ move between dims, ← and → between the axes of
 * one, Escape back to the card on the canvas.
 */
export function Dims({ children }: { readonly children: ReactNode }) {
  const store = useAppStore();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null) stopAt(box.current, document.activeElement);
  });
  return (
    <div
      className="dims"
      role="toolbar"
      aria-label="Dims"
      aria-orientation="vertical"
      ref={box}
      onFocus={({ currentTarget, target }: FocusEvent) => stopAt(currentTarget, target)}
      onKeyDown={(event) => {
        // The first Escape only disarms the axis in hand.
        const isBusy = event.key === "Escape" && store.getState().armedAxis !== undefined;
        if (!isBusy) onKeyDown(event);
      }}
    >
      {children}
    </div>
  );
}

const stops = ".dim-hit, .chip";

/** Makes one element the Tab stop: the focused one, else the one that was it before. */
function stopAt(box: Element, focused: Element | null): void {
  const all = [...box.querySelectorAll<HTMLElement>(stops)];
  const kept = all.find((stop) => stop === focused) ?? all.find((stop) => stop.dataset["stop"]);
  const here = kept ?? all[0];
  for (const stop of all) {
    const isStop = stop === here;
    // Writing the tab index of the focused element lays out the whole page, so an equal value is
    // not written.
    if (stop.tabIndex === (isStop ? 0 : -1) && isStop === "stop" in stop.dataset) continue;
    stop.tabIndex = isStop ? 0 : -1;
    if (isStop) stop.dataset["stop"] = "here";
    else delete stop.dataset["stop"];
  }
}

function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: box, target, key } = event;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (!(target instanceof HTMLElement) || !target.matches(stops)) return;
  const next = key === "Escape" ? cardOf() : neighbour(box, target, key);
  if (next === undefined) return;
  event.preventDefault();
  next.focus({ preventScroll: key === "Escape" });
}

/** The card of the canvas at which the Tab key stops. */
function cardOf(): HTMLElement | undefined {
  return document.querySelector<HTMLElement>("[data-node][tabindex='0']") ?? undefined;
}

function neighbour(box: Element, from: HTMLElement, key: string): HTMLElement | undefined {
  const rows = [...box.querySelectorAll(".dim-row")].map((row) => [
    ...row.querySelectorAll<HTMLElement>(stops),
  ]);
  const row = rows.findIndex((each) => each.includes(from));
  const place = rows[row]?.indexOf(from) ?? 0;
  switch (key) {
    case "ArrowDown":
      return rows[row + 1]?.[0];
    case "ArrowUp":
      return place > 0 ? rows[row]?.[0] : rows[row - 1]?.[0];
    case "ArrowRight":
      return rows[row]?.[place + 1];
    case "ArrowLeft":
      return rows[row]?.[place - 1];
    default:
      return undefined;
  }
}
