/**
 * Plain text with `code`, *words of the glossary*, and {figures} that are computed when it is shown
 * (teaching.md §3).
 */
export type Sentence = string;

/** One lesson: a few steps on plans of its own. */
export interface Lesson {
  readonly id: string;
  readonly title: string;
  /** The lessons stand in chapters, in their order. */
  readonly chapter: string;
  readonly minutes: number;
  /** Lessons that it builds on, by their ids. */
  readonly needs: readonly string[];
  /** Words of the glossary that it explains. */
  readonly words: readonly string[];
  /** The programs that steps show, name and measure, by name. */
  readonly texts: Readonly<Record<string, string>>;
  readonly steps: readonly LessonStep[];
}

/** One step of a lesson: its text, its questions and its view. */
export interface LessonStep {
  readonly say: Sentence;
  /** The actions that lead there: with mouse and keys, and on a touch screen. */
  readonly how?: { readonly wide: Sentence; readonly touch: Sentence };
  readonly show: StepView;
  readonly ask?: Ask;
  readonly act?: Act;
  readonly reveal: Sentence;
  readonly hints: readonly Sentence[];
  /**
   * Claims of the sentences beside their figures (`half`, `the same`), as conditions on the step's
   * text: if one fails, the sentence is wrong.
   */
  readonly claims: readonly string[];
}

/** The view of the board when a step begins. */
export interface StepView {
  /** A text of the lesson, put on the board; without it the board is left as it is. */
  readonly text?: string;
  /** The selected tensor, by name. */
  readonly tensor?: string;
  /** A redistribution, counted from 1. */
  readonly step?: number;
  /** The hop behind which the redistribution is shown hop by hop. */
  readonly hop?: number;
  readonly panel?: "plan" | "mesh" | "tensor" | "steps" | "run" | "program" | "costs";
  /** A collective that the next run leaves out. */
  readonly fault?: StepFault;
}

/** A fault for a run, by its kind and place. */
export interface StepFault {
  readonly how: "drop";
  /** Place among all steps of the program, from 0. */
  readonly step: number;
  readonly collective: string;
  readonly tensor: string;
}

/** Peak memory of a device, bytes received, or time of the step, wherever the page has them. */
export type HiddenFigure = "memory" | "comm" | "time";

/** A question that is answered before anything is tried. */
export type Ask = {
  /** Figures of the plan that the page keeps back until it is answered. */
  readonly hides?: readonly HiddenFigure[];
} & (
  | {
      readonly kind: "choice";
      readonly question: Sentence;
      readonly options: readonly Choice[];
    }
  | {
      readonly kind: "number";
      readonly question: Sentence;
      readonly unit: "bytes" | "seconds" | "count";
      /** The right number, as a figure of the step's text. */
      readonly value: string;
      /** The allowed deviation, relative to the value. */
      readonly tolerance: number;
      /** Frequent wrong numbers, each with its mistake. */
      readonly mistakes?: readonly Mistake[];
    }
  | {
      readonly kind: "cells";
      readonly question: Sentence;
      readonly tensor: string;
      readonly device: number;
      /**
       * The state after some hops of a redistribution, both counted from 1; without it, the
       * tensor's own state.
       */
      readonly after?: { readonly step: number; readonly hop: number };
      /** The numbers of parts in which its dims are drawn; the sides of the answer. */
      readonly rows: number;
      readonly columns: number;
    }
  | {
      readonly kind: "order";
      readonly question: Sentence;
      /** The one with the largest figure first. */
      readonly items: readonly { readonly text: Sentence; readonly value: string }[];
    }
);

/** A choice; a wrong one may give the reason. */
export interface Choice {
  readonly text: Sentence;
  readonly isRight: boolean;
  readonly says?: Sentence;
}

/** A wrong number with a reason: a figure of the step's text, within the same tolerance. */
export interface Mistake {
  readonly value: string;
  readonly says: Sentence;
}

/** A task on the board: any plan that meets the condition is right. */
export interface Act {
  /** The task in words. */
  readonly task: Sentence;
  /** A condition on the plan on the board (teaching.md §2). */
  readonly goal: string;
  /** The text of the lesson that meets it: `best(x)` is its x. */
  readonly solution: string;
  /** For a goal about the view or a run: the view and run of the solution. */
  readonly solved?: {
    readonly view?: { readonly step: number; readonly hop: number };
    readonly isEqual?: boolean;
    readonly isProven?: boolean;
  };
  /** For a challenge: the score of a plan that meets the goal. */
  readonly score?: ScoreRule;
}

/**
 * The scored figure of a challenge and its bound, as figures of the plan on the board (teaching.md
 * §2.1).
 */
export interface ScoreRule {
  /** The scored figure, the less the better; that of the solution is the best known. */
  readonly figure: string;
  /** A lower bound of the figure for all plans that meet the goal. */
  readonly bound: string;
}

/** The most bytes of a lesson as JSON, and the most steps. */
export const [mostLessonBytes, mostLessonSteps] = [64 * 1024, 24];
