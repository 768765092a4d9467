import { useCallback, useState } from "react";
import { nextMoment, type Timeline, timelineAt } from "#app/scene/timeline";
import type { Compiled } from "#compile";
import { goToPlace } from "../player/go-to-place.ts";
import { useAppStore } from "../store-context.tsx";
import { momentAt, type TimelinePlot } from "./paint-timeline.ts";
import { type Stretched, useStretch } from "./use-stretch.ts";

/** The cursor of a timeline, and the effects of pointers, the wheel and keys on it. */
export interface Reading {
  readonly stretched: Stretched;
  /** The moment at the cursor: under the pointer, else where it was put last. */
  readonly cursor: number;
  /** Whether the cursor was put anywhere; else it is at the peak, which has its own line. */
  readonly isPlaced: boolean;
  readonly own: number;
  readonly hover: (x: number) => void;
  readonly leave: () => void;
  /**
   * Moves the cursor, and selects what runs there; a finger only moves it, since there is a button
   * for the rest.
   */
  readonly press: (x: number, isTouch: boolean) => void;
  readonly zoomAt: (by: number, x: number) => void;
  readonly moveBy: (pixels: number) => void;
  /** Handles a key; returns whether it did anything. */
  readonly key: (key: string) => boolean;
  /** Selects what runs at the cursor; absent where nothing does. */
  readonly open: (() => void) | undefined;
}

/** The cursor of a timeline, at first at its peak. */
export function useReading(compiled: Compiled, timeline: Timeline, plot: TimelinePlot): Reading {
  const store = useAppStore();
  const stretched = useStretch(timeline);
  const { stretch, zoom, move, show } = stretched;
  const [picked, pick] = useState<{ readonly of: Timeline; readonly at: number }>();
  const [hovered, hover] = useState<number>();
  const zoomAt = useCallback(
    (by: number, x: number) => zoom(by, momentAt(plot, stretch, x)),
    [zoom, plot, stretch],
  );
  const perPixel = (stretch.to - stretch.from) / Math.max(1, plot.right - plot.left);
  const moveBy = useCallback((pixels: number) => move(pixels * perPixel), [move, perPixel]);
  const own = picked?.of === timeline ? picked.at : (timeline.peak?.[0] ?? 0);
  const go = (at: number) => {
    const next = Math.min(timeline.seconds, Math.max(0, at));
    hover(undefined);
    pick({ of: timeline, at: next });
    show(next);
  };
  const openAt = (at: number) => {
    const place = timelineAt(timeline, at).on[0]?.item.steps[0];
    if (place === undefined) return undefined;
    return () => {
      // A selection made here leaves the timeline on screen.
      store.getState().showLower("time");
      goToPlace(store.getState(), compiled, place, "move");
    };
  };
  const key = (pressed: string) => {
    const to = momentAfter(pressed, timeline, own, stretch.to - stretch.from);
    if (to !== undefined) go(to);
    else if (pressed === "+" || pressed === "=") zoom(2, own);
    else if (pressed === "-") zoom(0.5, own);
    else if (pressed === "0") stretched.fit();
    else if (pressed === "Enter") openAt(own)?.();
    else return false;
    return true;
  };
  return {
    ...{ stretched, own, zoomAt, moveBy, key },
    cursor: hovered ?? own,
    isPlaced: hovered !== undefined || picked?.of === timeline,
    hover: (x) => hover(momentAt(plot, stretch, x)),
    leave: () => hover(undefined),
    press: (x, isTouch) => {
      const at = momentAt(plot, stretch, x);
      go(at);
      if (!isTouch) openAt(at)?.();
    },
    open: openAt(own),
  };
}

/** The moment that a key leads to: the next computed item, a tenth of the window on, or an end. */
function momentAfter(
  key: string,
  { lanes, seconds }: Timeline,
  at: number,
  length: number,
): number | undefined {
  const compute = lanes[0];
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return compute && nextMoment(compute, at, 1);
    case "ArrowLeft":
    case "ArrowDown":
      return compute && nextMoment(compute, at, -1);
    case "PageUp":
      return at + length / 10;
    case "PageDown":
      return at - length / 10;
    case "Home":
      return 0;
    case "End":
      return seconds;
    default:
      return undefined;
  }
}
