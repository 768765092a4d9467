import type { PointerEvent as ReactPointerEvent } from "react";
import type { AppStore } from "#app/state";
import { useAppStore } from "../store-context.tsx";
import { askForAxis } from "./ask-for-axis.ts";
import { type Carried, type Drop, dropAt, gesturesOfChip } from "./drop.ts";
import { holdPointer, withoutClick } from "./hold-pointer.ts";

/** Distance in CSS pixels below which a press counts as a click. */
const slack = 4;

/**
 * Handlers of an axis chip: drag it onto a dim, off a dim, or to another place among the mesh axes.
 * A press without movement calls `onPress`; Escape cancels the drag.
 */
export function useAxisDrag(carried: Carried, onPress: () => void) {
  const store = useAppStore();
  const onPointerDown = (event: ReactPointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    const { clientX: startX, clientY: startY } = event;
    let isMoved = false;
    holdPointer(event.currentTarget, event.pointerId, {
      onMove: ({ clientX: x, clientY: y }) => {
        if (!isMoved && Math.hypot(x - startX, y - startY) < slack) return;
        if (!isMoved) ask(store, carried);
        isMoved = true;
        store.getState().dragTo({ ...carried, x, y, ...dropAt(store, carried, x, y) });
      },
      onDrop: (end) => {
        if (!isMoved) return;
        withoutClick(end);
        drop(store, dropAt(store, carried, end.clientX, end.clientY));
      },
      onGiveUp: () => store.getState().dragTo(undefined),
    });
  };
  return { onPointerDown, onClick: onPress };
}

/** Applies the effect of a drop, if it has one. */
function drop(store: AppStore, { gesture, order }: Drop): void {
  const state = store.getState();
  state.dragTo(undefined);
  if (order !== undefined) void state.gesture({ kind: "order-axes", axes: order });
  if (gesture === undefined) return;
  state.select({ tensor: gesture.tensor });
  void state.gesture(gesture);
}

function ask(store: AppStore, carried: Carried): void {
  const { from, sumOf } = carried;
  if (from === undefined && sumOf === undefined) askForAxis(store, carried.axis);
  else void store.getState().preview(gesturesOfChip(store, carried));
}
