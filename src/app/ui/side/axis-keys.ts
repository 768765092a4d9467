import type { KeyboardEvent, RefObject } from "react";
import type { AppStore } from "#app/state";
import type { DeviceMesh, MeshAxis } from "#core/mesh";
import { reordered } from "../gesture/drop.ts";
import { larger, smaller } from "./AxisSize.tsx";

interface ChipOfAxis {
  readonly mesh: DeviceMesh;
  readonly axis: MeshAxis;
  readonly index: number;
  readonly chip: RefObject<HTMLElement | null>;
  /** Called when the chip changes its place, so that the focus can follow it. */
  readonly onMoved: (axis: string) => void;
}

/** Key handlers of a mesh axis's chip, which make gestures. */
export function axisKeys(store: AppStore, { mesh, axis, index, chip, onMoved }: ChipOfAxis) {
  const resize = (size: number) =>
    void store.getState().gesture({ kind: "resize-axis", axis: axis.name, size });
  const move = (step: number) => {
    const names = mesh.axes.map(({ name }) => name);
    const axes = reordered(names, axis.name, Math.max(0, index + step));
    if (axes.join() === names.join()) return;
    onMoved(axis.name);
    void store.getState().gesture({ kind: "order-axes", axes });
  };
  const actionOf = (event: KeyboardEvent): (() => void) | undefined => {
    const { gesture } = store.getState();
    switch (event.key) {
      case "ArrowUp":
        return () => resize(larger(axis.size));
      case "ArrowDown":
        return () => resize(smaller(axis.size));
      case "ArrowLeft":
      case "ArrowRight":
        return event.altKey ? () => move(event.key === "ArrowLeft" ? -1 : 1) : undefined;
      case "Delete":
      case "Backspace":
        return () => void gesture({ kind: "remove-axis", axis: axis.name });
      default:
        return /^[1-9]$/.test(event.key) ? () => typeSize(chip.current, event.key) : undefined;
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey) return;
    const act = actionOf(event);
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return { resize, onKeyDown };
}

/** Moves the focus into a chip's size field and enters the typed digit. */
function typeSize(chip: HTMLElement | null, digit: string): void {
  const field = chip?.querySelector("input");
  if (field === null || field === undefined) return;
  field.dataset["typed"] = digit;
  field.focus();
}

/** Arrow keys available to an axis: outwards unless first, inwards unless last. */
export function keysOf(index: number, count: number) {
  const keys = [
    ...(index > 0 ? [{ name: "Alt+ArrowLeft", word: "Alt+←" }] : []),
    ...(index < count - 1 ? [{ name: "Alt+ArrowRight", word: "Alt+→" }] : []),
  ];
  const words = keys.map(({ word }) => word).join(" and ");
  return {
    names: keys.map(({ name }) => name),
    words: words === "" ? "" : `, ${words} ${keys.length === 1 ? "moves" : "move"} it`,
  };
}
