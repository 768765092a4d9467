import { type PointerEvent, useRef } from "react";
import type { DimTarget } from "#app/state";
import { tensorId } from "#core/ir";
import { useAppStore } from "../store-context.tsx";
import { askForAxis } from "./ask-for-axis.ts";

/** A press that moves less than this is a click, in CSS pixels. */
const slack = 4;

interface Press {
  readonly pointer: number;
  readonly x: number;
  readonly y: number;
  isMoved: boolean;
}

/** Handlers of an axis chip: drag it onto a dim, or click to arm it. */
export function useAxisDrag(axis: string) {
  const store = useAppStore();
  const press = useRef<Press | undefined>(undefined);
  const wasDragged = useRef(false);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    wasDragged.current = false;
    press.current = {
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      isMoved: false,
    };
    event.currentTarget.setPointerCapture(event.pointerId);
  };

  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const held = press.current;
    if (held === undefined || held.pointer !== event.pointerId) return;
    const { clientX: x, clientY: y } = event;
    if (!held.isMoved && Math.hypot(x - held.x, y - held.y) < slack) return;
    if (!held.isMoved) askForAxis(store, axis);
    held.isMoved = true;
    const over = dimAt(x, y);
    store.getState().dragTo({ axis, x, y, ...(over !== undefined && { over }) });
  };

  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const held = press.current;
    press.current = undefined;
    store.getState().dragTo(undefined);
    if (held?.isMoved !== true) return;
    wasDragged.current = true;
    const over = dimAt(event.clientX, event.clientY);
    if (over === undefined) return;
    store.getState().select({ tensor: over.tensor });
    void store.getState().gesture({ kind: "split", ...over, axis });
  };

  const onPointerCancel = () => {
    press.current = undefined;
    store.getState().dragTo(undefined);
  };

  const onClick = () => {
    if (wasDragged.current) {
      wasDragged.current = false;
      return;
    }
    const isArmed = store.getState().armedAxis === axis;
    store.getState().armAxis(isArmed ? undefined : axis);
    if (!isArmed) askForAxis(store, axis);
  };

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onClick };
}

/** The dim under a point of the page. */
function dimAt(x: number, y: number): DimTarget | undefined {
  const element = document.elementFromPoint(x, y)?.closest("[data-dim]");
  if (!(element instanceof HTMLElement)) return undefined;
  const { tensor, dim } = element.dataset;
  if (tensor === undefined || dim === undefined) return undefined;
  return { tensor: tensorId(tensor), dim: Number(dim) };
}
