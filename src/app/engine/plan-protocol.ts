import type { ChosenSizes, MemoryItem, PlannedCosts, PlanPart, SizeChoice } from "#edit";
import type { PlanSentence } from "#planner";
import type { PlanCode } from "./plan-code.ts";

export type { PlanSentence } from "#planner";

/** Values that a plan is searched with, in place of those of the text. */
export interface WhatIf {
  /** Factor on the bandwidth of the links; 1 when absent. */
  readonly bandwidth?: number;
  /** Sizes in place of those of the text. */
  readonly sizes?: ChosenSizes;
  /** Layouts that may move although the text sets them; none when absent. */
  readonly free?: readonly Freed[];
}

/** Layouts at rest that `place` gives to inputs and parameters. */
export type Freed = "placements";

/** A text to plan. */
export interface PlanAsked {
  readonly source: string;
  /** The most bytes of one device. */
  readonly memoryLimit?: number;
  readonly whatIf?: WhatIf;
}

/**
 * A survey of the best plans of one text: on every mesh of `devices` devices, or on its own mesh
 * under several memory limits.
 */
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

/** The parts of a plan that was found, with some of them left out. */
export interface PartsAsked extends PlanAsked {
  /** The text with the whole plan. */
  readonly planned: string;
  /** The keys of parts that are left out. */
  readonly left: readonly string[];
}

/** The searches of a planner; each may take long. */
export interface Searches {
  /** The fastest plan of a text. */
  plan: { takes: PlanAsked; gives: PlanAnswer; tells: PlanNews };
  /** Many plans of a text, one after the other. */
  survey: { takes: SurveyAsked; gives: SurveyEnd; tells: SurveyNews };
  /** The ways to split one operator. */
  ways: { takes: WaysAsked; gives: WaysEnd; tells: WayNews };
  /** The effect of each part of a plan, and the plan without some of them. */
  parts: { takes: PartsAsked; gives: PartsEnd; tells: PartNews };
  /**
   * The fastest plan among those with words in an engine, as its code; half a sentence if there is
   * none.
   */
  nearest: { takes: NearestAsked; gives: PlanCode | string; tells: never };
}

/** A text whose plan an engine has no words for. */
export interface NearestAsked {
  readonly source: string;
  readonly target: string;
  readonly memoryLimit: number | undefined;
}

/** The stage of a search. */
export type PlanStage = "reading" | "searching" | "writing";

/**
 * An operator, or the same operator of equal blocks, that the plan cuts differently from the text.
 */
export interface PlanChange {
  /** A name, or names with `*`. */
  readonly name: string;
  readonly count: number;
  /**
   * The cuts of the text and of the plan: identifiers with the axes that cut them; empty where
   * whole.
   */
  readonly before: string;
  readonly after: string;
  /** Its role in each known pattern of the plan: `megatron: columns over tp`. */
  readonly roles: readonly string[];
}

/** A known pattern of parallelism in a plan, with its evidence. */
export interface PlanPattern {
  readonly name: string;
  readonly axes: readonly string[];
  readonly by: string;
}

/** The cost of a plan: modelled seconds, and bytes on the fullest device at its peak. */
export interface Taken {
  readonly seconds: number;
  readonly bytes: number;
}

/** The figures of a plan, whole or in part. */
export interface PlanFigures extends PlannedCosts {
  /** The plan as an engineer would tell it: how it is split, then what it waits for. */
  readonly sentences: readonly PlanSentence[];
}

/** A plan that the planner found. */
export interface Planned extends PlanFigures {
  readonly kind: "planned";
  /** The text with the plan written into it; absent where the text cannot express the plan. */
  readonly source?: string;
  /** Seconds of the text's own plan. */
  readonly before: number;
  /** Lower bound in seconds of every plan that the planner considers. */
  readonly bound: number;
  /**
   * Whether the text's own plan is faster than all that the planner considers, since it has cuts of
   * other kinds.
   */
  readonly isOutside?: true;
  /** Groups of axes that were only used together; absent where every axis was tried alone. */
  readonly joined?: readonly (readonly string[])[];
  /** Name of the hardware that the cost model assumes. */
  readonly model: string;
  /** Its cost with the links of the text, where it was found for other links. */
  readonly asNamed?: Taken;
  readonly changes: readonly PlanChange[];
  readonly patterns: readonly PlanPattern[];
  /** Whether the program is no training step. */
  readonly isForward?: true;
  readonly pins: readonly string[];
  /** Sizes that can be changed in the text. */
  readonly sizes: readonly SizeChoice[];
  /** Remarks about the new text, in words. */
  readonly notes: readonly string[];
}

/**
 * The reason why no plan fits in memory: the tensors of the plan with the least memory, and
 * remedies.
 */
export interface PlanShortage {
  /** The bytes of that plan by kind of tensor, most first. */
  readonly holds: readonly { readonly what: string; readonly bytes: number }[];
  /** The largest single things that it holds. */
  readonly largest: readonly MemoryItem[];
  /** Single changes after which a plan fits, with the bytes that it then takes. */
  readonly remedies: readonly { readonly text: string; readonly bytes: number }[];
  /** Changes that were not tried. */
  readonly untried: readonly string[];
}

/** No plan fits: the reason and, if memory is short, the least bytes of any plan. */
export interface NoPlan {
  readonly kind: "infeasible";
  readonly message: string;
  readonly leastBytes?: number;
  readonly shortage?: PlanShortage;
}

/** The outcome of a search for the fastest plan of a text. */
export type PlanAnswer =
  | Planned
  | NoPlan
  /** The text has nothing to plan. */
  | { readonly kind: "refused"; readonly message: string };

/** One row of a survey: the best plan on one mesh or under one memory limit. */
export interface SurveyRow {
  readonly axes: readonly { readonly name: string; readonly size: number }[];
  /** The memory limit in bytes, where the survey varies it. */
  readonly limit?: number;
  readonly answer: PlanAnswer;
}

/** A way to split one operator. */
export interface Way {
  /** `m over dp, n over tp`, or `whole`. */
  readonly text: string;
  /** Whether the text splits it in this way. */
  readonly isNow: boolean;
  /**
   * The best whole plan with this way. Its text pins the operator, unless it is the best plan of
   * all.
   */
  readonly answer: PlanAnswer;
}

/** Progress of a comparison of ways: the newest way, and counts of all. */
export interface WayNews {
  /** Absent before the first one. */
  readonly way?: Way;
  readonly done: number;
  readonly total: number;
}

/**
 * The end of a comparison of ways; `unavailable` are cuts that no plan has, each with its reason.
 */
export type WaysEnd =
  | { readonly kind: "weighed"; readonly unavailable: readonly string[] }
  | { readonly kind: "refused"; readonly message: string };

/** The end of a survey. */
export type SurveyEnd =
  | { readonly kind: "surveyed" }
  | { readonly kind: "refused"; readonly message: string };

/** Progress of a search for the fastest plan. */
export type PlanNews =
  | { readonly kind: "stage"; readonly stage: PlanStage }
  /** The best plan so far. */
  | { readonly kind: "found"; readonly planned: Planned }
  /** No plan fits; remedies are tried next. */
  | { readonly kind: "short"; readonly answer: NoPlan };

/** Progress of a survey: the newest row, and counts of all. */
export interface SurveyNews {
  /** Absent before the first one. */
  readonly row?: SurveyRow;
  /** The cost of the text's own plan; comes before the first row. */
  readonly own?: Taken;
  readonly done: number;
  readonly total: number;
}

/** A part of a plan: the changes of one module, or those of layouts at rest. */
export interface PartRow {
  readonly key: string;
  readonly kind: PlanPart["kind"];
  readonly words: string;
  readonly count: number;
  readonly operators: PlanPart["operators"];
}

/** The effect of a part of a plan on top of the other chosen parts; below 0 it saves. */
export interface PartEffect {
  readonly seconds: number;
  /** On the fullest device. */
  readonly bytes: number;
  /** Received by the busiest device. */
  readonly sentBytes: number;
}

/** A line of the text that changes or goes, with the reason. */
export interface GoneLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

/** A plan without some of its parts. */
export interface MixedPlan extends PlanFigures, PartEffect {
  /** The text with it; absent where the text cannot express it. */
  readonly source?: string;
  /** Lines that it writes. */
  readonly lines: number;
  readonly gone: readonly GoneLine[];
}

/**
 * The parts of a plan: first all of them, then the plan without the parts left out, then the effect
 * of each.
 */
export type PartNews =
  | { readonly kind: "parts"; readonly parts: readonly PartRow[] }
  | { readonly kind: "mixed"; readonly mixed: MixedPlan }
  | { readonly kind: "effect"; readonly key: string; readonly effect: PartEffect };

/** The end of a weighing of parts. */
export type PartsEnd =
  | { readonly kind: "weighed" }
  | { readonly kind: "refused"; readonly message: string };
