import { GripVertical, Minus, Plus } from "lucide-react";
import type { MeshAxis } from "#core/mesh";
import { useAxisDrag } from "../gesture/use-axis-drag.ts";
import { useActions, useApp } from "../store-context.tsx";

interface Props {
  readonly axis: MeshAxis;
  readonly index: number;
  /** Whether the text says the size in one place. */
  readonly isResizable: boolean;
}

/** One axis of the mesh: drag it onto a dim, or press it and then a dim; − and + resize it. */
export function MeshAxisChip({ axis, index, isResizable }: Props) {
  const { resizeAxis } = useActions();
  const isArmed = useApp((state) => state.armedAxis === axis.name);
  const isDragged = useApp((state) => state.drag?.axis === axis.name);
  const drag = useAxisDrag(axis.name);
  const hue = (index % 8) + 1;
  return (
    <span className={`mchip a${hue} ${isArmed || isDragged ? "armed" : ""}`}>
      <button
        type="button"
        className="mchip-grip"
        data-testid={`mesh-axis-${axis.name}`}
        aria-pressed={isArmed}
        aria-label={`${axis.name}, axis of ${axis.size} devices, key ${index + 1}`}
        title={`Drag ${axis.name} onto a dim, or press it and then the dim`}
        {...drag}
      >
        <GripVertical className="ico" size={13} strokeWidth={1.75} aria-hidden="true" />
        <Texture hue={hue} />
        {axis.name}
      </button>
      {isResizable && (
        <Step
          name={`Shrink ${axis.name} to ${smaller(axis.size)}`}
          isOff={axis.size <= 1}
          onPress={() => resizeAxis(axis.name, smaller(axis.size))}
          icon={<Minus className="ico" size={12} strokeWidth={2} aria-hidden="true" />}
        />
      )}
      <span className="sz">{axis.size}</span>
      {isResizable && (
        <Step
          name={`Grow ${axis.name} to ${larger(axis.size)}`}
          isOff={axis.size >= 65_536}
          onPress={() => resizeAxis(axis.name, larger(axis.size))}
          icon={<Plus className="ico" size={12} strokeWidth={2} aria-hidden="true" />}
        />
      )}
    </span>
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
      <rect width="12" height="12" fill={`url(#texture-${hue})`} />
    </svg>
  );
}

/** Sizes step by powers of two, as meshes do. */
function larger(size: number): number {
  return 2 ** (Math.floor(Math.log2(size)) + 1);
}

function smaller(size: number): number {
  return Math.max(1, 2 ** (Math.ceil(Math.log2(size)) - 1));
}
