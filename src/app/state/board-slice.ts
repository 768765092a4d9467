import type { StateCreator } from "zustand/vanilla";
import type { PlanDrawing } from "#app/scene/board";

/** The reader's view of the board by rows; part of no plan and of no undo. */
export interface BoardPlace {
  /** Keys of open modules; `undefined` (as many as fit) until the reader opens or closes one. */
  readonly open: ReadonlySet<string> | undefined;
  /** The zoom; `undefined` (as fits) until the reader zooms. */
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
  /** Publishes the open modules for other lists of the same modules. */
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
