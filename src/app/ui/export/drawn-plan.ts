import { useMemo } from "react";
import type { BoardView, PlanDrawing } from "#app/scene/board";
import { type CanvasLayout, forwardOnly } from "#app/scene/graph";
import { boardPicture, canvasPicture, type PictureLook } from "#app/scene/svg";
import type { Compiled } from "#compile";
import { planDrawingOf } from "../board/PlanCanvas.tsx";
import { useApp } from "../store-context.tsx";

/** The drawing of the plan on screen: as rows or as a graph, and which of its parts are open. */
export interface DrawnPlan {
  readonly drawing: PlanDrawing;
  readonly placed: CanvasLayout | undefined;
  /** Absent where no board is drawn, so that nothing is open. */
  readonly rows: Partial<Omit<BoardView, "zoom">>;
}

/** How the plan is drawn now. */
export function useDrawnPlan(): DrawnPlan {
  const drawing = useApp(planDrawingOf);
  const placed = useApp((state) => state.laidOut?.layout);
  const { open: arranged, runs, showsViews } = useApp((state) => state.board);
  const fitting = useApp((state) => state.openModules);
  const isForwardOnly = useApp((state) => state.openRuns.has(forwardOnly));
  const heat = useApp((state) => state.settings.heat);
  return useMemo(() => {
    const open = arranged ?? (fitting.size > 0 ? fitting : undefined);
    const view = { runs, showsViews, forwardOnly: isForwardOnly, heat };
    return { drawing, placed, rows: { ...view, ...(open !== undefined && { open }) } };
  }, [drawing, placed, arranged, fitting, runs, showsViews, isForwardOnly, heat]);
}

/** The whole plan as an SVG file, as it is drawn on screen. */
export function drawnPlan(
  compiled: Compiled,
  look: PictureLook,
  { drawing, placed, rows }: DrawnPlan,
): string {
  return drawing === "rows"
    ? boardPicture(compiled, look, rows)
    : canvasPicture(compiled, look, placed);
}
