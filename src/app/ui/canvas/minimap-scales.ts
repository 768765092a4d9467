import type { CanvasLayout } from "#app/scene/graph";

/** Largest size of a minimap, in CSS pixels. */
export const room = { width: 120, height: 68 };

/** Free width at each side of a narrow graph in its minimap, in CSS pixels. */
const beside = 8;

/** Share of the graph in view from which a minimap does not help. */
export const enough = 0.6;

/** Height of a pane in CSS pixels below which a minimap would cover a quarter of it. */
const lowest = 320;

/** Whether the minimap is hidden: most of the graph is in view, or the pane is too low. */
export function isAside(shareInSight: number, paneHeight: number): boolean {
  return shareInSight >= enough || paneHeight < lowest;
}

/** Width of a graph's minimap with its edges, in CSS pixels. */
export function minimapWidth(layout: CanvasLayout): number {
  return scalesOf(layout).wide + 2;
}

/** Scales and offsets of a minimap; a graph much higher than wide is compressed vertically. */
export function scalesOf({ width, height }: CanvasLayout) {
  const fitting = Math.min(room.width / width, room.height / height, 0.2);
  const across = Math.max(fitting, Math.min(0.08, room.width / width));
  const down = Math.min(across, room.height / height);
  const wide = Math.min(room.width, width * across + 2 * beside);
  const left = (wide - width * across) / 2;
  return { across, down, left, top: (room.height - height * down) / 2, wide };
}
