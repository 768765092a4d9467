import { useEffect, useRef } from "react";
import { type CanvasLayout, foldedRunOf } from "#app/scene/graph";
import { useApp } from "../store-context.tsx";

/** Opens the folded block that holds a newly picked operator, tensor or redistribution. */
export function useReveal(layout: CanvasLayout | undefined): void {
  const chosen = useApp((state) => state.chosen);
  const openRun = useApp((state) => state.openRun);
  const seen = useRef<typeof chosen>(undefined);
  useEffect(() => {
    if (layout === undefined || chosen === undefined || chosen === seen.current) return;
    seen.current = chosen;
    const key = foldedRunOf(layout, chosen);
    if (key !== undefined) openRun(key);
  }, [chosen, layout, openRun]);
}
