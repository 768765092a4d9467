// The lesson format and its reader.

export type { Act, Ask, Choice, Lesson, LessonStep, StepView } from "./lesson.ts";
export { checkLessonForm, type ReadLesson, readLesson } from "./read-lesson.ts";

// Sentences with figures that are computed on display.

export { figureIn, type Piece, parseSentence, plainSentence } from "./sentence.ts";

// Conditions on a plan, and the grading of plans and answers by them.

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

// The built-in lessons and challenges.

export { challenges, lessonOf, lessons } from "./lessons.ts";

// Progress kept in the browser, and results that students send.

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
