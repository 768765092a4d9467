import { type MouseEvent, type PointerEvent, useRef } from "react";
import type { Stops } from "./use-stops.ts";

/** A press that moves further is a swipe or a drag, in CSS pixels. */
const swipe = 48;
const slack = 8;

/**
 * A press on the right half goes on, one on the left half back; swipes to the left and right do the
 * same.
 */
export function usePresses({ back, forth }: Stops) {
  const start = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const isMoved = useRef(false);
  return {
    onPointerDown: ({ clientX: x, clientY: y }: PointerEvent) => {
      start.current = { x, y };
      isMoved.current = false;
    },
    onPointerUp: ({ clientX, clientY, pointerType }: PointerEvent) => {
      if (start.current === undefined) return;
      const [across, down] = [clientX - start.current.x, clientY - start.current.y];
      start.current = undefined;
      isMoved.current = Math.hypot(across, down) > slack;
      const isSwipe = Math.abs(across) > swipe && Math.abs(across) > 1.5 * Math.abs(down);
      if (pointerType !== "touch" || !isSwipe) return;
      if (across < 0) forth?.();
      else back?.();
    },
    onClick: ({ clientX, target, currentTarget, detail }: MouseEvent) => {
      // A key press that clicks a button has no coordinates.
      if (detail === 0 || isMoved.current || isPressable(target)) return;
      const { left, width } = currentTarget.getBoundingClientRect();
      if (clientX < left + width / 2) back?.();
      else forth?.();
    },
  };
}

function isPressable(target: EventTarget): boolean {
  const pressable = "button, a, input, label, summary, select, [role=button], [data-node]";
  return target instanceof Element && target.closest(pressable) !== null;
}
