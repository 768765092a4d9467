import { Plus } from "lucide-react";
import { hueOf } from "#app/scene";
import type { Tensor } from "#core/ir";
import { type Layout, localShape } from "#core/mesh";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { Spoken } from "../atoms/Spoken.tsx";
import { isSame, useDimTarget } from "../gesture/use-dim-target.ts";
import { useApp } from "../store-context.tsx";
import { DimMenu } from "./DimMenu.tsx";

interface Props {
  readonly tensor: Tensor;
  readonly layout: Layout;
  readonly dim: number;
  /** Carries the test id of the dim. */
  readonly isMarked: boolean;
  /** Where the choices open as a sheet elsewhere. */
  readonly hasSheet?: boolean;
}

/** One dim of a tensor: what cuts it, and the target of an axis. */
export function DimRow({ tensor, layout, dim, isMarked, hasSheet = false }: Props) {
  const target = { tensor: tensor.id, dim };
  const isOpen = useApp((state) => isSame(state.choosing, target));
  const { className, handlers } = useDimTarget(target);
  const parts = (layout.dims[dim]?.parts ?? []).flatMap((part) =>
    part.kind === "axis" && part.size > 1 ? [part] : [],
  );
  const name = tensor.dimNames[dim] ?? `d${dim}`;
  const size = tensor.shape[dim] ?? 0;
  const words = parts.length === 0 ? "whole" : `over ${parts.map((p) => p.axis).join(", ")}`;
  return (
    <div className="dim-wrap">
      <button
        type="button"
        className={`dim-row ${className}`}
        data-testid={isMarked ? `dim-${tensor.name}-${dim}` : undefined}
        aria-expanded={isOpen}
        {...handlers}
      >
        <Spoken sentence={`Split ${tensor.name}.${name}, ${size}, ${words}`}>
          <b>{name}</b>
          <span>{size}</span>
          <span className="slot">
            {parts.length === 0 && <span className="mut">whole</span>}
            {parts.map((part) => (
              <AxisChip
                key={`${part.axis}`}
                tag={{ text: part.axis, hue: hueOf(layout.mesh, part.axis) }}
              />
            ))}
            <span className="addax" aria-hidden="true">
              <Plus className="ico" size={11} strokeWidth={1.75} />
            </span>
          </span>
          <span className="res">{resultText(layout, tensor.shape, dim)}</span>
        </Spoken>
      </button>
      {isOpen && !hasSheet && <DimMenu tensor={tensor} layout={layout} dim={dim} />}
    </div>
  );
}

/** `4096 / 2 = 2048`, or the size where nothing cuts it. */
function resultText(layout: Layout, shape: readonly number[], dim: number): string {
  const size = shape[dim] ?? 0;
  const parts = layout.dims[dim]?.parts ?? [];
  const ways = parts.flatMap((part) => (part.kind === "axis" ? [part.size] : []));
  if (ways.length === 0) return String(size);
  const local = localShape(layout, shape)[dim] ?? 0;
  const product = parts.reduce((all, part) => all * (part.kind === "axis" ? part.size : 1), 1);
  const sign = local * product === size ? "=" : "≤";
  return `${size} / ${ways.join("·")} ${sign} ${local}`;
}
