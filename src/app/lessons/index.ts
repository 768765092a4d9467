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
  startOfStep,
  worldOf,
} from "./grade.ts";
export type { Conjunct } from "./predicate/conjuncts.ts";
export type { World } from "./predicate/evaluate.ts";
export type { Facts } from "./predicate/facts.ts";
export {
  type Answer,
  figureOf,
  firstInOrder,
  isRight,
  mistakeOf,
  rightCells,
  rightOrder,
} from "./questions.ts";
export { type Score, scoreOf, scoreWords } from "./score.ts";

// Checks of a lesson's statements, and the editing of lessons.

export { lessonFaults } from "./check-lesson.ts";
export { newLesson, plansToTry, withSolution, withStart } from "./edit-lesson.ts";

// The lessons of this product.

export { challenges, lessonOf, lessons } from "./lessons.ts";

// Progress and results: kept in a browser, or sent.

export {
  joinedProgress,
  type Progress,
  parseProgress,
  printProgress,
  readProgress,
} from "./progress.ts";
export {
  type GradedResult,
  gradeResult,
  type LessonResult,
  modelOf,
  printResult,
  readResult,
  versionOf,
} from "./result.ts";
