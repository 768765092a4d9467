import type { CanvasLayout } from "#app/scene/graph";
import { type Compiled, shareStructure } from "#compile";
import type { Drawing } from "./drawing.ts";

/** A layout of the canvas, and the compiled text that it lays out. */
export interface LaidOutDrawing {
  readonly of: Compiled;
  readonly layout: CanvasLayout;
}

/** A drawing where a layout puts it; the very same object if it stands there already. */
export function laidOutDrawing(
  placed: LaidOutDrawing | undefined,
  drawing: Drawing | undefined,
  laidOut: CanvasLayout | undefined,
): LaidOutDrawing | undefined {
  if (drawing === undefined || laidOut === undefined) return placed;
  const layout = placed === undefined ? laidOut : shareStructure(placed.layout, laidOut);
  const isSame = placed?.layout === layout && placed.of === drawing.drawn;
  return isSame ? placed : { of: drawing.drawn, layout };
}
