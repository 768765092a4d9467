import type { StateCreator } from "zustand/vanilla";
import type { Engine, Preview } from "#app/engine";
import type { Gesture } from "#compile";
import type { DocumentSlice } from "./document-slice.ts";
import type { DimTarget, ViewSlice } from "./view-slice.ts";

/** What gestures would do, for the text they were asked of. */
export interface Previews {
  readonly source: string;
  readonly known: readonly Preview[];
}

export interface GestureSlice {
  /** The dim whose choices are open. */
  readonly choosing: DimTarget | undefined;
  readonly previews: Previews;
  /** Writes a gesture into the text, or says why it cannot be. */
  readonly gesture: (gesture: Gesture) => Promise<void>;
  /** Asks what gestures would do; the answers appear in `previews`. */
  readonly preview: (gestures: readonly Gesture[]) => Promise<void>;
  readonly choose: (target: DimTarget | undefined) => void;
}

type Fields = GestureSlice &
  Pick<DocumentSlice, "document" | "commit"> &
  Pick<ViewSlice, "say" | "armAxis"> & { readonly pending: number };

/** Edits of the text by hand: the same edit from a drag, a click or a key. */
export function gestureSlice(engine: Engine): StateCreator<Fields, [], [], GestureSlice> {
  return (set, get) => ({
    choosing: undefined,
    previews: { source: "", known: [] },
    gesture: async (gesture) => {
      const { source } = get().document;
      set((state) => ({ pending: state.pending + 1, choosing: undefined }));
      const reply = await engine.gesture(source, gesture);
      if (reply.kind === "failed") get().say({ kind: "refused", text: faultText(reply.message) });
      if (reply.kind === "done" && get().document.source === source) {
        const outcome = reply.value;
        if (outcome.ok) {
          get().armAxis(undefined);
          get().commit(outcome.source, outcome.label, outcome.selection);
          get().say({ kind: "said", text: outcome.label });
        } else get().say({ kind: "refused", text: outcome.reason });
      }
      set((state) => ({ pending: state.pending - 1 }));
    },
    preview: async (gestures) => {
      const { source } = get().document;
      const asked: Previews = { source, known: [] };
      set({ previews: asked });
      await previewEach(engine, asked, gestures, {
        isWanted: (previews) => get().previews === previews && get().document.source === source,
        show: (previews) => set({ previews }),
      });
    },
    choose: (choosing) => set({ choosing }),
  });
}

/** One gesture at a time, so that a newer question never waits for many older ones. */
async function previewEach(
  engine: Engine,
  begun: Previews,
  gestures: readonly Gesture[],
  on: { isWanted: (previews: Previews) => boolean; show: (previews: Previews) => void },
): Promise<void> {
  let previews = begun;
  for (const gesture of gestures) {
    const reply = await engine.preview(previews.source, [gesture]);
    if (reply.kind !== "done" || !on.isWanted(previews)) return;
    previews = { source: previews.source, known: [...previews.known, ...reply.value] };
    on.show(previews);
  }
}

function faultText(message: string): string {
  return `The edit could not be worked out: ${message}`;
}
