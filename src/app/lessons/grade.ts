import type { Compiled } from "#compile";
import type { Act, Lesson } from "./lesson.ts";
import { type Conjunct, conjunctsOf } from "./predicate/conjuncts.ts";
import type { World } from "./predicate/evaluate.ts";
import type { Facts } from "./predicate/facts.ts";
import { parsePredicate } from "./predicate/parse.ts";

/** Compiled texts of a lesson by name; texts that are still compiling are missing. */
export type LessonTexts = ReadonlyMap<string, Compiled>;

/**
 * Name of the text on the board when a step begins: its own, or the last one shown before;
 * `undefined` if none was.
 */
export function startOfStep({ steps }: Lesson, at: number): string | undefined {
  return steps.slice(0, at + 1).findLast(({ show }) => show.text !== undefined)?.show.text;
}

/**
 * Plans that the conditions of a step can refer to; `undefined` if no plan is on the board.
 *
 * @param now the plan on the board; the step's own text if absent
 */
export function worldOf(
  lesson: Lesson,
  step: number,
  texts: LessonTexts,
  now?: Facts,
): World | undefined {
  const start = startOfStep(lesson, step);
  const act = lesson.steps[step]?.act;
  const factsOf = (name: string | undefined): Facts | undefined => {
    const compiled = name === undefined ? undefined : texts.get(name);
    return compiled && { compiled };
  };
  const shown = now ?? factsOf(start);
  if (shown === undefined) return undefined;
  const best = () => {
    const facts = factsOf(act?.solution);
    return facts && { ...facts, ...act?.solved };
  };
  return {
    now: shown,
    of: (text) => (text === "best" ? best() : factsOf(text === "start" ? start : text)),
  };
}

/** Result of grading a plan by the goal of a step. */
export interface Grade {
  readonly isMet: boolean;
  readonly conjuncts: readonly Conjunct[];
  /** The first condition of the goal that does not hold; absent if all hold. */
  readonly first?: Conjunct;
}

/** Grades a plan by the goal of a step; a goal with a syntax error is never met. */
export function gradeOf({ goal }: Act, world: World): Grade {
  const parsed = parsePredicate(goal);
  if (!parsed.ok) return { isMet: false, conjuncts: [] };
  const conjuncts = conjunctsOf(parsed.value, goal, world);
  const first = conjuncts.find(({ isMet }) => !isMet);
  return { isMet: first === undefined, conjuncts, ...(first !== undefined && { first }) };
}
