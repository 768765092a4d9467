import { useMemo, useRef } from "react";
import type { Size } from "#app/scene";
import { type BoardView, boardFit, boardZoom, gathersWeights } from "#app/scene/board";
import { forwardOnly } from "#app/scene/graph";
import type { Compiled } from "#compile";
import { isSameGraph } from "../canvas/same-graph.ts";
import { useApp } from "../store-context.tsx";

/** Zoom below which all modules are folded. */
const leastRows = 0.35;
const none: ReadonlySet<string> = new Set();

interface Fitted extends Pick<BoardView, "open" | "zoom"> {
  readonly key: string;
  readonly of: Compiled;
}

/**
 * Open modules and zoom of the board: arranged by the user, else fitted to the room. An edit of the
 * same program keeps the earlier fit.
 */
export function useBoardView(compiled: Compiled, room: Size): BoardView {
  const place = useApp((state) => state.board);
  const isForwardOnly = useApp((state) => state.openRuns.has(forwardOnly));
  const heat = useApp((state) => state.settings.heat);
  const hasGathersBeside = useApp(
    ({ baseline }) => baseline !== undefined && gathersWeights(baseline.compiled),
  );
  const last = useRef<Fitted | undefined>(undefined);
  return useMemo(() => {
    const { open, zoom, runs, showsViews, fits, fitsText } = place;
    const view = { runs, showsViews, forwardOnly: isForwardOnly, heat, hasGathersBeside };
    const { width, height } = room;
    const isAsked = compiled.source === fitsText;
    const key = [width, height, fits, isAsked, showsViews, isForwardOnly].join(" ");
    const known = last.current;
    const isKept = known?.key === key && isSameGraph(known, { of: compiled });
    const fitted = isKept ? known : { key, of: compiled, ...boardFit(compiled, room, view) };
    last.current = fitted;
    const opened = open ?? fitted.open;
    const drawn = zoom ?? (open === undefined ? fitted.zoom : zoomOf({ ...view, open }));
    return { ...view, zoom: drawn, open: drawn < leastRows ? none : opened };
    function zoomOf(wanted: Omit<BoardView, "zoom">): number {
      return Math.min(1, boardZoom(compiled, room, wanted));
    }
  }, [compiled, room, place, isForwardOnly, heat, hasGathersBeside]);
}
