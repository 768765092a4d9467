import { type RefObject, useEffect, useMemo, useState } from "react";
import {
  panRange,
  revealMoment,
  type Timeline,
  type TimeRange,
  zoomRange,
} from "#app/scene/timeline";

/** Visible part of a step, and the actions that change it. */
export interface Stretched {
  readonly stretch: TimeRange;
  readonly isWhole: boolean;
  readonly zoom: (by: number, at: number) => void;
  readonly move: (by: number) => void;
  /** Moves the stretch to contain a moment, by as little as necessary. */
  readonly show: (at: number) => void;
  readonly fit: () => void;
}

/** Visible stretch of a timeline; another timeline is first shown whole. */
export function useStretch(timeline: Timeline): Stretched {
  const { seconds } = timeline;
  const [kept, keep] = useState<{ readonly of: Timeline; readonly stretch: TimeRange }>();
  const whole = useMemo(() => ({ from: 0, to: seconds }), [seconds]);
  const stretch = kept?.of === timeline ? kept.stretch : whole;
  return useMemo(() => {
    const change = (next: (before: TimeRange) => TimeRange) =>
      keep((before) => ({
        of: timeline,
        stretch: next(before?.of === timeline ? before.stretch : whole),
      }));
    return {
      stretch,
      isWhole: stretch.to - stretch.from >= seconds,
      zoom: (by, at) => change((before) => zoomRange(before, by, at, seconds)),
      move: (by) => change((before) => panRange(before, by, seconds)),
      show: (at) => change((before) => revealMoment(before, at, seconds)),
      fit: () => keep(undefined),
    };
  }, [timeline, stretch, whole, seconds]);
}

/** Actions of a wheel or two fingers, in pixels from the left of the element. */
export interface WheelActions {
  readonly zoomAt: (by: number, x: number) => void;
  readonly moveBy: (pixels: number) => void;
}

const zoomPerPixel = 1.0025;

/**
 * The wheel zooms, with Shift or sideways it moves. React's wheel listeners are passive, so a
 * native one is needed to keep the page from scrolling.
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
