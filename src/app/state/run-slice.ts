import type { StateCreator } from "zustand/vanilla";
import type { Reply, Runner, RunStage, RunVerdict } from "#app/engine";
import type { PlacedCollective } from "#app/scene";
import type { DocumentSlice } from "./document-slice.ts";
import { faultSentence, runSentence } from "./run-words.ts";
import type { ViewSlice } from "./view-slice.ts";

/** The run of the present text beside its unsharded program; any edit forgets it. */
export type RunStatus =
  | { readonly kind: "none" }
  | { readonly kind: "running"; readonly without?: PlacedCollective; readonly stage: RunStage }
  | { readonly kind: "done"; readonly without?: PlacedCollective; readonly verdict: RunVerdict }
  | { readonly kind: "failed"; readonly without?: PlacedCollective; readonly message: string };

export interface RunSlice {
  readonly run: RunStatus;
  /** Runs the present text, perhaps without one collective; a run under way is given up. */
  readonly startRun: (without?: PlacedCollective) => Promise<void>;
  /** Gives up the run under way. */
  readonly cancelRun: () => void;
  /** The text is another one: what was said of it holds no more. */
  readonly forgetRun: () => void;
}

/** What the slice reads and calls of the whole state. */
export type RunFields = RunSlice & Pick<DocumentSlice, "document"> & Pick<ViewSlice, "say">;

/** Runs of the program; each ends in one sentence, which is also read out. */
export function runSlice(runner: Runner): StateCreator<RunFields, [], [], RunSlice> {
  return (set, get) => ({
    run: { kind: "none" },
    startRun: async (without) => {
      const asked = without === undefined ? {} : { without };
      const { source } = get().document;
      const request = without === undefined ? { source } : { source, without: without.step };
      set({ run: { kind: "running", ...asked, stage: "reading" } });
      const reply = await runner.run(request, (stage) =>
        set({ run: { kind: "running", ...asked, stage } }),
      );
      if (reply.kind === "superseded") return;
      set({ run: { ...asked, ...statusOf(reply) } });
      get().say({ kind: "said", text: sentenceOf(reply, without) });
    },
    cancelRun: () => {
      runner.stop();
      set({ run: { kind: "none" } });
      get().say({ kind: "said", text: "The check is cancelled." });
    },
    forgetRun: () => {
      if (get().run.kind === "none") return;
      runner.stop();
      set({ run: { kind: "none" } });
    },
  });
}

type Ended = Exclude<Reply<RunVerdict>, { kind: "superseded" }>;

function statusOf(reply: Ended) {
  return reply.kind === "done" ? { kind: "done" as const, verdict: reply.value } : reply;
}

function sentenceOf(reply: Ended, without: PlacedCollective | undefined): string {
  return reply.kind === "done"
    ? runSentence(reply.value, without?.collective)
    : faultSentence(reply.message);
}
