import { type BoardView, boardPathTo } from "#app/scene/board";
import type { AppStore, Selection } from "#app/state";
import type { Compiled } from "#compile";

/**
 * Opens the modules around a selection, and shows its layer in place of equal ones; returns whether
 * anything changed.
 */
export function openModulesTo(
  store: AppStore,
  compiled: Compiled,
  view: Pick<BoardView, "open" | "runs" | "showsViews">,
  sought: Selection,
): boolean {
  const path = boardPathTo(compiled, view, sought);
  if (path === undefined) return false;
  if (path.open.every((key) => view.open.has(key)) && path.runs.length === 0) return false;
  const { arrangeBoard, showRunOf } = store.getState();
  for (const [key, run] of path.runs) showRunOf(key, run);
  arrangeBoard({ open: new Set([...view.open, ...path.open]) });
  return true;
}

/** Opens a folded module, or folds an open one. */
export function toggleModule(store: AppStore, shown: ReadonlySet<string>, key: string): void {
  const open = new Set(shown);
  if (!open.delete(key)) open.add(key);
  store.getState().arrangeBoard({ open });
}
