import { useMemo } from "react";
import { moduleOutline } from "#app/scene/board";
import { forwardOnly } from "#app/scene/graph";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";

const none: ReadonlySet<string> = new Set();

/**
 * Module outline of a program, with the same modules open as on the board. Without a board only the
 * modules that the user arranged are open, not those that a fit opened.
 */
export function useModuleOutline(compiled: Compiled, hasBoard: boolean) {
  const { open, runs, showsViews } = useApp((state) => state.board);
  const onBoard = useApp((state) => state.openModules);
  const isForwardOnly = useApp((state) => state.openRuns.has(forwardOnly));
  const shown = open ?? (hasBoard ? onBoard : none);
  return useMemo(() => {
    const view = { open: shown, runs, showsViews, forwardOnly: isForwardOnly };
    return { view, ...moduleOutline(compiled, view) };
  }, [compiled, shown, runs, showsViews, isForwardOnly]);
}
