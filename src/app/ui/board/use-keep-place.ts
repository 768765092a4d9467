import { type RefObject, useCallback, useLayoutEffect, useRef } from "react";
import type { BoardLayout } from "#app/scene/board";

/** Card or frame that keeps its place on the screen when the board changes. */
interface Anchor {
  readonly ids: readonly string[];
  /** Distance from the upper edge of the visible part, in CSS pixels. */
  readonly at: number;
}

/**
 * Keeps the first visible row in place when rows above it change. The returned function is called
 * with a module's key before the module is toggled; then that module keeps its place.
 */
export function useKeepPlace(
  scroller: RefObject<HTMLElement | null>,
  layout: BoardLayout,
): (module: string) => void {
  const last = useRef(layout);
  const asked = useRef<Anchor | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = scroller;
    const before = last.current;
    last.current = layout;
    if (current === null || before === layout) return;
    const anchor = asked.current ?? firstInSight(before, current.scrollTop);
    asked.current = undefined;
    const now = anchor?.ids.map((id) => topOf(layout, id)).find((y) => y !== undefined);
    if (anchor !== undefined && now !== undefined) current.scrollTop = now - anchor.at;
  }, [layout, scroller]);
  return useCallback(
    (module: string) => {
      const { current } = scroller;
      const ids = [`frame-${module}`, `module-${module}`];
      const top = ids.map((id) => topOf(last.current, id)).find((y) => y !== undefined);
      if (current !== null && top !== undefined) {
        asked.current = { ids, at: top - current.scrollTop };
      }
    },
    [scroller],
  );
}

function topOf({ rows }: BoardLayout, id: string): number | undefined {
  for (const row of rows) {
    const frame = row.frames.find((each) => each.id === id);
    if (frame !== undefined) return frame.head.y;
    const card = row.cards.find((each) => each.id === id);
    if (card !== undefined) return card.y;
  }
  return undefined;
}

function firstInSight({ rows }: BoardLayout, top: number): Anchor | undefined {
  if (top <= 0) return undefined;
  const row = rows.find(({ y }) => y >= top);
  const card = row?.cards.find(({ kind }) => kind === "operator" || kind === "module");
  return row === undefined || card === undefined ? undefined : { ids: [card.id], at: row.y - top };
}
