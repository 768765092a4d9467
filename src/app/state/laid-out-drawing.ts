import type { CanvasLayout } from "#app/scene/graph";
import { type Compiled, shareStructure } from "#compile";
import type { Drawing } from "./drawing.ts";

/** A layout of the canvas, and the compiled text it belongs to. */
export interface LaidOutDrawing {
  readonly of: Compiled;
  readonly layout: CanvasLayout;
}

/** A drawing with its new layout; the same object if nothing moved. */
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
