import type { KeyboardEvent, PointerEvent } from "react";
import { memo } from "react";
import type { PanelName } from "#app/state";
import { holdPointer } from "./gesture/hold-pointer.ts";
import { useApp } from "./store-context.tsx";

interface Props {
  readonly panel: PanelName;
}

interface Bounds {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly usual: number;
  /** Arrow keys that make the panel larger and smaller. */
  readonly keys: readonly [larger: string, smaller: string];
}

/** Least, greatest and default size of each panel, in CSS pixels. */
const bounds: Readonly<Record<PanelName, Bounds>> = {
  program: {
    ...{ name: "Program", least: 240, most: 1200, usual: 400 },
    keys: ["ArrowRight", "ArrowLeft"],
  },
  side: {
    ...{ name: "Mesh and tensor", least: 300, most: 640, usual: 360 },
    keys: ["ArrowLeft", "ArrowRight"],
  },
  player: {
    ...{ name: "Steps", least: 160, most: 520, usual: 244 },
    keys: ["ArrowUp", "ArrowDown"],
  },
};

const step = 16;

/** Width by which a splitter's handle overlaps its panel, in CSS pixels. */
const overhang = 4;

/** Splitter between two panels: dragged, or moved by arrow keys; a double click resets the size. */
export const Splitter = memo(function Splitter({ panel }: Props) {
  const { name, least, most, usual, keys } = bounds[panel];
  const panels = useApp((state) => state.settings.panels);
  const set = useApp((state) => state.set);
  const size = panels[panel] ?? usual;
  const move = (next: number) =>
    set({ panels: { ...panels, [panel]: Math.round(Math.min(most, Math.max(least, next))) } });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = [step, -step][keys.indexOf(event.key)];
    const end = { Home: least, End: most }[event.key];
    const next = by === undefined ? end : sizeOf(event.currentTarget, panel) + by;
    if (next === undefined) return;
    event.preventDefault();
    move(next);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button === 0) follow(event, panel, move, () => set({ panels }));
  };
  return (
    <hr
      className={`splitter splitter-${panel}`}
      // A splitter that can be moved takes the focus (ARIA's window splitter).
      tabIndex={0}
      aria-orientation={panel === "player" ? "horizontal" : "vertical"}
      aria-label={`Edge of ${name}`}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={size}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onDoubleClick={() => {
        const { [panel]: _, ...others } = panels;
        set({ panels: others });
      }}
    />
  );
});

/** Moves a splitter with the pointer until it is released; Escape restores the old size. */
function follow(
  event: PointerEvent<HTMLElement>,
  panel: PanelName,
  move: (size: number) => void,
  back: () => void,
): void {
  const handle = event.currentTarget;
  const at = panel === "player" ? "clientY" : "clientX";
  const start = event[at];
  const from = sizeOf(handle, panel);
  const sign = panel === "program" ? 1 : -1;
  event.preventDefault();
  handle.focus();
  holdPointer(handle, event.pointerId, {
    onMove: (moved) => move(from + sign * (moved[at] - start)),
    onGiveUp: back,
  });
}

/** Present size of a panel in CSS pixels, which is below its setting in narrow windows. */
function sizeOf(handle: HTMLElement, panel: PanelName): number {
  const edge = handle.getBoundingClientRect();
  if (panel === "program") return edge.left + overhang;
  if (panel === "side") return innerWidth - edge.right + overhang;
  return handle.parentElement?.getBoundingClientRect().height ?? bounds.player.usual;
}
