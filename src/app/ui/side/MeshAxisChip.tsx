import { GripVertical, Minus, Pin, Plus } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { hueOf } from "#app/scene";
import type { DeviceMesh, MeshAxis } from "#core/mesh";
import { Icon } from "../atoms/Icon.tsx";
import { askForAxis } from "../gesture/ask-for-axis.ts";
import { reordered } from "../gesture/drop.ts";
import { useAxisDrag } from "../gesture/use-axis-drag.ts";
import { useApp, useAppStore } from "../store-context.tsx";
import { useIsAxisPinned } from "../use-status.ts";
import { AxisSize, larger, smaller } from "./AxisSize.tsx";

interface Props {
  readonly mesh: DeviceMesh;
  readonly axis: MeshAxis;
  readonly index: number;
  readonly onChosen: (axis: string) => void;
  /** The chip changes its place: the focus is to follow it. */
  readonly onMoved: (axis: string) => void;
}

/**
 * One axis of the mesh. Drag it onto a dim, or press it and then a dim; drag it among its like to
 * reorder. Keys: ↑ and ↓ or digits resize, Alt+← and Alt+→ reorder, Delete removes.
 */
export function MeshAxisChip({ mesh, axis, index, onChosen, onMoved }: Props) {
  const store = useAppStore();
  const chip = useRef<HTMLSpanElement>(null);
  const isArmed = useApp((state) => state.armedAxis === axis.name);
  const isDragged = useApp(({ drag }) => drag?.axis === axis.name && drag.from === undefined);
  const isPinned = useIsAxisPinned(axis.name);
  const isFocused = useApp((state) => state.focusedAxis === axis.name);
  const drag = useAxisDrag({ axis: axis.name }, () => {
    onChosen(axis.name);
    const { armAxis } = store.getState();
    armAxis(isArmed ? undefined : axis.name);
    if (!isArmed) askForAxis(store, axis.name);
  });
  const show = (isShown: boolean) => store.getState().focusAxis(isShown ? axis.name : undefined);
  const resize = (size: number) =>
    void store.getState().gesture({ kind: "resize-axis", axis: axis.name, size });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey) return;
    const act = actionOf(event);
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
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
        return /^[1-9]$/.test(event.key) ? () => typeSize(event.key) : undefined;
    }
  };
  const move = (step: number) => {
    const names = mesh.axes.map(({ name }) => name);
    const axes = reordered(names, axis.name, Math.max(0, index + step));
    if (axes.join() === names.join()) return;
    onMoved(axis.name);
    void store.getState().gesture({ kind: "order-axes", axes });
  };
  const typeSize = (digit: string) => {
    const field = chip.current?.querySelector("input");
    if (field === null || field === undefined) return;
    field.dataset.typed = digit;
    field.focus();
  };
  const hue = hueOf(mesh, axis.name);
  const keys = keysOf(index, mesh.axes.length);
  return (
    <span
      ref={chip}
      className={`mchip a${hue} ${isArmed || isDragged ? "armed" : ""} ${isFocused ? "shown" : ""}`}
      data-mesh-axis={axis.name}
      onPointerEnter={() => show(true)}
      onPointerLeave={() => show(false)}
    >
      <button
        type="button"
        className="mchip-grip"
        data-testid={`mesh-axis-${axis.name}`}
        aria-pressed={isArmed}
        aria-label={`${axis.name}, axis of ${axis.size} devices${isPinned ? ", pinned" : ""}, key ${index + 1}`}
        aria-keyshortcuts={["ArrowUp", "ArrowDown", ...keys.names, "Delete"].join(" ")}
        title={`Drag ${axis.name} onto a dim, or press it and then the dim. ↑ and ↓ resize${keys.words}, Delete removes.`}
        onKeyDown={onKeyDown}
        onFocus={() => {
          onChosen(axis.name);
          show(true);
        }}
        onBlur={() => show(false)}
        {...drag}
      >
        <Icon icon={GripVertical} size={13} />
        <Texture hue={hue} />
        {axis.name}
        {isPinned && <Icon icon={Pin} size={12} />}
      </button>
      <Step
        name={`Shrink ${axis.name} to ${smaller(axis.size)}`}
        isOff={axis.size <= 1}
        onPress={() => resize(smaller(axis.size))}
        icon={<Minus className="ico" size={12} strokeWidth={2} aria-hidden="true" />}
      />
      <AxisSize axis={axis} />
      <Step
        name={`Grow ${axis.name} to ${larger(axis.size)}`}
        isOff={axis.size >= 65_536}
        onPress={() => resize(larger(axis.size))}
        icon={<Plus className="ico" size={12} strokeWidth={2} aria-hidden="true" />}
      />
    </span>
  );
}

/** Arrow keys available to an axis: outwards unless first, inwards unless last. */
function keysOf(index: number, count: number) {
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

function Step(props: {
  readonly name: string;
  readonly isOff: boolean;
  readonly onPress: () => void;
  readonly icon: React.ReactNode;
}) {
  return (
    <button
      type="button"
      className="pm"
      aria-label={props.name}
      title={props.name}
      disabled={props.isOff}
      onClick={props.onPress}
    >
      {props.icon}
    </button>
  );
}

function Texture({ hue }: { readonly hue: number }) {
  return (
    <svg className="tex" width="12" height="12" aria-hidden="true">
      <rect
        width="12"
        height="12"
        fill={`color-mix(in oklab, var(--axis-${hue}) 50%, var(--surface))`}
      />
      <rect width="12" height="12" fill={`url(#texture-${hue}-0)`} />
    </svg>
  );
}
