import type { Planned, PlanShortage, PlanStage, SurveyRow, Taken, Way, WhatIf } from "#app/engine";
import { type CompiledSlice, shownOf } from "./compiled-slice.ts";
import type { DocumentSlice } from "./document-slice.ts";
import type { ViewSlice } from "./view-slice.ts";

/** What is said of a search that was ended before it had found anything. */
export const cancelled = "The search is cancelled. The text stays as it is.";

/** A plan of a text, and under which values it was found. */
export interface FoundPlan {
  /** The text that was planned: the result holds of it, and once it is applied. */
  readonly of: string;
  readonly planned: Planned;
  readonly whatIf: WhatIf;
  /** The search was stopped before it had proven anything. */
  readonly isStopped?: true;
  /** What was found before of the same text, under other values. */
  readonly beside?: Planned;
}

/** The search for the fastest plan of the present text. */
export type PlanningStatus =
  /** With why there is no result, where one was asked for. */
  | { readonly kind: "idle"; readonly note?: string }
  /** With the best plan so far, and what was found before under other values. */
  | {
      readonly kind: "searching";
      readonly stage: PlanStage;
      readonly best?: FoundPlan;
      readonly last?: FoundPlan;
    }
  | ({ readonly kind: "done" } & FoundPlan)
  | {
      readonly kind: "infeasible";
      readonly message: string;
      readonly leastBytes?: number;
      readonly shortage?: PlanShortage;
      /** What would do is still being tried. */
      readonly isExplaining?: true;
      readonly limit: number | undefined;
      readonly last?: FoundPlan;
    };

/** Many plans of one text. */
export interface SurveyStatus {
  readonly kind: "idle" | "running" | "done";
  /** The text that is planned. */
  readonly of: string;
  readonly rows: readonly SurveyRow[];
  readonly done: number;
  readonly total: number;
  /** What the text's own plan takes. */
  readonly own: Taken | undefined;
  readonly note: string | undefined;
}

/** On which meshes, or under which limits of memory. */
export type SurveyKind = "meshes" | "limits";

/** The ways to split one operator. */
export interface WaysStatus {
  readonly kind: "running" | "done";
  /** The text that is planned, and the values that are tried with it. */
  readonly of: string;
  readonly whatIf: WhatIf;
  /** The operator's name. */
  readonly operator: string;
  readonly ways: readonly Way[];
  readonly done: number;
  readonly total: number;
  /** Cuts that no plan has, with the reason. */
  readonly unavailable: readonly string[];
  readonly note?: string;
}

export interface PlannerSlice {
  readonly planning: PlanningStatus;
  readonly isPlannerOpen: boolean;
  /** Bytes that a device may hold; what the hardware has when unsaid, no limit when 0. */
  readonly memoryLimit: number | undefined;
  /** Values that are tried in place of those of the text and its machine. */
  readonly whatIf: WhatIf;
  readonly surveys: Readonly<Partial<Record<SurveyKind, SurveyStatus>>>;
  /** Absent until an operator's ways are asked for. */
  readonly ways: WaysStatus | undefined;
  /** Lines of the text that a plan wrote which was applied, as long as they stand as it wrote them. */
  readonly plannedLines: ReadonlySet<string>;
  /** The operators and tensors that those lines speak of. */
  readonly plannedIds: ReadonlySet<string>;
  readonly openPlanner: (isOpen: boolean) => void;
  readonly limitMemory: (bytes: number | undefined) => void;
  /** Plans the present text; a search under way is given up. */
  readonly startPlan: () => Promise<void>;
  /** Ends a search; the best plan so far stays. */
  readonly cancelPlan: () => void;
  /** What else the planner does; its code comes with the first call, `undefined` when it cannot. */
  readonly planDesk: () => Promise<PlanDesk | undefined>;
  /** The text is another one, or known better: what was found holds of it only if it is one of the two. */
  readonly forgetPlan: () => void;
}

/** What the slice reads and calls of the whole state. */
export type PlannerFields = PlannerSlice &
  Pick<DocumentSlice, "document" | "commit"> &
  Pick<CompiledSlice, "compiled"> &
  Pick<ViewSlice, "say">;

/** What is done with surveys. */
export interface SurveyDesk {
  /** Plans the present text on every mesh of so many devices. */
  surveyMeshes(devices: number): Promise<void>;
  /** Plans it on its mesh under limits of memory. */
  surveyLimits(): Promise<void>;
  /** Ends the survey; the rows that are there stay. */
  cancelSurvey(): void;
}

/** What is done with the ways of an operator. */
export interface WaysDesk {
  /** Weighs the ways to split an operator of the present text, each by its best whole plan. */
  weighWays(operator: string): Promise<void>;
  /** Ends that; the ways that are there stay. */
  cancelWays(): void;
}

/** What is done with plans. */
export interface PlanDesk extends SurveyDesk, WaysDesk {
  /** Plans the present text under the values that are tried. */
  plan(): Promise<void>;
  /** Ends the search; the best plan so far stays. */
  cancel(): void;
  /** Tries other values, and plans again. */
  tryValues(whatIf: WhatIf): Promise<void>;
  /** Writes a plan of the text into it: one entry of the log. */
  apply(found: FoundPlan, label?: string): void;
  forget(): void;
}

/** The part of a store that a desk works on. */
export interface DeskStore {
  readonly set: (change: Partial<PlannerFields>) => void;
  readonly get: () => PlannerFields;
  /** What a device may hold. */
  readonly limit: () => number | undefined;
}

/** What a device may hold: as it is said, else what the hardware has. */
export function limitOf({
  memoryLimit,
  compiled,
}: Pick<PlannerFields, "memoryLimit" | "compiled">): number | undefined {
  if (memoryLimit !== undefined) return memoryLimit > 0 ? memoryLimit : undefined;
  return shownOf(compiled)?.hardware.memoryBytes;
}
