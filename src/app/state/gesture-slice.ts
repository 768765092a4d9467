import type { StateCreator } from "zustand/vanilla";
import type { Engine, Preview, Reply } from "#app/engine";
import type { Reader } from "#compile";
import type { TensorId } from "#core/ir";
import type { Gesture } from "#edit";
import type { BoardSlice } from "./board-slice.ts";
import { type CompiledSlice, shownOf } from "./compiled-slice.ts";
import type { DocumentSlice } from "./document-slice.ts";
import type { PlaceSlice } from "./place-slice.ts";
import { chosenReader, withReader } from "./shown-states.ts";
import type { DimTarget, ViewSlice } from "./view-slice.ts";

/** Previewed effects of gestures on one version of the text. */
export interface Previews {
  readonly source: string;
  readonly known: readonly Preview[];
}

export interface GestureSlice {
  /** The dim whose list of choices is open. */
  readonly choosing: DimTarget | undefined;
  readonly previews: Previews;
  /**
   * Writes a gesture into the text, in the order of the calls. If it cannot, shows a notice and
   * returns the reason.
   */
  readonly gesture: (gesture: Gesture, how?: GestureManner) => Promise<string | undefined>;
  /** Previews gestures; the answers appear in `previews`. */
  readonly preview: (gestures: readonly Gesture[]) => Promise<void>;
  readonly choose: (target: DimTarget | undefined) => void;
  /**
   * Shows and edits an input or parameter in the layout that a reader holds, or at rest if `reader`
   * is `undefined`.
   */
  readonly showAs: (tensor: TensorId, reader: Reader | undefined) => void;
}

/** How a gesture is entered in the history. */
export interface GestureManner {
  /** Whether the gesture continues the previous one, so that both form one entry. */
  readonly continues?: boolean;
}

type Fields = GestureSlice &
  Pick<DocumentSlice, "document" | "commit" | "amend"> &
  Pick<CompiledSlice, "compiled" | "pending"> &
  Pick<PlaceSlice, "singleRuns" | "openRuns"> &
  Pick<BoardSlice, "planDrawing"> &
  Pick<ViewSlice, "say" | "armAxis" | "readers" | "notice">;

/**
 * The gesture on the tensor's drawn state (at rest or as a reader holds it), unless it names a
 * reader itself.
 */
function onShown<G extends Gesture>({ compiled, readers }: Fields, gesture: G): G {
  if (!("tensor" in gesture) || gesture.reader !== undefined) return gesture;
  const reader = chosenReader(shownOf(compiled), readers, gesture.tensor);
  return reader === undefined ? gesture : { ...gesture, reader };
}

/** The text on screen, with the folding and drawing options. */
function onScreen({ document, singleRuns, openRuns, planDrawing }: Fields) {
  const drawn = { open: [...openRuns], drawing: planDrawing };
  return { source: document.source, single: [...singleRuns], ...drawn };
}

/** State of direct edits; a drag, a click and a key make the same edit. */
export function gestureSlice(engine: Engine): StateCreator<Fields, [], [], GestureSlice> {
  return (set, get) => {
    let queue: Promise<unknown> | undefined;
    return {
      choosing: undefined,
      previews: { source: "", known: [] },
      gesture: async (asked, how = {}) => {
        const before = queue;
        const gesture = onShown(get(), asked);
        set((state) => ({ pending: state.pending + 1, choosing: undefined }));
        const done = (async () => {
          if (before !== undefined) await before;
          return writeGesture(engine, get, gesture, how);
        })();
        queue = done;
        const reason = await done;
        if (queue === done) queue = undefined;
        set((state) => ({ pending: state.pending - 1 }));
        return reason;
      },
      preview: async (gestures) => {
        const { source } = get().document;
        const asked: Previews = { source, known: [] };
        const { readers, singleRuns } = get();
        set({ previews: asked });
        const meant = gestures.map((gesture) => [gesture, onShown(get(), gesture)] as const);
        const ask: Ask = (gesture) =>
          engine.ask("preview", { source, gestures: [gesture], single: [...singleRuns] });
        await previewEach(ask, asked, meant, {
          isWanted: (previews) =>
            get().previews === previews &&
            get().document.source === source &&
            get().readers === readers &&
            get().singleRuns === singleRuns,
          show: (previews) => set({ previews }),
        });
      },
      choose: (choosing) => set({ choosing }),
      showAs: (tensor, reader) =>
        set(({ readers }) => ({
          readers: withReader(readers, tensor, reader),
          previews: { source: "", known: [] },
          choosing: undefined,
          notice: undefined,
        })),
    };
  };
}

/**
 * Writes a gesture into the text on screen and shows a notice; returns the reason if nothing was
 * written.
 */
async function writeGesture(
  engine: Engine,
  get: () => Fields,
  gesture: Gesture,
  { continues }: GestureManner,
): Promise<string | undefined> {
  const { source } = get().document;
  const reply = await engine.ask("gesture", { ...onScreen(get()), gesture });
  if (reply.kind === "failed") {
    get().say({ kind: "refused", text: faultText(reply.message) });
    return reply.message;
  }
  if (reply.kind !== "done" || get().document.source !== source) return changedMeanwhile;
  const { outcome } = reply.value;
  if (!outcome.ok) {
    const { reason: text, instead } = outcome;
    get().say({ kind: "refused", text, ...(instead !== undefined && { instead }) });
    return text;
  }
  if ("tensor" in gesture) get().armAxis(undefined);
  if (continues === true) get().amend(outcome.source, outcome.label);
  else get().commit(outcome.source, outcome.label);
  const { label, note } = outcome;
  get().say({ kind: "said", text: note === undefined ? label : `${label}, as placed: ${note}` });
  return undefined;
}

const changedMeanwhile = "the text has changed: try again";

type Ask = (gesture: Gesture) => Promise<Reply<readonly Preview[]>>;

/**
 * Previews gestures one at a time, so that a newer question never waits for many older ones. Each
 * result is stored under the gesture as asked, not as redirected to a reader.
 */
async function previewEach(
  ask: Ask,
  begun: Previews,
  gestures: readonly (readonly [asked: Gesture, meant: Gesture])[],
  on: { isWanted: (previews: Previews) => boolean; show: (previews: Previews) => void },
): Promise<void> {
  let previews = begun;
  for (const [gesture, meant] of gestures) {
    const reply = await ask(meant);
    if (reply.kind !== "done" || !on.isWanted(previews)) return;
    const found = reply.value.map((preview) => ({ ...preview, gesture }));
    previews = { source: previews.source, known: [...previews.known, ...found] };
    on.show(previews);
  }
}

function faultText(message: string): string {
  return `The edit could not be worked out: ${message}`;
}
