import type { KeyboardEvent, MouseEvent } from "react";
import { type AppState, type AppStore, type DimTarget, shown } from "#app/state";
import { useApp, useAppStore } from "../store-context.tsx";
import { gestureOn } from "./drop.ts";
import { previewOf } from "./same-gesture.ts";

/**
 * The action of a click on a dim without an axis in hand: the next split, or the list of choices.
 */
export type DimClick = "cycle" | "list";

/**
 * The actions of every target of a dim, wherever it is drawn. Click: the armed axis, else the next
 * split (Shift: the one before, Alt or a finger: all choices). Keys: digits, 0, Enter, Alt+↓.
 */
export function useDimTarget(target: DimTarget, click: DimClick = "cycle") {
  const store = useAppStore();
  const isOver = useApp(
    (state) => state.drag?.over?.tensor === target.tensor && state.drag.over.dim === target.dim,
  );
  const isRefused = useApp((state) => isIllegal(state, target));

  const onClick = (event: MouseEvent) => {
    const { armedAxis, gesture, choose, select, choosing } = store.getState();
    select({ tensor: target.tensor });
    if (armedAxis !== undefined) void gesture({ kind: "split", ...target, axis: armedAxis });
    else if (click === "list" || event.altKey || isTouch(event)) {
      choose(isSame(choosing, target) ? undefined : target);
    } else void gesture({ kind: "cycle", ...target, isBackward: event.shiftKey });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!press(store, target, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const className = `${isOver ? "over" : ""} ${isRefused ? "no" : ""}`.trim();
  return {
    className,
    handlers: {
      onClick,
      onKeyDown,
      "data-dim": target.dim,
      "data-tensor": target.tensor,
    },
  };
}

/** A key, and what is held with it. */
type Press = Pick<KeyboardEvent, "key"> &
  Partial<Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "altKey">>;

/** Does the action of a key on a dim; false where the key has none. */
export function press(store: AppStore, target: DimTarget, event: Press): boolean {
  if (event.ctrlKey || event.metaKey) return false;
  const { gesture, say, notice, choose } = store.getState();
  if (event.altKey) {
    if (event.key !== "ArrowDown" && event.key !== "Enter") return false;
    choose(target);
    return true;
  }
  const instead = notice?.instead?.gesture;
  if (event.key === "Enter" && isSame(instead, target) && instead !== undefined) {
    void gesture(instead);
    return true;
  }
  if (!/^[0-8]$/.test(event.key)) return false;
  const axes = shown(store.getState())?.mesh.mesh.axes ?? [];
  const axis = axes[Number(event.key) - 1]?.name;
  if (event.key === "0") void gesture({ kind: "whole", ...target });
  else if (axis !== undefined) void gesture({ kind: "split", ...target, axis });
  else say({ kind: "refused", text: `The mesh has no axis ${event.key}.` });
  return true;
}

/** Whether it is known that the axis in hand cannot go on a dim. */
function isIllegal(state: AppState, target: DimTarget): boolean {
  const { drag, armedAxis, previews } = state;
  const carried = drag ?? (armedAxis === undefined ? undefined : { axis: armedAxis });
  if (carried === undefined) return false;
  return previewOf(previews.known, gestureOn(carried, target))?.outcome.ok === false;
}

/** A click that a finger made. */
function isTouch({ nativeEvent }: MouseEvent): boolean {
  return nativeEvent instanceof PointerEvent && nativeEvent.pointerType === "touch";
}

/** Whether two targets are the same dim. */
export function isSame(a: DimTarget | undefined, b: DimTarget): boolean {
  return a?.tensor === b.tensor && a.dim === b.dim;
}
