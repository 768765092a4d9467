import type { ChosenSizes, HeldKind, MemoryItem, SizeChoice } from "#compile";

/** Values that a plan is tried with, in place of those of the text. */
export interface WhatIf {
  /** Factor on the bandwidth of the links; 1 when absent. */
  readonly bandwidth?: number;
  /** Sizes in place of those of the text. */
  readonly sizes?: ChosenSizes;
}

/** A text to plan. */
export interface PlanAsked {
  readonly source: string;
  /** Bytes that one device may hold. */
  readonly memoryLimit?: number;
  readonly whatIf?: WhatIf;
}

/** Many plans of one text: on every mesh of a number of devices, or under limits of memory. */
export type SurveyAsked =
  | {
      readonly survey: "meshes";
      readonly source: string;
      readonly devices: number;
      readonly memoryLimit?: number;
    }
  | { readonly survey: "limits"; readonly source: string };

/** The ways to split one operator, each with the best whole plan that has it. */
export interface WaysAsked extends PlanAsked {
  /** The operator's name. */
  readonly operator: string;
}

/** What is asked of a planner, each a search that may take long. */
export interface Searches {
  /** The fastest plan of a text. */
  plan: { takes: PlanAsked; gives: PlanAnswer; tells: PlanNews };
  /** Many plans of a text, one after the other. */
  survey: { takes: SurveyAsked; gives: SurveyEnd; tells: SurveyNews };
  /** The ways to split one operator. */
  ways: { takes: WaysAsked; gives: WaysEnd; tells: WayNews };
}

/** How far a search is. */
export type PlanStage = "reading" | "searching" | "writing";

/** An operator, or the same one of equal blocks, that the plan cuts otherwise than the text did. */
export interface PlanChange {
  /** A name, or names with `*`. */
  readonly name: string;
  readonly count: number;
  /** Identifiers with the axes that cut them; empty where it is whole. */
  readonly before: string;
  readonly after: string;
  /** What it does in the named patterns of the plan: `megatron: columns over tp`. */
  readonly roles: readonly string[];
}

/** A named way to cut a program, and the evidence for it in a plan. */
export interface PlanPattern {
  readonly name: string;
  readonly axes: readonly string[];
  readonly by: string;
}

/** What a plan takes: seconds, and bytes of the fullest device at its fullest moment. */
export interface Taken {
  readonly seconds: number;
  readonly bytes: number;
}

/** A plan that was found. */
export interface Planned extends Taken {
  readonly kind: "planned";
  /** What `seconds` is the sum of. */
  readonly computeSeconds: number;
  readonly communicationSeconds: number;
  /** What the bytes are for. */
  readonly held: readonly HeldKind[];
  /** The text with the plan written in; absent where it has no words for it. */
  readonly source?: string;
  /** Seconds of the text's own plan. */
  readonly before: number;
  /** Seconds that no plan goes below. */
  readonly bound: number;
  /** The text's own plan beats all that the planner looks at: it cuts in other ways. */
  readonly isOutside?: true;
  /** The devices whose figures were taken. */
  readonly model: string;
  /** What it takes on the machine of the text, where it was found for other links. */
  readonly asNamed?: Taken;
  readonly changes: readonly PlanChange[];
  readonly patterns: readonly PlanPattern[];
  readonly pins: readonly string[];
  /** Sizes that can be changed in the text. */
  readonly sizes: readonly SizeChoice[];
  /** Remarks about the new text, in words. */
  readonly notes: readonly string[];
}

/** What a device lacks where no plan fits. */
export interface PlanShortage {
  /** What the bytes of the leanest plan are for, the most first. */
  readonly holds: readonly { readonly what: string; readonly bytes: number }[];
  /** The largest single things that it holds. */
  readonly largest: readonly MemoryItem[];
  /** Single changes after which a plan fits, with the bytes that it then takes. */
  readonly remedies: readonly { readonly text: string; readonly bytes: number }[];
  /** Changes that were not tried. */
  readonly untried: readonly string[];
}

/** No plan meets what is asked: why, and what the leanest plan takes where memory is short. */
export interface NoPlan {
  readonly kind: "infeasible";
  readonly message: string;
  readonly leastBytes?: number;
  readonly shortage?: PlanShortage;
}

/** What a search says of a text. */
export type PlanAnswer =
  | Planned
  | NoPlan
  /** There is nothing to plan. */
  | { readonly kind: "refused"; readonly message: string };

/** One plan of many. */
export interface SurveyRow {
  readonly axes: readonly { readonly name: string; readonly size: number }[];
  /** Bytes that it had to keep to, where that is what the survey varies. */
  readonly limit?: number;
  readonly answer: PlanAnswer;
}

/** A way to split an operator. */
export interface Way {
  /** `m over dp, n over tp`, or `whole`. */
  readonly text: string;
  /** The text splits it so. */
  readonly isNow: boolean;
  /** The best whole plan that has it; its text pins the operator unless that is the best of all. */
  readonly answer: PlanAnswer;
}

/** Progress of a comparison of ways: the newest one, and counts. */
export interface WayNews {
  /** Absent before the first one. */
  readonly way?: Way;
  readonly done: number;
  readonly total: number;
}

/** The end of a comparison of ways: cuts that no plan has, each with its reason. */
export type WaysEnd =
  | { readonly kind: "weighed"; readonly unavailable: readonly string[] }
  | { readonly kind: "refused"; readonly message: string };

/** What a survey ends with. */
export type SurveyEnd =
  | { readonly kind: "surveyed" }
  | { readonly kind: "refused"; readonly message: string };

/** What is heard of a search before it ends. */
export type PlanNews =
  | { readonly kind: "stage"; readonly stage: PlanStage }
  /** The best plan so far. */
  | { readonly kind: "found"; readonly planned: Planned }
  /** No plan fits; what would do is tried next. */
  | { readonly kind: "short"; readonly answer: NoPlan };

/** Progress of a survey: the newest row, and counts. */
export interface SurveyNews {
  /** Absent before the first one. */
  readonly row?: SurveyRow;
  /** What the text's own plan takes, before the first one. */
  readonly own?: Taken;
  readonly done: number;
  readonly total: number;
}
