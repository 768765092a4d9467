import { GripVertical, Minus, Pin, Plus } from "lucide-react";
import { useRef } from "react";
import { hueOf } from "#app/scene";
import type { DeviceMesh, MeshAxis } from "#core/mesh";
import { Icon } from "../atoms/Icon.tsx";
import { askForAxis } from "../gesture/ask-for-axis.ts";
import { useAxisDrag } from "../gesture/use-axis-drag.ts";
import { useApp, useAppStore } from "../store-context.tsx";
import { useIsAxisPinned } from "../use-status.ts";
import { AxisSize, larger, smaller } from "./AxisSize.tsx";
import { axisKeys, keysOf } from "./axis-keys.ts";

interface Props {
  readonly mesh: DeviceMesh;
  readonly axis: MeshAxis;
  readonly index: number;
  readonly onChosen: (axis: string) => void;
  /** Called when the chip changes its place, so that the focus can follow it. */
  readonly onMoved: (axis: string) => void;
}

/**
 * One axis of the mesh. Drag it onto a dim, or press it and then a dim; drag it among the axes to
 * reorder them. Keys: ↑ and ↓ or digits resize, Alt+← and Alt+→ reorder, Delete removes.
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
  const { resize, onKeyDown } = axisKeys(store, { mesh, axis, index, chip, onMoved });
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
      <Steps axis={axis} onResize={resize} />
    </span>
  );
}

interface StepsProps {
  readonly axis: MeshAxis;
  readonly onResize: (size: number) => void;
}

/** The size of an axis between the buttons that shrink and grow it. */
function Steps({ axis, onResize }: StepsProps) {
  return (
    <>
      <Step
        name={`Shrink ${axis.name} to ${smaller(axis.size)}`}
        isOff={axis.size <= 1}
        onPress={() => onResize(smaller(axis.size))}
        icon={<Minus className="ico" size={12} strokeWidth={2} aria-hidden="true" />}
      />
      <AxisSize axis={axis} />
      <Step
        name={`Grow ${axis.name} to ${larger(axis.size)}`}
        isOff={axis.size >= 65_536}
        onPress={() => onResize(larger(axis.size))}
        icon={<Plus className="ico" size={12} strokeWidth={2} aria-hidden="true" />}
      />
    </>
  );
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
