// Lessons: what they are, and how they are read.

export type { Act, Ask, Choice, Lesson, LessonStep, StepView } from "./lesson.ts";
export { checkLessonForm, type ReadLesson, readLesson } from "./read-lesson.ts";

// Sentences with figures that are computed when they are shown.

export { figureIn, type Piece, parseSentence, plainSentence } from "./sentence.ts";

// Conditions on a plan, and how plans and answers are graded by them.

export {
  type Grade,
  gradeOf,
  type LessonTexts,
  worldOf,
} from "./grade.ts";
export type { Conjunct } from "./predicate/conjuncts.ts";
export type { World } from "./predicate/evaluate.ts";
export type { Facts } from "./predicate/facts.ts";
export { type Answer, figureOf, isRight, rightCells, rightOrder } from "./questions.ts";

// Whether what a lesson says is true.

export { lessonFaults } from "./check-lesson.ts";

// The lessons of this product.

export { lessonOf, lessons } from "./lessons.ts";
