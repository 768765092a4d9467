import type { StateCreator } from "zustand/vanilla";
import type { PlanAnswer, Planner, PlanStage, Reply } from "#app/engine";
import { type CompiledSlice, shownOf } from "./compiled-slice.ts";
import type { DocumentSlice } from "./document-slice.ts";
import { planLabel, plannedSentence } from "./planned-words.ts";
import type { ViewSlice } from "./view-slice.ts";

/** A plan that was found. */
export type Planned = Extract<PlanAnswer, { kind: "planned" }>;

/** The search for the fastest plan of the present text. */
export type PlanningStatus =
  /** With why there is no result, where one was asked for. */
  | { readonly kind: "idle"; readonly note?: string }
  | { readonly kind: "searching"; readonly stage: PlanStage }
  /** `of` is the text that was planned: the result holds of it, and once it is applied. */
  | { readonly kind: "done"; readonly of: string; readonly planned: Planned }
  | {
      readonly kind: "infeasible";
      readonly message: string;
      readonly leastBytes?: number;
      readonly limit: number | undefined;
    };

export interface PlannerSlice {
  readonly planning: PlanningStatus;
  readonly isPlannerOpen: boolean;
  /** Bytes that a device may hold; what the hardware has when unsaid, no limit when 0. */
  readonly memoryLimit: number | undefined;
  readonly openPlanner: (isOpen: boolean) => void;
  readonly limitMemory: (bytes: number | undefined) => void;
  /** Plans the present text; a search under way is given up. */
  readonly startPlan: () => Promise<void>;
  readonly cancelPlan: () => void;
  /** Writes the plan that was found into the text: one entry of the log. */
  readonly applyPlan: () => void;
  /** The text is another one: what was found holds of it only if it is one of the two. */
  readonly forgetPlan: () => void;
}

/** What the slice reads and calls of the whole state. */
export type PlannerFields = PlannerSlice &
  Pick<DocumentSlice, "document" | "commit"> &
  Pick<CompiledSlice, "compiled"> &
  Pick<ViewSlice, "say">;

/** Plans of the present text; each search ends in one sentence, which is also read out. */
export function plannerSlice(
  planner: Planner | undefined,
): StateCreator<PlannerFields, [], [], PlannerSlice> {
  return (set, get) => ({
    planning: { kind: "idle" },
    isPlannerOpen: false,
    memoryLimit: undefined,
    openPlanner: (isPlannerOpen) => set({ isPlannerOpen }),
    limitMemory: (memoryLimit) => set({ memoryLimit }),
    startPlan: async () => {
      if (planner === undefined) return;
      const { source } = get().document;
      const limit = limitOf(get());
      set({ planning: { kind: "searching", stage: "reading" }, isPlannerOpen: true });
      const asked = { source, ...(limit !== undefined && { memoryLimit: limit }) };
      const reply = await planner.plan(asked, (stage) =>
        set({ planning: { kind: "searching", stage } }),
      );
      if (reply.kind === "superseded") return;
      const planning = statusOf(reply, source, limit);
      set({ planning });
      get().say({ kind: "said", text: sentenceOf(planning) });
    },
    cancelPlan: () => {
      planner?.stop();
      const note = "The search is cancelled. The text stays as it is.";
      set({ planning: { kind: "idle", note } });
      get().say({ kind: "said", text: note });
    },
    applyPlan: () => {
      const { planning, commit } = get();
      if (planning.kind !== "done" || planning.planned.source === undefined) return;
      commit(planning.planned.source, planLabel(planning.planned));
    },
    forgetPlan: () => {
      const { planning, document } = get();
      if (planning.kind === "idle") return;
      if (planning.kind === "done") {
        const { of, planned } = planning;
        if (document.source === of || document.source === planned.source) return;
      }
      planner?.stop();
      set({ planning: { kind: "idle", note: "The text is another one now." } });
    },
  });
}

/** What a device may hold: as it is said, else what the hardware has. */
export function limitOf({
  memoryLimit,
  compiled,
}: Pick<PlannerFields, "memoryLimit" | "compiled">): number | undefined {
  if (memoryLimit !== undefined) return memoryLimit > 0 ? memoryLimit : undefined;
  return shownOf(compiled)?.hardware.memoryBytes;
}

type Ended = Exclude<Reply<PlanAnswer>, { kind: "superseded" }>;

function statusOf(reply: Ended, of: string, limit: number | undefined): PlanningStatus {
  if (reply.kind === "failed") {
    return { kind: "idle", note: `The planner failed: ${reply.message}` };
  }
  const { value } = reply;
  switch (value.kind) {
    case "planned":
      return { kind: "done", of, planned: value };
    case "infeasible":
      return { ...value, limit };
    case "refused":
      return { kind: "idle", note: value.message };
  }
}

function sentenceOf(planning: PlanningStatus): string {
  switch (planning.kind) {
    case "idle":
      return planning.note ?? "";
    case "searching":
      return "Looking for the fastest plan.";
    case "done":
      return plannedSentence(planning.planned);
    case "infeasible":
      return `No plan: ${planning.message}.`;
  }
}
