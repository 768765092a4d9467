import { type PointerEvent, useRef } from "react";

interface Fingers {
  readonly points: Map<number, number>;
  /** The path of the pointers in pixels since the first one came. */
  travelled: number;
}

/** The actions of pointers on the drawing; places are in pixels from its left. */
export interface FingerActions {
  readonly hover: (x: number) => void;
  readonly leave: () => void;
  readonly press: (x: number, isTouch: boolean) => void;
  readonly zoomAt: (by: number, x: number) => void;
  readonly moveBy: (pixels: number) => void;
}

/** The most pixels that a press may move. */
const still = 5;

/** One pointer reads, presses and drags; two fingers zoom. */
export function useFingers({ hover, leave, press, zoomAt, moveBy }: FingerActions) {
  const fingers = useRef<Fingers>({ points: new Map(), travelled: 0 });
  const placeOf = (event: PointerEvent<HTMLElement>) =>
    event.clientX - event.currentTarget.getBoundingClientRect().left;
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const { points } = fingers.current;
      if (points.size === 0) fingers.current.travelled = 0;
      points.set(event.pointerId, placeOf(event));
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const { points } = fingers.current;
      const x = placeOf(event);
      const before = points.get(event.pointerId);
      if (before === undefined) return hover(x);
      const other = [...points].find(([id]) => id !== event.pointerId)?.[1];
      points.set(event.pointerId, x);
      fingers.current.travelled += Math.abs(x - before);
      if (other !== undefined) {
        const [apart, was] = [Math.abs(x - other), Math.abs(before - other)];
        if (apart > 1 && was > 1) zoomAt(apart / was, (x + other) / 2);
        moveBy((before - x) / 2);
      } else if (fingers.current.travelled > still) moveBy(before - x);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const { points, travelled } = fingers.current;
      const isAlone = points.size === 1;
      points.delete(event.pointerId);
      if (isAlone && travelled <= still) press(placeOf(event), event.pointerType === "touch");
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) =>
      void fingers.current.points.delete(event.pointerId),
    onPointerLeave: () => {
      if (fingers.current.points.size === 0) leave();
    },
  };
}
