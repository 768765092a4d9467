import {
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Size } from "#app/scene";
import { type BoardView, boardLayout } from "#app/scene/board";
import { isStale } from "#app/state";
import type { Compiled } from "#compile";
import { createGlyphBitmaps, GlyphBitmapsContext } from "../canvas/glyph-bitmaps.ts";
import { useBoardMarks } from "../compare/difference-context.ts";
import { digitKeys } from "../gesture/card-keys.ts";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { useApp, useAppStore } from "../store-context.tsx";
import { BoardFoot } from "./BoardFoot.tsx";
import { BoardMinimap } from "./BoardMinimap.tsx";
import { BoardPage } from "./BoardPage.tsx";
import { minimapAside } from "./minimap-size.ts";
import { moduleAt } from "./module-at.ts";
import { useBoardReveal } from "./use-board-reveal.ts";
import { useBoardView } from "./use-board-view.ts";
import { useKeepPlace } from "./use-keep-place.ts";
import { useRoom } from "./use-room.ts";

const Hint = lazy(async () => ({ default: (await import("../canvas/Hint.tsx")).Hint }));

interface Props {
  readonly compiled: Compiled;
}

const zooms = [0.3, 0.4, 0.5, 0.62, 0.75, 0.88, 1, 1.2] as const;

/** Program by rows: one row per operator, modules as frames, gradients beside. */
export function Board({ compiled }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const room = useRoom(scroller);
  const stale = useApp(isStale);
  const [bitmaps] = useState(createGlyphBitmaps);
  return (
    <GlyphBitmapsContext.Provider value={bitmaps}>
      <section className={`canvas board ${stale ? "is-stale" : ""}`} aria-label="Board">
        <div className="bscroll" ref={scroller}>
          {room !== undefined && <Arranged {...{ compiled, room, scroller }} />}
        </div>
        <Suspense>
          <Hint />
        </Suspense>
      </section>
    </GlyphBitmapsContext.Provider>
  );
}

interface ArrangedProps extends Props {
  readonly room: Size;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

function Arranged({ compiled, room, scroller }: ArrangedProps) {
  const view = useBoardView(compiled, room);
  const layout = useMemo(() => {
    const scrolling = { height: room.height, aside: minimapAside };
    return boardLayout(compiled, room.width, view, scrolling);
  }, [compiled, room, view]);
  const marks = useBoardMarks(compiled, layout);
  const { toggle, zoomBy, fit } = useArranging(view);
  useBoardReveal({ compiled, view, layout, scroller });
  useTellOpen(view.open);
  const keep = useKeepPlace(scroller, layout);
  const store = useAppStore();
  const toggleInPlace = useCallback(
    (module: string) => {
      keep(module);
      toggle(module);
    },
    [keep, toggle],
  );
  const fold = () => {
    const module = moduleAt(layout);
    if (module !== undefined) toggleInPlace(module);
  };
  useLetterKeys({
    f: fit,
    g: fold,
    "+": () => zoomBy(1),
    "-": () => zoomBy(-1),
    ...digitKeys(store),
  });
  return (
    <>
      <BoardPage {...{ layout, scroller, room, marks }} toggle={toggleInPlace} />
      {layout.height > room.height + 1 && <BoardMinimap {...{ layout, room, scroller }} />}
      <BoardFoot layout={layout} zoom={view.zoom} zoomBy={zoomBy} fit={fit} />
    </>
  );
}

/**
 * Puts the open modules into the store, so that lists of modules beside the board open the same
 * ones.
 */
function useTellOpen(open: BoardView["open"]): void {
  const tell = useApp((state) => state.tellOpen);
  useEffect(() => tell(open), [open, tell]);
}

/** Actions that open, fold, zoom and fit the board, relative to the view that is drawn. */
function useArranging(view: BoardView) {
  const store = useAppStore();
  const current = useRef(view);
  current.current = view;
  return useMemo(() => {
    const toggle = (module: string) => {
      const open = new Set(current.current.open);
      if (!open.delete(module)) open.add(module);
      store.getState().arrangeBoard({ open });
    };
    const zoomBy = (by: 1 | -1) => {
      const { zoom, open } = current.current;
      const next =
        by > 0
          ? zooms.find((each) => each > zoom + 0.01)
          : zooms.findLast((each) => each < zoom - 0.01);
      if (next === undefined) return;
      const isKept = zoom < 0.35 || next < 0.35;
      store.getState().arrangeBoard(isKept ? { zoom: next } : { zoom: next, open });
    };
    const fit = () => store.getState().fitBoard();
    return { toggle, zoomBy, fit };
  }, [store]);
}
