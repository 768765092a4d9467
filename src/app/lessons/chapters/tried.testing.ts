import { challenges, lessons } from "../lessons.ts";
import type { Facts } from "../predicate/facts.ts";

/** Plans for one step of a lesson, told apart by its goal. */
export interface LessonPlans {
  readonly lesson: string;
  /** Counted from 1. */
  readonly step: number;
  readonly right: readonly Tried[];
  readonly wrong: readonly Tried[];
  /** Right plans that no author of the lesson had in mind. */
  readonly unexpected: readonly Tried[];
}

/** A tried plan, with the view and the run of its page. */
export interface Tried {
  readonly what: string;
  readonly text: string;
  readonly facts?: Omit<Facts, "compiled">;
}

/** A text of a lesson, by its name there. */
export const textOf = (lesson: string, name: string) =>
  [...lessons, ...challenges].find(({ id }) => id === lesson)?.texts[name] ?? "";

/** Text of a lesson with some strings replaced, each exactly once; throws if one does not occur. */
export function tried(
  what: string,
  lesson: string,
  name: string,
  edits: readonly (readonly [from: string, to: string])[] = [],
): Tried {
  const text = edits.reduce(
    (source, [from, to]) => {
      if (!source.includes(from)) throw new Error(`${lesson}: no ${from} in ${name}`);
      return source.replace(from, to);
    },
    textOf(lesson, name),
  );
  return { what, text };
}

/** First text of a lesson, viewed at the given hop of the given redistribution. */
export const looked = (what: string, lesson: string, step: number, hop: number): Tried => {
  const [first] = Object.values(lessons.find(({ id }) => id === lesson)?.texts ?? {});
  return { what, text: first ?? "", facts: { view: { step, hop } } };
};
