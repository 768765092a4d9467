import type {
  MixedPlan,
  PartEffect,
  PartRow,
  Planned,
  PlanShortage,
  PlanStage,
  SurveyRow,
  Taken,
  Way,
  WhatIf,
} from "#app/engine";
import type { BoardSlice } from "../board-slice.ts";
import { type CompiledSlice, shownOf } from "../compiled-slice.ts";
import type { DocumentSlice } from "../document-slice.ts";
import type { ViewSlice } from "../view-slice.ts";

/** The note after a search that was cancelled before it had found anything. */
export const cancelled = "The search is cancelled. The text stays as it is.";

/** A plan that the planner found for a text, under its what-if values. */
export interface FoundPlan {
  /** The text that was planned; the plan stays valid when it is written into that text. */
  readonly of: string;
  readonly planned: Planned;
  readonly whatIf: WhatIf;
  /** The reader stopped the search before its proof. */
  readonly isStopped?: true;
  /** The plan that was found before for the same text under other what-if values. */
  readonly beside?: Planned;
  /** The text with all of the plan, where a part of it was applied. */
  readonly whole?: string;
}

/** The search for the fastest plan of the present text. */
export type PlanningStatus =
  /** `note` says why a search gave no result. */
  | { readonly kind: "idle"; readonly note?: string }
  /** `best` is the best plan so far, `last` the plan found before under other what-if values. */
  | {
      readonly kind: "searching";
      /** The text that is planned. */
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
      /** Remedies are still being tried. */
      readonly isExplaining?: true;
      readonly limit: number | undefined;
      readonly last?: FoundPlan;
    };

/** The best plans of one text on several meshes or under several memory limits. */
export interface SurveyStatus {
  readonly kind: "idle" | "running" | "done";
  /** The text that is planned. */
  readonly of: string;
  readonly rows: readonly SurveyRow[];
  readonly done: number;
  readonly total: number;
  /** Seconds and bytes of the text's own plan. */
  readonly own: Taken | undefined;
  readonly note: string | undefined;
}

/** The quantity that a survey varies: the mesh, or the memory limit of a device. */
export type SurveyKind = "meshes" | "limits";

/** The ways to split one operator, each with the best whole plan that has it. */
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

/** The parts of the plan that was found, with what is left out of it. */
export interface PartsStatus {
  readonly kind: "running" | "done";
  /** The text that is planned, the text with the whole plan, and the values that are tried. */
  readonly of: string;
  readonly whole: string;
  readonly whatIf: WhatIf;
  readonly left: ReadonlySet<string>;
  readonly parts: readonly PartRow[];
  readonly effects: ReadonlyMap<string, PartEffect>;
  /** The plan without what is left out; absent until it is weighed. */
  readonly mixed?: MixedPlan;
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
  /** Absent until a plan was found whose parts are shown. */
  readonly parts: PartsStatus | undefined;
  /** The plan keeps its place while tensors are selected. */
  readonly isPlanPinned: boolean;
  /**
   * The selection at the time when the plan was shown: the plan takes the tensor's place until
   * something else is picked. `undefined` while the tensor is shown.
   */
  readonly planShownAt: { readonly chosen: ViewSlice["chosen"] } | undefined;
  /** Lines that an applied plan has written and nobody has changed since. */
  readonly plannedLines: ReadonlySet<string>;
  /** The operators and tensors to which those lines refer. */
  readonly plannedIds: ReadonlySet<string>;
  readonly openPlanner: (isOpen: boolean) => void;
  /** Gives the place beside the canvas to the plan or to the tensor. */
  readonly showPlan: (isShown: boolean) => void;
  readonly pinPlan: (isPinned: boolean) => void;
  readonly limitMemory: (bytes: number | undefined) => void;
  /** Plans the present text; a search under way is given up. */
  readonly startPlan: () => Promise<void>;
  /** Ends a search; the best plan so far stays. */
  readonly cancelPlan: () => void;
  /**
   * Further actions of the planner, loaded at the first call; `undefined` when they cannot be
   * loaded.
   */
  readonly planDesk: () => Promise<PlanDesk | undefined>;
  /**
   * Drops results that hold neither for the present text nor for it before the plan was applied.
   */
  readonly forgetPlan: () => void;
}

/** The part of the state that the slice reads and calls. */
export type PlannerFields = PlannerSlice &
  Pick<DocumentSlice, "document" | "commit"> &
  Pick<CompiledSlice, "compiled"> &
  Pick<BoardSlice, "fitBoard"> &
  Pick<ViewSlice, "say" | "chosen" | "showSheet">;

/** Whether the plan has the place beside the canvas. */
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
  /** Plans the present text on every mesh of so many devices. */
  surveyMeshes(devices: number): Promise<void>;
  /** Plans it on its mesh under limits of memory. */
  surveyLimits(): Promise<void>;
  /** Ends the survey; the rows that are there stay. */
  cancelSurvey(): void;
}

/** The actions on the ways to split an operator. */
export interface WaysDesk {
  /** Finds the best whole plan of each way to split an operator of the present text. */
  weighWays(operator: string): Promise<void>;
  /** Ends that; the ways found so far stay. */
  cancelWays(): void;
}

/** The actions on the parts of a plan. */
export interface PartsDesk {
  /** Weighs the parts of a plan that was found, some of them left out. */
  weighParts(found: FoundPlan, left: ReadonlySet<string>): Promise<void>;
}

/** The actions on plans, beyond those of the slice. */
export interface PlanDesk extends SurveyDesk, WaysDesk, PartsDesk {
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
  /** The most bytes of a device. */
  readonly limit: () => number | undefined;
}

/**
 * Bytes that a device may hold: the reader's limit, else the memory of the hardware; `undefined`
 * without a limit.
 */
export function memoryLimitOf({
  memoryLimit,
  compiled,
}: Pick<PlannerFields, "memoryLimit" | "compiled">): number | undefined {
  if (memoryLimit !== undefined) return memoryLimit > 0 ? memoryLimit : undefined;
  return shownOf(compiled)?.hardware.memoryBytes;
}
