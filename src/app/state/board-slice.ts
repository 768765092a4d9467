import type { StateCreator } from "zustand/vanilla";
import type { PlanDrawing } from "#app/scene/board";

/** How the board by rows is looked at; part of no plan and of no undo. */
export interface BoardPlace {
  /** Keys of modules that are open; what fits, while the reader has not opened or closed any. */
  readonly open: ReadonlySet<string> | undefined;
  /** What fits, while the reader has not zoomed. */
  readonly zoom: number | undefined;
  /** By the key of equal modules, the path of the one that is shown. */
  readonly runs: ReadonlyMap<string, string>;
  readonly showsViews: boolean;
  /** How often it was asked to fit, and for which text last. */
  readonly fits: number;
  readonly fitsText: string;
}

export interface BoardSlice {
  /** As the reader chose; by the size of the program until then. */
  readonly planDrawing: PlanDrawing | undefined;
  readonly board: BoardPlace;
  /** Keys of modules that are open where the board is drawn: what fits there, or what was opened. */
  readonly openModules: ReadonlySet<string>;
  readonly drawPlan: (drawing: PlanDrawing) => void;
  /** Opens and closes modules, or zooms, in place of what fits. */
  readonly arrangeBoard: (place: Partial<Pick<BoardPlace, "open" | "zoom" | "showsViews">>) => void;
  /** Shows another one of equal modules. */
  readonly showRunOf: (key: string, path: string) => void;
  /** Fits the board again: now, and once more when the text has been drawn. */
  readonly fitBoard: (source?: string) => void;
  /** Says what is open, to whoever shows the same modules elsewhere. */
  readonly tellOpen: (open: ReadonlySet<string>) => void;
  /** Another document has been opened. */
  readonly forgetBoard: () => void;
}

const fresh: BoardPlace = {
  ...{ open: undefined, zoom: undefined, runs: new Map(), showsViews: false },
  ...{ fits: 0, fitsText: "" },
};

/** The board by rows, as the reader has arranged it. */
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
