import { ChevronDown, Plus } from "lucide-react";
import { type KeyboardEvent, lazy, memo, Suspense, useEffect, useRef } from "react";
import { hueOf } from "#app/scene";
import type { Tensor } from "#core/ir";
import { type Layout, localShape } from "#core/mesh";
import { Icon } from "../atoms/Icon.tsx";
import { reordered } from "../gesture/drop.ts";
import { axesOn } from "../gesture/layout-after.ts";
import { useAxisDrag } from "../gesture/use-axis-drag.ts";
import { isSame, press, useDimTarget } from "../gesture/use-dim-target.ts";
import { useApp, useAppStore } from "../store-context.tsx";

const DimMenu = lazy(async () => ({ default: (await import("./DimMenu.tsx")).DimMenu }));

interface Props {
  readonly tensor: Tensor;
  readonly layout: Layout;
  readonly dim: number;
  /** Whether the row has the test id of the dim. */
  readonly isMarked: boolean;
  /** Whether the choices open as a sheet instead of a menu. */
  readonly hasSheet?: boolean;
  /** Whether the tensor belongs to training, so that its layout is shown and not changed. */
  readonly isFixed?: boolean;
}

/** One dim of a tensor: its cut, and the controls that change it where the text has it. */
export function DimRow({ isFixed = false, ...row }: Props) {
  return isFixed ? <FixedRow {...row} /> : <FreeRow {...row} />;
}

function FixedRow({ tensor, layout, dim, isMarked }: Props) {
  const axes = axesOn(layout, dim);
  const name = tensor.dimNames[dim] ?? `d${dim}`;
  return (
    <div className="dim-wrap">
      <div className="dim-row">
        <span
          className="dim-fixed"
          data-testid={isMarked ? `dim-${tensor.name}-${dim}` : undefined}
          title="It comes with training: how it lies follows from the forward program."
        />
        <span className="dim-words">
          <b>{name}</b>
          <span>{tensor.shape[dim] ?? 0}</span>
        </span>
        <span className="slot">
          {axes.length === 0 && <span className="mut">whole</span>}
          {axes.map((axis) => (
            <span key={axis} className={`ax a${hueOf(layout.mesh, axis)}`}>
              {axis}
            </span>
          ))}
        </span>
        <span className="res">{resultText(layout, tensor.shape, dim)}</span>
      </div>
    </div>
  );
}

/**
 * One dim of a tensor: the drop target of an axis, the chips of the axes that cut it, and all
 * choices.
 */
const FreeRow = memo(function FreeRow({ tensor, layout, dim, isMarked, hasSheet = false }: Props) {
  const target = { tensor: tensor.id, dim };
  const isOpen = useApp((state) => isSame(state.choosing, target));
  const choose = useApp((state) => state.choose);
  const { className, handlers } = useDimTarget(target, hasSheet ? "list" : "cycle");
  const axes = axesOn(layout, dim);
  const name = tensor.dimNames[dim] ?? `d${dim}`;
  const size = tensor.shape[dim] ?? 0;
  const words = axes.length === 0 ? "whole" : `over ${axes.join(", ")}`;
  return (
    <div className="dim-wrap">
      <div className={`dim-row ${className}`} data-dim={dim} data-tensor={tensor.id}>
        <button
          type="button"
          className="dim-hit"
          data-testid={isMarked ? `dim-${tensor.name}-${dim}` : undefined}
          aria-expanded={isOpen}
          title={hasSheet ? undefined : hintOf(layout, axes)}
          {...handlers}
        >
          <span className="vh">{`Split ${tensor.name}.${name}, ${size}, ${words}`}</span>
        </button>
        <span className="dim-words" aria-hidden="true">
          <b>{name}</b>
          <span>{size}</span>
        </span>
        <Slot tensor={tensor} layout={layout} dim={dim} axes={axes} />
        <span className="res" aria-hidden="true">
          {resultText(layout, tensor.shape, dim)}
        </span>
        {!hasSheet && (
          <button
            type="button"
            className="dim-more"
            tabIndex={-1}
            aria-label={`All choices of ${tensor.name}.${name}`}
            title="All choices (Alt+↓)"
            onClick={() => choose(isOpen ? undefined : target)}
          >
            <Icon icon={ChevronDown} size={13} />
          </button>
        )}
      </div>
      {isOpen && !hasSheet && (
        <Suspense fallback={null}>
          <DimMenu tensor={tensor} layout={layout} dim={dim} />
        </Suspense>
      )}
    </div>
  );
});

interface SlotProps extends Pick<Props, "tensor" | "layout" | "dim"> {
  readonly axes: readonly string[];
}

/** The axes that cut a dim, outermost first; a chip that moves keeps the focus. */
function Slot({ tensor, layout, dim, axes }: SlotProps) {
  const slot = useRef<HTMLSpanElement>(null);
  const moved = useRef<string | undefined>(undefined);
  const order = axes.join();
  useEffect(() => {
    if (moved.current === undefined || !order.split(",").includes(moved.current)) return;
    const chip = slot.current?.querySelector(`[data-axis="${CSS.escape(moved.current)}"]`);
    moved.current = undefined;
    if (chip instanceof HTMLElement) chip.focus();
  }, [order]);
  return (
    <span className="slot" ref={slot}>
      {axes.length === 0 && (
        <span className="mut" aria-hidden="true">
          whole
        </span>
      )}
      {axes.map((axis) => (
        <DimChip
          key={axis}
          tensor={tensor}
          layout={layout}
          dim={dim}
          axis={axis}
          axes={axes}
          onMoved={() => {
            moved.current = axis;
          }}
        />
      ))}
      <span className="addax" aria-hidden="true">
        <Icon icon={Plus} size={11} />
      </span>
    </span>
  );
}

interface DimChipProps extends SlotProps {
  readonly axis: string;
  readonly onMoved: () => void;
}

/**
 * An axis on a dim: drag it off, onto another dim, or to another place of the order; Delete, Alt+←
 * and Alt+→ do the same.
 */
function DimChip({ tensor, layout, dim, axis, axes, onMoved }: DimChipProps) {
  const store = useAppStore();
  const target = { tensor: tensor.id, dim };
  const drag = useAxisDrag({ axis, from: target }, () => {
    store.getState().select({ tensor: tensor.id });
    store.getState().choose(target);
  });
  const isDragged = useApp(({ drag: held }) => held?.axis === axis && isSame(held.from, target));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.altKey ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : undefined;
    if (event.key === "Delete" || event.key === "Backspace") {
      focusDim(event.currentTarget);
      void store.getState().gesture({ kind: "unsplit", ...target, axis });
    } else if (step !== undefined) {
      const next = reordered(axes, axis, Math.max(0, axes.indexOf(axis) + step));
      if (next.join() !== axes.join()) {
        onMoved();
        void store.getState().gesture({ kind: "set", ...target, axes: next });
      }
    } else if (event.key === "Enter" || !press(store, target, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const name = `${tensor.name}.${tensor.dimNames[dim] ?? dim}`;
  const place = axes.length > 1 ? `, ${axes.indexOf(axis) + 1} of ${axes.length}` : "";
  return (
    <button
      type="button"
      className={`ax chip a${hueOf(layout.mesh, axis)} ${isDragged ? "held" : ""}`}
      data-testid={`chip-${tensor.name}-${dim}-${axis}`}
      data-axis={axis}
      data-chip-of={`${tensor.id}.${dim}`}
      title={`Drag ${axis} off or to another dim; Delete takes it off${axes.length > 1 ? ", Alt+← and Alt+→ reorder" : ""}`}
      aria-label={`${axis} on ${name}${place}`}
      aria-keyshortcuts={`Delete${axes.length > 1 ? " Alt+ArrowLeft Alt+ArrowRight" : ""}`}
      onKeyDown={onKeyDown}
      {...drag}
    >
      {axis}
    </button>
  );
}

/** When a chip is removed, its dim gets the focus. */
function focusDim(chip: HTMLElement): void {
  const dim = chip.closest(".dim-row")?.querySelector(".dim-hit");
  if (dim instanceof HTMLElement) dim.focus();
}

/** The keys of a dim with these axes, in words: `1 dp, 2 mp. Click or Enter: the next split, …`. */
function hintOf({ mesh }: Layout, cut: readonly string[]): string | undefined {
  if (mesh.axes.every(({ size }) => size === 1)) return undefined;
  const digits = mesh.axes.slice(0, 8).flatMap(({ name, size }, at) => {
    return size === 1 || cut.includes(name) ? [] : [`${at + 1} ${name}`];
  });
  const keys = [...digits, ...(cut.length > 0 ? ["0 whole"] : [])];
  return `Keys: ${keys.join(", ")}. Click or Enter: the next split, with Shift the one before. Alt+↓: all choices.`;
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
