import type { ChosenSizes, MemoryItem, PlannedCosts, PlanPart, SizeChoice } from "#edit";
import type { PlanSentence } from "#planner";
import type { PlanCode } from "./plan-code.ts";

export type { PlanSentence } from "#planner";

/** Values that replace those of the text during a search. */
export interface WhatIf {
  /** Factor on the bandwidth of all links; 1 if absent. */
  readonly bandwidth?: number;
  /** Sizes that replace those of the text. */
  readonly sizes?: ChosenSizes;
  /** Layouts the planner may change although the text sets them; none if absent. */
  readonly free?: readonly Freed[];
}

/** Kind of layouts to free: those that `place` gives inputs and parameters at rest. */
export type Freed = "placements";

/** Request to plan a text. */
export interface PlanAsked {
  readonly source: string;
  /** Memory limit per device in bytes. */
  readonly memoryLimit?: number;
  readonly whatIf?: WhatIf;
}

/**
 * Request for the best plans of one text: on every mesh of `devices` devices, or on its own mesh
 * under several memory limits.
 */
export type SurveyRequest =
  | {
      readonly survey: "meshes";
      readonly source: string;
      readonly devices: number;
      readonly memoryLimit?: number;
    }
  | { readonly survey: "limits"; readonly source: string };

/** Request for all strategies of one operator, each with the best whole plan that uses it. */
export interface WaysAsked extends PlanAsked {
  /** The operator's name. */
  readonly operator: string;
}

/** Request to split a found plan into parts and leave some out. */
export interface PartsAsked extends PlanAsked {
  /** The text with the whole plan. */
  readonly planned: string;
  /** Keys of the parts to leave out. */
  readonly left: readonly string[];
}

/** Kinds of searches of the planner; each can take long. */
export interface Searches {
  /** Fastest plan of a text. */
  plan: { takes: PlanAsked; gives: PlanAnswer; tells: PlanProgress };
  /** Many plans of a text, one after the other. */
  survey: { takes: SurveyRequest; gives: SurveyResult; tells: SurveyProgress };
  /** All strategies of one operator. */
  ways: { takes: WaysAsked; gives: SplitOptionsResult; tells: SplitOptionsProgress };
  /** Effect of each part of a plan, and the plan without some parts. */
  parts: { takes: PartsAsked; gives: PartsResult; tells: PartsProgress };
  /**
   * Code of the fastest plan that an engine can express; otherwise the reason as a sentence
   * fragment.
   */
  nearest: { takes: NearestAsked; gives: PlanCode | string; tells: never };
}

/** Request for another plan, if the engine cannot express the text's own. */
export interface NearestAsked {
  readonly source: string;
  readonly target: string;
  readonly memoryLimit: number | undefined;
}

/** The stage of a search. */
export type PlanStage = "reading" | "searching" | "writing";

/** Operator, or equal operators of equal blocks, whose cuts in the plan differ from the text. */
export interface PlanChange {
  /** Name of the operator; for several, with `*` in place of the indices. */
  readonly name: string;
  readonly count: number;
  /** Cuts in the text and in the plan: identifiers with the axes that cut them; empty if whole. */
  readonly before: string;
  readonly after: string;
  /** Roles in known patterns of the plan: `megatron: columns over tp`. */
  readonly roles: readonly string[];
}

/** Known parallelism pattern in a plan, with its evidence (`by`). */
export interface PlanPattern {
  readonly name: string;
  readonly axes: readonly string[];
  readonly by: string;
}

/** Cost of a plan: modelled seconds, and peak bytes of the fullest device. */
export interface PlanCost {
  readonly seconds: number;
  readonly bytes: number;
}

/** Figures of a whole or partial plan. */
export interface PlanFigures extends PlannedCosts {
  /** Description of the plan as an engineer would give it: its splits, then its waits. */
  readonly sentences: readonly PlanSentence[];
}

/** Plan that the planner found. */
export interface Planned extends PlanFigures {
  readonly kind: "planned";
  /** Text with the plan written into it; absent if the text cannot express the plan. */
  readonly source?: string;
  /** Seconds of the text's own plan. */
  readonly before: number;
  /** Lower bound in seconds on all plans that the planner considers. */
  readonly bound: number;
  /**
   * Whether the text's own plan is faster than all considered plans, because it uses other kinds of
   * cuts.
   */
  readonly isOutside?: true;
  /** Groups of axes that were only tried together; absent if every axis was tried alone. */
  readonly joined?: readonly (readonly string[])[];
  /** Name of the hardware that the cost model assumes. */
  readonly model: string;
  /** Cost on the text's own links, if the search assumed other links. */
  readonly asNamed?: PlanCost;
  readonly changes: readonly PlanChange[];
  readonly patterns: readonly PlanPattern[];
  /** Whether the program is a forward pass only. */
  readonly isForward?: true;
  readonly pins: readonly string[];
  /** Sizes that can be changed in the text. */
  readonly sizes: readonly SizeChoice[];
  /** Remarks about the new text, as sentences. */
  readonly notes: readonly string[];
}

/**
 * Reason why no plan fits in memory: the contents of the plan with the least memory, and remedies.
 */
export interface PlanShortage {
  /** Bytes of the leanest plan by kind of tensor, largest first. */
  readonly holds: readonly { readonly what: string; readonly bytes: number }[];
  /** Largest single items in memory of the leanest plan. */
  readonly largest: readonly MemoryItem[];
  /** Single changes that make a plan fit, each with that plan's bytes. */
  readonly remedies: readonly { readonly text: string; readonly bytes: number }[];
  /** Remedies that were not tried for lack of time. */
  readonly untried: readonly string[];
}

/** Result if no plan fits: the reason and, if memory is short, the smallest peak of any plan. */
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
  /** The text has nothing to plan; `message` gives the reason. */
  | { readonly kind: "refused"; readonly message: string };

/** Row of a survey: the best plan on one mesh or under one memory limit. */
export interface SurveyRow {
  readonly axes: readonly { readonly name: string; readonly size: number }[];
  /** Memory limit in bytes, in a survey of limits. */
  readonly limit?: number;
  readonly answer: PlanAnswer;
}

/** Strategy of one operator, with the best plan that uses it. */
export interface SplitOption {
  /** Strategy as text: `m over dp, n over tp`, or `whole`. */
  readonly text: string;
  /** Whether it is the strategy in the text. */
  readonly isNow: boolean;
  /**
   * Best whole plan with this strategy. Its text pins the operator, unless it is the overall best
   * plan.
   */
  readonly answer: PlanAnswer;
}

/** Progress of weighing strategies: the newest one, and counts. */
export interface SplitOptionsProgress {
  /** Newest strategy; absent in the first message. */
  readonly way?: SplitOption;
  readonly done: number;
  readonly total: number;
}

/** End of weighing strategies; `unavailable` lists impossible cuts, each with its reason. */
export type SplitOptionsResult =
  | { readonly kind: "weighed"; readonly unavailable: readonly string[] }
  | { readonly kind: "refused"; readonly message: string };

/** The end of a survey. */
export type SurveyResult =
  | { readonly kind: "surveyed" }
  | { readonly kind: "refused"; readonly message: string };

/** Progress of a search for the fastest plan. */
export type PlanProgress =
  | { readonly kind: "stage"; readonly stage: PlanStage }
  /** Best plan found so far. */
  | { readonly kind: "found"; readonly planned: Planned }
  /** No plan fits; the search for remedies follows. */
  | { readonly kind: "short"; readonly answer: NoPlan };

/** Progress of a survey: the newest row, and counts. */
export interface SurveyProgress {
  /** Newest row; absent in the first message. */
  readonly row?: SurveyRow;
  /** Cost of the text's own plan; only in the first message. */
  readonly own?: PlanCost;
  readonly done: number;
  readonly total: number;
}

/** Part of a plan: the changes of one module, or of layouts at rest. */
export interface PartRow {
  readonly key: string;
  readonly kind: PlanPart["kind"];
  readonly words: string;
  readonly count: number;
  readonly operators: PlanPart["operators"];
}

/** Change in cost by one part, given the other chosen parts; negative values are savings. */
export interface PartEffect {
  readonly seconds: number;
  /** Peak bytes of the fullest device. */
  readonly bytes: number;
  /** Bytes received by the busiest device. */
  readonly sentBytes: number;
}

/** Line of the text that the plan changes or removes, with the reason. */
export interface ReplacedLine {
  /** Line number, from 1. */
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

/** Plan without the parts left out. */
export interface MixedPlan extends PlanFigures, PartEffect {
  /** Text with the plan; absent if the text cannot express it. */
  readonly source?: string;
  /** Number of lines written. */
  readonly lines: number;
  readonly gone: readonly ReplacedLine[];
}

/**
 * Progress of weighing parts: first the list of parts, then the plan without the ones left out,
 * then each part's effect.
 */
export type PartsProgress =
  | { readonly kind: "parts"; readonly parts: readonly PartRow[] }
  | { readonly kind: "mixed"; readonly mixed: MixedPlan }
  | { readonly kind: "effect"; readonly key: string; readonly effect: PartEffect };

/** End of weighing parts. */
export type PartsResult =
  | { readonly kind: "weighed" }
  | { readonly kind: "refused"; readonly message: string };
