import type {
  MixedPlan,
  PartEffect,
  PartRow,
  PlanCost,
  Planned,
  PlanShortage,
  PlanStage,
  SplitOption,
  SurveyRow,
  WhatIf,
} from "#app/engine";
import type { BoardSlice } from "../board-slice.ts";
import { type CompiledSlice, shownOf } from "../compiled-slice.ts";
import type { DocumentSlice } from "../document-slice.ts";
import type { ViewSlice } from "../view-slice.ts";

/** The note after a search that was cancelled before it found a plan. */
export const cancelled = "The search is cancelled. The text stays as it is.";

/** A plan that the planner found for a text, under its what-if values. */
export interface FoundPlan {
  /** The text that was planned; the plan stays valid when it is written into that text. */
  readonly of: string;
  readonly planned: Planned;
  readonly whatIf: WhatIf;
  /** Set if the reader stopped the search before its proof. */
  readonly isStopped?: true;
  /** The plan found before for the same text under other what-if values. */
  readonly beside?: Planned;
  /** The text with the whole plan, if only a part of it was applied. */
  readonly whole?: string;
}

/** The search for the fastest plan of the present text. */
export type PlanningStatus =
  /** `note` is the reason why a search gave no result. */
  | { readonly kind: "idle"; readonly note?: string }
  /** `best` is the best plan so far, `last` the plan found before under other what-if values. */
  | {
      readonly kind: "searching";
      /** The text that is being planned. */
      readonly of: string;
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
      /** Set while remedies are still being tried. */
      readonly isExplaining?: true;
      readonly limit: number | undefined;
      readonly last?: FoundPlan;
    };

/** The best plans of one text on several meshes or under several memory limits. */
export interface SurveyStatus {
  readonly kind: "idle" | "running" | "done";
  /** The text that is being planned. */
  readonly of: string;
  readonly rows: readonly SurveyRow[];
  readonly done: number;
  readonly total: number;
  /** Seconds and bytes of the text's own plan. */
  readonly own: PlanCost | undefined;
  readonly note: string | undefined;
}

/** The quantity that a survey varies: the mesh, or the memory limit per device. */
export type SurveyKind = "meshes" | "limits";

/** The ways to split one operator, each with the best whole plan that uses it. */
export interface SplitOptionsStatus {
  readonly kind: "running" | "done";
  /** The text that is being planned, and its what-if values. */
  readonly of: string;
  readonly whatIf: WhatIf;
  /** The operator's name. */
  readonly operator: string;
  readonly ways: readonly SplitOption[];
  readonly done: number;
  readonly total: number;
  /** Ways for which there is no plan, with the reason. */
  readonly unavailable: readonly string[];
  readonly note?: string;
}

/** The parts of a found plan, and the keys of the parts left out. */
export interface PartsStatus {
  readonly kind: "running" | "done";
  /** The planned text, the text with the whole plan, and the what-if values. */
  readonly of: string;
  readonly whole: string;
  readonly whatIf: WhatIf;
  readonly left: ReadonlySet<string>;
  readonly parts: readonly PartRow[];
  readonly effects: ReadonlyMap<string, PartEffect>;
  /** The plan without the left-out parts; absent until it is evaluated. */
  readonly mixed?: MixedPlan;
  readonly note?: string;
}

export interface PlannerSlice {
  readonly planning: PlanningStatus;
  readonly isPlannerOpen: boolean;
  /** Memory limit per device in bytes; the hardware's memory if absent, no limit if 0. */
  readonly memoryLimit: number | undefined;
  /** Values tried in place of those of the text and its hardware. */
  readonly whatIf: WhatIf;
  readonly surveys: Readonly<Partial<Record<SurveyKind, SurveyStatus>>>;
  /** Absent until an operator's ways are requested. */
  readonly ways: SplitOptionsStatus | undefined;
  /** Absent until the parts of a plan are shown. */
  readonly parts: PartsStatus | undefined;
  /** Whether the plan panel stays in place while tensors are selected. */
  readonly isPlanPinned: boolean;
  /**
   * The selection at the time the plan was shown: the plan replaces the tensor panel until
   * something else is picked. `undefined` while the tensor panel is shown.
   */
  readonly planShownAt: { readonly chosen: ViewSlice["chosen"] } | undefined;
  /** Lines that an applied plan has written and that are unchanged since. */
  readonly plannedLines: ReadonlySet<string>;
  /** The operators and tensors that those lines set. */
  readonly plannedIds: ReadonlySet<string>;
  readonly openPlanner: (isOpen: boolean) => void;
  /** Shows the plan or the tensor in the panel beside the canvas. */
  readonly showPlan: (isShown: boolean) => void;
  readonly pinPlan: (isPinned: boolean) => void;
  readonly limitMemory: (bytes: number | undefined) => void;
  /** Plans the present text; a search under way is stopped. */
  readonly startPlan: () => Promise<void>;
  /** Ends a search; the best plan so far stays. */
  readonly cancelPlan: () => void;
  /** Further actions of the planner, loaded at the first call; `undefined` if loading fails. */
  readonly planDesk: () => Promise<PlanDesk | undefined>;
  /**
   * Drops results that belong neither to the present text nor to the text before the plan was
   * applied.
   */
  readonly forgetPlan: () => void;
}

/** The part of the state that the slice reads and calls. */
export type PlannerFields = PlannerSlice &
  Pick<DocumentSlice, "document" | "commit"> &
  Pick<CompiledSlice, "compiled"> &
  Pick<BoardSlice, "fitBoard"> &
  Pick<ViewSlice, "say" | "chosen" | "showSheet">;

/** Whether the panel beside the canvas shows the plan. */
export function isPlanBeside({
  isPlannerOpen,
  isPlanPinned,
  planShownAt,
  chosen,
}: Pick<PlannerFields, "isPlannerOpen" | "isPlanPinned" | "planShownAt" | "chosen">): boolean {
  if (!isPlannerOpen || planShownAt === undefined) return false;
  const isPicked = chosen?.tensor !== undefined || chosen?.operator !== undefined;
  return isPlanPinned || chosen === planShownAt.chosen || !isPicked;
}

/** The actions on surveys. */
export interface SurveyDesk {
  /** Plans the present text on every mesh with a number of devices. */
  surveyMeshes(devices: number): Promise<void>;
  /** Plans the present text on its mesh under several memory limits. */
  surveyLimits(): Promise<void>;
  /** Ends the survey; its rows stay. */
  cancelSurvey(): void;
}

/** The actions on the ways to split an operator. */
export interface WaysDesk {
  /** Finds the best whole plan for each way to split an operator of the present text. */
  weighWays(operator: string): Promise<void>;
  /** Ends that search; the ways found so far stay. */
  cancelWays(): void;
}

/** The actions on the parts of a plan. */
export interface PartsDesk {
  /** Evaluates the parts of a found plan, with some of them left out. */
  weighParts(found: FoundPlan, left: ReadonlySet<string>): Promise<void>;
}

/** The actions on plans, beyond those of the slice. */
export interface PlanDesk extends SurveyDesk, WaysDesk, PartsDesk {
  /** Plans the present text under the what-if values. */
  plan(): Promise<void>;
  /** Ends the search; the best plan so far stays. */
  cancel(): void;
  /** Sets other what-if values, and plans again. */
  tryValues(whatIf: WhatIf): Promise<void>;
  /** Writes a plan into its text, as one entry of the log. */
  apply(found: FoundPlan, label?: string): void;
  forget(): void;
}

/** The part of a store that a desk works on. */
export interface DeskStore {
  readonly set: (change: Partial<PlannerFields>) => void;
  readonly get: () => PlannerFields;
  /** Memory limit per device in bytes. */
  readonly limit: () => number | undefined;
}

/**
 * Memory limit per device in bytes: the reader's limit, else the memory of the hardware;
 * `undefined` without a limit.
 */
export function memoryLimitOf({
  memoryLimit,
  compiled,
}: Pick<PlannerFields, "memoryLimit" | "compiled">): number | undefined {
  if (memoryLimit !== undefined) return memoryLimit > 0 ? memoryLimit : undefined;
  return shownOf(compiled)?.hardware.memoryBytes;
}
