import { type RefObject, useEffect, useMemo, useState } from "react";
import { moved, type Stretch, showing, type Timeline, zoomed } from "#app/scene/timeline";

/** The visible part of a step, and the actions that change it. */
export interface Stretched {
  readonly stretch: Stretch;
  readonly isWhole: boolean;
  readonly zoom: (by: number, at: number) => void;
  readonly move: (by: number) => void;
  /** Moves by as little as brings a moment into sight. */
  readonly show: (at: number) => void;
  readonly fit: () => void;
}

/** The visible part of a timeline; a new timeline is shown whole. */
export function useStretch(timeline: Timeline): Stretched {
  const { seconds } = timeline;
  const [kept, keep] = useState<{ readonly of: Timeline; readonly stretch: Stretch }>();
  const whole = useMemo(() => ({ from: 0, to: seconds }), [seconds]);
  const stretch = kept?.of === timeline ? kept.stretch : whole;
  return useMemo(() => {
    const change = (next: (before: Stretch) => Stretch) =>
      keep((before) => ({
        of: timeline,
        stretch: next(before?.of === timeline ? before.stretch : whole),
      }));
    return {
      stretch,
      isWhole: stretch.to - stretch.from >= seconds,
      zoom: (by, at) => change((before) => zoomed(before, by, at, seconds)),
      move: (by) => change((before) => moved(before, by, seconds)),
      show: (at) => change((before) => showing(before, at, seconds)),
      fit: () => keep(undefined),
    };
  }, [timeline, stretch, whole, seconds]);
}

/** The actions of a wheel or two fingers, in pixels from the left of the box. */
export interface WheelActions {
  readonly zoomAt: (by: number, x: number) => void;
  readonly moveBy: (pixels: number) => void;
}

const zoomPerPixel = 1.0025;

/**
 * The wheel zooms; sideways or with Shift it moves. A listener of the element itself, since React's
 * are passive and cannot stop the page's scrolling.
 */
export function useWheel(box: RefObject<HTMLElement | null>, { zoomAt, moveBy }: WheelActions) {
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const sideways = event.shiftKey ? event.deltaY : event.deltaX;
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) moveBy(sideways);
      else {
        const { left } = current.getBoundingClientRect();
        zoomAt(zoomPerPixel ** -event.deltaY, event.clientX - left);
      }
    };
    current.addEventListener("wheel", onWheel, { passive: false });
    return () => current.removeEventListener("wheel", onWheel);
  }, [box, zoomAt, moveBy]);
}
