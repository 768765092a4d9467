import type { StateCreator } from "zustand/vanilla";
import type { PlanDrawing } from "#app/scene/board";

/** The reader's view of the board by rows; not part of the plan or of undo. */
export interface BoardPlace {
  /** Keys of open modules; `undefined` (as many as fit) until the reader opens or closes one. */
  readonly open: ReadonlySet<string> | undefined;
  /** The zoom; `undefined` (automatic fit) until the reader zooms. */
  readonly zoom: number | undefined;
  /** Path of the shown module, by the key of the equal modules. */
  readonly runs: ReadonlyMap<string, string>;
  readonly showsViews: boolean;
  /** Number of requests to fit the board, and the text of the last one. */
  readonly fits: number;
  readonly fitsText: string;
}

export interface BoardSlice {
  /** Drawing chosen by the reader; `undefined` until then, when the size of the program decides. */
  readonly planDrawing: PlanDrawing | undefined;
  readonly board: BoardPlace;
  /** Keys of the modules open on the board: those that fit, or those the reader opened. */
  readonly openModules: ReadonlySet<string>;
  readonly drawPlan: (drawing: PlanDrawing) => void;
  /** Sets open modules or zoom, replacing the automatic fit. */
  readonly arrangeBoard: (place: Partial<Pick<BoardPlace, "open" | "zoom" | "showsViews">>) => void;
  /** Shows another one of equal modules. */
  readonly showRunOf: (key: string, path: string) => void;
  /** Fits the board again: at once, and once more after the text has been drawn. */
  readonly fitBoard: (source?: string) => void;
  /** Publishes the open modules for other lists of the same modules. */
  readonly tellOpen: (open: ReadonlySet<string>) => void;
  /** Resets the board for a newly opened document. */
  readonly forgetBoard: () => void;
}

const fresh: BoardPlace = {
  ...{ open: undefined, zoom: undefined, runs: new Map(), showsViews: false },
  ...{ fits: 0, fitsText: "" },
};

/** The arrangement of the board by rows. */
export const boardSlice: StateCreator<BoardSlice> = (set) => {
  const change = (next: (board: BoardPlace) => Partial<BoardPlace>) =>
    set(({ board }) => ({ board: { ...board, ...next(board) } }));
  return {
    planDrawing: undefined,
    board: fresh,
    openModules: new Set(),
    drawPlan: (planDrawing) => set({ planDrawing }),
    arrangeBoard: (place) => change(() => place),
    showRunOf: (key, path) => change(({ runs }) => ({ runs: new Map(runs).set(key, path) })),
    fitBoard: (source) =>
      change(({ fits, fitsText }) => ({
        ...{ open: undefined, zoom: undefined, fits: fits + 1, fitsText: source ?? fitsText },
      })),
    tellOpen: (openModules) => set({ openModules }),
    forgetBoard: () =>
      set(({ board }) => ({
        planDrawing: undefined,
        openModules: new Set(),
        board: { ...fresh, showsViews: board.showsViews, fits: board.fits + 1 },
      })),
  };
};
