import type { StateCreator } from "zustand/vanilla";
import type { Engine, Reply } from "#app/engine";
import { type CanvasLayout, forwardOnly } from "#app/scene/graph";
import type { Compiled } from "#compile";
import type { CompiledSlice } from "./compiled-slice.ts";
import { type LaidOutDrawing, laidOutDrawing } from "./laid-out-drawing.ts";
import type { ViewSlice } from "./view-slice.ts";

export interface PlaceSlice {
  /**
   * Keys of the expanded runs of equal blocks; all other runs are drawn as one card. With
   * `forwardOnly` among them, training operators are not drawn.
   */
  readonly openRuns: ReadonlySet<string>;
  /** Open runs in which a gesture changes only that run, not all blocks equal to it. */
  readonly singleRuns: ReadonlySet<string>;
  /** The last layout; it may briefly belong to an older drawing. */
  readonly laidOut: LaidOutDrawing | undefined;
  /** Requests a layout; the caller has already counted it in `pending`. */
  readonly place: () => Promise<void>;
  readonly openRun: (key: string) => void;
  readonly closeRun: (key: string) => void;
  /** Sets whether gestures in an open run change only that run. */
  readonly changeAlone: (key: string, isAlone: boolean) => void;
  /** Resets open runs and positions for another document; hidden training steps stay hidden. */
  readonly forgetPlaces: () => void;
}

type Fields = PlaceSlice & CompiledSlice & Pick<ViewSlice, "say">;

const none: ReadonlySet<string> = new Set();

/** Positions on the canvas, from the worker; not part of the plan or of undo. */
export function placeSlice(
  engine: Engine,
  isForwardOnly: boolean,
): StateCreator<Fields, [], [], PlaceSlice> {
  return (set, get) => {
    const openOnly = (openRuns: ReadonlySet<string>) => {
      set((state) => ({ openRuns, pending: state.pending + 1 }));
      void get().place();
    };
    return {
      openRuns: isForwardOnly ? new Set([forwardOnly]) : none,
      singleRuns: none,
      laidOut: undefined,
      place: async () => {
        const { drawing, openRuns } = get();
        if (drawing === undefined) {
          set((state) => ({ pending: state.pending - 1 }));
          return;
        }
        const asked = { source: drawing.of.source, open: [...openRuns] };
        const reply = await engine.ask("layout", asked);
        set((state) => ({ pending: state.pending - 1, ...placedBy(state, drawing.of, reply) }));
        if (reply.kind === "failed") {
          get().say({ kind: "refused", text: `The graph could not be laid out: ${reply.message}` });
        }
      },
      openRun: (key) => openOnly(new Set(get().openRuns).add(key)),
      closeRun: (key) => {
        set({ singleRuns: without(get().singleRuns, key) });
        openOnly(without(get().openRuns, key));
      },
      changeAlone: (key, isAlone) => {
        const others = without(get().singleRuns, key);
        set({ singleRuns: isAlone ? new Set(others).add(key) : others });
      },
      forgetPlaces: () =>
        set(({ openRuns }) => ({
          openRuns: openRuns.has(forwardOnly) ? new Set([forwardOnly]) : none,
          singleRuns: none,
          laidOut: undefined,
        })),
    };
  };
}

function without(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  return new Set([...keys].filter((each) => each !== key));
}

/** The state after a layout reply; a reply for an older drawing is ignored. */
function placedBy(
  { drawing, laidOut }: Fields,
  of: Compiled,
  reply: Reply<CanvasLayout>,
): Partial<PlaceSlice> {
  if (reply.kind !== "done" || drawing === undefined || drawing.of !== of) return {};
  return { laidOut: laidOutDrawing(laidOut, drawing, reply.value) };
}
