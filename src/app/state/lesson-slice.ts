import type { StateCreator } from "zustand/vanilla";
import type { Answer, Lesson, LessonTexts } from "#app/lessons";

/** The lesson that is open, and how far its reader has come. */
export interface OpenLesson {
  readonly lesson: Lesson;
  /** The step on screen, from 0. */
  readonly at: number;
  /** Those of its texts that have been compiled. */
  readonly texts: LessonTexts;
  /** What was answered, by step; an answer is given once. */
  readonly answers: ReadonlyMap<number, Answer>;
  /** Steps whose goal was met, and how. */
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
  /** What changes it are actions whose code comes with the lessons (`lesson-desk.ts`). */
  readonly lesson: OpenLesson | undefined;
}

/** The lesson that is open. */
export function lessonSlice(): StateCreator<LessonSlice> {
  return () => ({ lesson: undefined });
}
