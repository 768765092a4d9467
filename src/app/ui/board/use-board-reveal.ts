import { type RefObject, useEffect, useRef } from "react";
import {
  type BoardLayout,
  type BoardRowBox,
  type BoardView,
  boardHome as homeOf,
} from "#app/scene/board";
import type { Selection } from "#app/state";
import type { Compiled } from "#compile";
import { useApp, useAppStore } from "../store-context.tsx";
import { openModulesTo } from "./open-modules.ts";
import { sightOf } from "./sight.ts";

interface Given {
  readonly compiled: Compiled;
  readonly view: BoardView;
  readonly layout: BoardLayout;
  readonly scroller: RefObject<HTMLElement | null>;
}

/**
 * Opens the modules around a newly picked operator, tensor or redistribution, and scrolls to it.
 */
export function useBoardReveal({ compiled, view, layout, scroller }: Given): void {
  const chosen = useApp((state) => state.chosen);
  const store = useAppStore();
  const opened = useRef<Selection | undefined>(undefined);
  const seen = useRef<Selection | undefined>(undefined);
  useEffect(() => {
    if (chosen === undefined || chosen === seen.current) return;
    const see = (place: BoardRowBox | undefined) => {
      if (place === undefined) return false;
      seen.current = chosen;
      if (scroller.current !== null) sightOf(scroller.current, place);
      return true;
    };
    if (see(placeOf(layout, chosen))) return;
    // A tensor without a place of its own is shown at the row of its reader or producer.
    if (opened.current === chosen) {
      const home = homeOf(compiled, chosen);
      see(home && placeOf(layout, { operator: home }));
      return;
    }
    opened.current = chosen;
    if (openModulesTo(store, compiled, view, chosen)) return;
    const home = homeOf(compiled, chosen);
    see(home && placeOf(layout, { operator: home }));
  }, [chosen, compiled, view, layout, scroller, store]);
}

/** Row of a selection on the board; `undefined` if it has no place of its own. */
function placeOf({ rows }: BoardLayout, { operator, tensor, redistribution }: Selection) {
  for (const row of rows) {
    if (redistribution !== undefined) {
      const isHere = row.pills.some(
        (pill) => pill.redistribution === redistribution || pill.others.includes(redistribution),
      );
      if (isHere) return row;
    } else if (operator !== undefined) {
      if (row.cards.some((card) => card.operator === operator)) return row;
    } else if (tensor !== undefined && row.cards.some((card) => card.tensor === tensor)) return row;
  }
  return undefined;
}
