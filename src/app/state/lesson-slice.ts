import type { StateCreator } from "zustand/vanilla";
import type { Answer, Lesson, LessonTexts } from "#app/lessons";

/** The lesson that is open, and how far its reader has come. */
export interface OpenLesson {
  readonly lesson: Lesson;
  /** The step on screen, from 0. */
  readonly at: number;
  /** Those of its texts that have been compiled. */
  readonly texts: LessonTexts;
  /** The answers, by step; each question is answered once. */
  readonly answers: ReadonlyMap<number, Answer>;
  /** Steps with a met goal, and the plan that met it. */
  readonly met: ReadonlyMap<number, MetGoal>;
  /** How many hints of the step on screen are shown. */
  readonly hints: number;
  /** How often a step was begun anew: what was chosen or written there goes too. */
  readonly resets: number;
}

/** How a goal was met: the plan that did it last, of a challenge the one with the best score. */
export interface MetGoal {
  readonly text: string;
  readonly score?: MetScore;
}

/** What a plan of a challenge has reached. */
export interface MetScore {
  readonly stars: number;
  /** The bound by what the plan has. */
  readonly share: number;
}

export interface LessonSlice {
  /** The open lesson; the actions that change it load with the lessons (`lesson-desk.ts`). */
  readonly lesson: OpenLesson | undefined;
}

/** The lesson that is open. */
export function lessonSlice(): StateCreator<LessonSlice> {
  return () => ({ lesson: undefined });
}
