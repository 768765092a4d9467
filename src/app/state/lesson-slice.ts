import type { StateCreator } from "zustand/vanilla";
import type { Answer, Lesson, LessonTexts } from "#app/lessons";

/** The open lesson and the reader's progress in it. */
export interface OpenLesson {
  readonly lesson: Lesson;
  /** Index of the step on screen, from 0. */
  readonly at: number;
  /** Compiled texts of the lesson, by name. */
  readonly texts: LessonTexts;
  /** Answers by step; each question is answered once. */
  readonly answers: ReadonlyMap<number, Answer>;
  /** Steps with a met goal, and the plan that met it. */
  readonly met: ReadonlyMap<number, MetGoal>;
  /** Number of shown hints of the step on screen. */
  readonly hints: number;
  /** Number of resets of a step, which also discard selections and typed input there. */
  readonly resets: number;
}

/** The plan that met a goal last; for a challenge, the plan with the best score. */
export interface MetGoal {
  readonly text: string;
  readonly score?: ChallengeScore;
}

/** The score of a plan in a challenge. */
export interface ChallengeScore {
  readonly stars: number;
  /** The bound divided by the plan's value. */
  readonly share: number;
}

export interface LessonSlice {
  /** The open lesson; the actions that change it load with the lessons (`lesson-desk.ts`). */
  readonly lesson: OpenLesson | undefined;
}

/** State of the open lesson. */
export function lessonSlice(): StateCreator<LessonSlice> {
  return () => ({ lesson: undefined });
}
