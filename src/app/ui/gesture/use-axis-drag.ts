import { type PointerEvent, useRef } from "react";
import type { AppStore } from "#app/state";
import { useAppStore } from "../store-context.tsx";
import { askForAxis } from "./ask-for-axis.ts";
import { type Carried, dropAt, gesturesOfChip } from "./drop.ts";

/** A press that moves less than this is a click, in CSS pixels. */
const slack = 4;

interface Press {
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  isMoved: boolean;
}

/**
 * Handlers of an axis chip: drag it onto a dim, off one, or to another place among its like; a
 * press that does not move is `onPress`.
 */
export function useAxisDrag(carried: Carried, onPress: () => void) {
  const store = useAppStore();
  const press = useRef<Press | undefined>(undefined);
  const wasDragged = useRef(false);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    wasDragged.current = false;
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    press.current = { pointer, x, y, isMoved: false };
    event.currentTarget.setPointerCapture(pointer);
  };

  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const held = press.current;
    if (held === undefined || held.pointer !== event.pointerId) return;
    const { clientX: x, clientY: y } = event;
    if (!held.isMoved && Math.hypot(x - held.x, y - held.y) < slack) return;
    if (!held.isMoved) ask(store, carried);
    held.isMoved = true;
    store.getState().dragTo({ ...carried, x, y, ...dropAt(store, carried, x, y) });
  };

  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const held = press.current;
    press.current = undefined;
    store.getState().dragTo(undefined);
    if (held?.isMoved !== true) return;
    wasDragged.current = true;
    const drop = dropAt(store, carried, event.clientX, event.clientY);
    if (drop.order !== undefined) {
      void store.getState().gesture({ kind: "order-axes", axes: drop.order });
    }
    if (drop.gesture === undefined) return;
    store.getState().select({ tensor: drop.gesture.tensor });
    void store.getState().gesture(drop.gesture);
  };

  const onPointerCancel = () => {
    press.current = undefined;
    store.getState().dragTo(undefined);
  };

  const onClick = () => {
    if (wasDragged.current) wasDragged.current = false;
    else onPress();
  };

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onClick };
}

function ask(store: AppStore, carried: Carried): void {
  if (carried.from === undefined) askForAxis(store, carried.axis);
  else void store.getState().preview(gesturesOfChip(store, carried));
}
