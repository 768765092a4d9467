import type { StateCreator } from "zustand/vanilla";
import type {
  InspectRequest,
  InspectResult,
  RunFault,
  Runner,
  RunProgress,
  RunSettings,
  RunVerdict,
  WeightsFile,
} from "#app/engine";
import type { DocumentSlice } from "../document-slice.ts";
import type { ViewSlice } from "../view-slice.ts";
import type { PlannedFault } from "./planned-fault.ts";

interface Asked {
  /** The injected fault, if any. */
  readonly fault?: RunFault;
}

/**
 * The run of the present text compared with its unsharded program; any edit resets it to `none`.
 */
export type RunStatus =
  | { readonly kind: "none" }
  | (Asked & { readonly kind: "running"; readonly progress: RunProgress })
  | (Asked & { readonly kind: "done"; readonly verdict: RunVerdict })
  | (Asked & { readonly kind: "failed"; readonly message: string });

export interface RunSlice {
  readonly run: RunStatus;
  /** The fault for the next requested run; from a link, or chosen by the user. */
  readonly plannedFault: PlannedFault | undefined;
  /** Whether steps are shown with the values of the last run. */
  readonly areValuesShown: boolean;
  readonly runSettings: RunSettings;
  /** Whether the side of a wide page shows the run instead of mesh and tensor. */
  readonly isRunShown: boolean;
  /** Runs the present text, optionally with an injected fault; a run under way is stopped. */
  readonly startRun: (fault?: RunFault) => Promise<void>;
  /** Stops the run under way. */
  readonly cancelRun: () => void;
  readonly showRun: (isRunShown: boolean) => void;
  /** Chooses the fault, without a run. */
  readonly planFault: (fault: PlannedFault) => void;
  readonly showValues: (areValuesShown: boolean) => void;
  /** Drops the results of the last run, after the text has changed. */
  readonly forgetRun: () => void;
  /** Changes the settings of the next run. */
  readonly setRun: (change: Partial<RunSettings>) => void;
  /**
   * Sets the `.safetensors` file whose weights the next run takes, which makes it run on floats;
   * `undefined` removes the file.
   */
  readonly takeWeights: (weights: WeightsFile | undefined) => void;
  /** Reads values of the last run. */
  readonly lookAtRun: (look: InspectRequest) => Promise<InspectResult>;
}

/** The part of the state that the slice reads and calls. */
export type RunFields = RunSlice &
  Pick<DocumentSlice, "document"> &
  Pick<ViewSlice, "say" | "showSheet">;

/** Runs of the program; each ends in one sentence, which is also announced. */
export function runSlice(runner: Runner): StateCreator<RunFields, [], [], RunSlice> {
  return (set, get) => ({
    run: { kind: "none" },
    isRunShown: false,
    plannedFault: undefined,
    areValuesShown: false,
    runSettings: { engine: "webgpu", values: "integers", seed: 1, sizes: "fit", own: [] },
    startRun: async (fault) => {
      const asked = fault === undefined ? {} : { fault };
      const { document, runSettings: settings } = get();
      const running = (progress: RunProgress) =>
        set({ run: { kind: "running", ...asked, progress } });
      get().showSheet("run");
      running({ stage: "reading" });
      const reply = await runner.run({ source: document.source, settings, ...asked }, running);
      if (reply.kind === "superseded") return;
      const isDone = reply.kind === "done";
      set({ run: { ...asked, ...(isDone ? { kind: "done", verdict: reply.value } : reply) } });
      const text = isDone ? reply.value.sentence : faultSentence(reply.message);
      get().say({ kind: "said", text });
    },
    cancelRun: () => {
      runner.stop();
      set({ run: { kind: "none" } });
      get().say({ kind: "said", text: "The run is cancelled." });
    },
    showRun: (isRunShown) => set({ isRunShown }),
    planFault: (plannedFault) => set({ plannedFault }),
    showValues: (areValuesShown) => set({ areValuesShown }),
    forgetRun: () => {
      if (get().run.kind === "none") return;
      runner.stop();
      set({ run: { kind: "none" } });
    },
    setRun: (change) => set({ runSettings: { ...get().runSettings, ...change } }),
    takeWeights: (weights) => {
      const { weights: _, ...settings } = get().runSettings;
      if (weights === undefined) {
        set({ runSettings: settings });
        get().say({ kind: "said", text: "Parameters are drawn from the seed." });
        return;
      }
      set({ runSettings: { ...settings, weights, values: "floats" }, isRunShown: true });
      get().showSheet("run");
      get().say({ kind: "said", text: `The next run takes the weights of ${weights.name}.` });
    },
    lookAtRun: (look) => runner.look(look),
  });
}

/** The message after a run that ended by an internal fault. */
export function faultSentence(message: string): string {
  return `The run could not be carried out: ${message}. Your text is safe.`;
}
