/**
 * Plain text with `code`, *words of the glossary*, and {figures} that are computed when it is shown
 * (teaching.md §3).
 */
export type Sentence = string;

/** One lesson: a few steps on plans of its own. */
export interface Lesson {
  readonly id: string;
  readonly title: string;
  /** Title of the chapter; the chapters keep the order of the lessons. */
  readonly chapter: string;
  readonly minutes: number;
  /** Ids of the lessons that should be done before. */
  readonly needs: readonly string[];
  /** Glossary terms that the lesson introduces. */
  readonly words: readonly string[];
  /** Programs that the steps show or measure, by name. */
  readonly texts: Readonly<Record<string, string>>;
  readonly steps: readonly LessonStep[];
}

/** One step of a lesson: its text, its questions and its view. */
export interface LessonStep {
  readonly say: Sentence;
  /**
   * Instructions for reaching the view: with mouse and keyboard (`wide`), and on a touch screen.
   */
  readonly how?: { readonly wide: Sentence; readonly touch: Sentence };
  readonly show: StepView;
  readonly ask?: Ask;
  readonly act?: Act;
  readonly reveal: Sentence;
  readonly hints: readonly Sentence[];
  /**
   * Conditions on the step's text that state what its sentences claim in words (`half`, `the
   * same`). If one fails, the sentence is wrong.
   */
  readonly claims: readonly string[];
}

/** The view of the board when a step begins. */
export interface StepView {
  /** Name of the lesson text to put on the board; the board stays unchanged if absent. */
  readonly text?: string;
  /** The selected tensor, by name. */
  readonly tensor?: string;
  /** Redistribution to show, counted from 1. */
  readonly step?: number;
  /** Number of hops already done in the redistribution shown; 0 shows its start. */
  readonly hop?: number;
  readonly panel?: "plan" | "mesh" | "tensor" | "steps" | "run" | "program" | "costs";
  /** Collective that the next run leaves out. */
  readonly fault?: StepFault;
}

/** Fault injected into a run: its kind and the collective it affects. */
export interface StepFault {
  readonly how: "drop";
  /** Index of the step among all steps of the program, from 0. */
  readonly step: number;
  readonly collective: string;
  readonly tensor: string;
}

/**
 * Figures that the page can hide: peak memory of a device, bytes received, time of a training step.
 */
export type HiddenFigure = "memory" | "comm" | "time";

/** Question to be answered before the student changes the plan. */
export type Ask = {
  /** Plan figures that the page hides until the question is answered. */
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
      /** The right number: an expression evaluated on the step's text. */
      readonly value: string;
      /** Allowed relative deviation from the value. */
      readonly tolerance: number;
      /** Frequent wrong numbers, each with an explanation. */
      readonly mistakes?: readonly Mistake[];
    }
  | {
      readonly kind: "cells";
      readonly question: Sentence;
      readonly tensor: string;
      readonly device: number;
      /**
       * Asks for the state after a hop of a redistribution, both counted from 1; if absent, for the
       * tensor's own layout.
       */
      readonly after?: { readonly step: number; readonly hop: number };
      /** Grid of the answer: the parts into which the tensor's two dims are divided. */
      readonly rows: number;
      readonly columns: number;
    }
  | {
      readonly kind: "order";
      readonly question: Sentence;
      /** Items to sort; the right order has the largest figure first. */
      readonly items: readonly { readonly text: Sentence; readonly value: string }[];
    }
);

/** One option of a multiple-choice question; `says` explains why a wrong one is wrong. */
export interface Choice {
  readonly text: Sentence;
  readonly isRight: boolean;
  readonly says?: Sentence;
}

/**
 * Frequent wrong number, as an expression on the step's text (same tolerance as the answer), with
 * its explanation.
 */
export interface Mistake {
  readonly value: string;
  readonly says: Sentence;
}

/** Task on the board, solved by any plan that meets the goal. */
export interface Act {
  /** Instruction shown to the student. */
  readonly task: Sentence;
  /** Condition on the plan on the board (teaching.md §2). */
  readonly goal: string;
  /** Name of the lesson text that meets the goal; `best(x)` is evaluated on it. */
  readonly solution: string;
  /** View and run results assumed for the solution, if the goal is about them. */
  readonly solved?: {
    readonly view?: { readonly step: number; readonly hop: number };
    readonly isEqual?: boolean;
    readonly isProven?: boolean;
  };
  /** Scoring rule, for challenges only. */
  readonly score?: ScoreRule;
}

/**
 * The scored figure of a challenge and its bound, as figures of the plan on the board (teaching.md
 * §2.1).
 */
export interface ScoreRule {
  /** Figure to minimise; the solution's value is the best known. */
  readonly figure: string;
  /** Lower bound of the figure over all plans that meet the goal. */
  readonly bound: string;
}

/** Upper limits of a lesson: bytes as JSON, and number of steps. */
export const [mostLessonBytes, mostLessonSteps] = [64 * 1024, 24];
