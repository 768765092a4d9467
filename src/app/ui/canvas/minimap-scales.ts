import type { CanvasLayout } from "#app/scene/graph";

/** The most that a minimap takes. */
export const room = { width: 120, height: 68 };

/** Beside a graph that is higher than wide, which leaves room for what it would cover. */
const beside = 8;

/** It helps while less than this share of the graph is in sight. */
export const enough = 0.6;

/** In a pane that is lower than this, in CSS pixels, it would cover a quarter of what it shows. */
const lowest = 320;

/** Whether it makes room: most of the graph is in sight, or there is little room for both. */
export function isAside(shareInSight: number, paneHeight: number): boolean {
  return shareInSight >= enough || paneHeight < lowest;
}

/** How wide the minimap of a graph is, with its edges. */
export function minimapWidth(layout: CanvasLayout): number {
  return scalesOf(layout).wide + 2;
}

/** A graph that is much higher than wide is drawn flatter than it is. */
export function scalesOf({ width, height }: CanvasLayout) {
  const fitting = Math.min(room.width / width, room.height / height, 0.2);
  const across = Math.max(fitting, Math.min(0.08, room.width / width));
  const down = Math.min(across, room.height / height);
  const wide = Math.min(room.width, width * across + 2 * beside);
  const left = (wide - width * across) / 2;
  return { across, down, left, top: (room.height - height * down) / 2, wide };
}
