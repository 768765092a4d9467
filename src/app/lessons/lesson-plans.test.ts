import { expect, test } from "vitest";
import { compile } from "#compile";
import type { Tried } from "./chapters/tried.testing.ts";
import { gradeOf, worldOf } from "./grade.ts";
import { lessonPlans } from "./lesson-plans.testing.ts";
import { challenges, lessonOf, lessons } from "./lessons.ts";
import { scoreOf } from "./score.ts";

test.each(lessonPlans.map((plans) => [`${plans.lesson}, step ${plans.step}`, plans] as const))(
  "%s: right, wrong and unexpected plans are told apart",
  (_, { lesson: id, step, right, wrong, unexpected }) => {
    const lesson = lessonOf(id);
    const act = lesson?.steps[step - 1]?.act;
    if (lesson === undefined || act === undefined) throw new Error("no such goal");
    const texts = new Map(
      Object.entries(lesson.texts).map(([name, text]) => [name, compile(text)]),
    );
    const graded = ({ what, text, facts }: Tried) => {
      const world = worldOf(lesson, step - 1, texts, { compiled: compile(text), ...facts });
      if (world === undefined) throw new Error("no world");
      const { isMet, first } = gradeOf(act, world);
      return `${what}: ${isMet ? "met" : `not met, ${first?.words}`}`;
    };
    expect(right.length).toBeGreaterThanOrEqual(3);
    expect(wrong.length).toBeGreaterThanOrEqual(3);
    expect(unexpected.length).toBeGreaterThanOrEqual(1);
    const met = ({ what }: Tried) => `${what}: met`;
    expect([...right, ...unexpected].map(graded)).toEqual([...right, ...unexpected].map(met));
    expect(wrong.map(graded).filter((each) => / met$/.test(each) && !/not met/.test(each))).toEqual(
      [],
    );
  },
);

test.each(challenges.map(({ id }) => [id, id] as const))(
  "%s: no plan that meets it goes below its bound or is better than the best known",
  (_, id) => {
    const lesson = lessonOf(id);
    const plans = lessonPlans.find((each) => each.lesson === id);
    const act = lesson?.steps[(plans?.step ?? 0) - 1]?.act;
    if (lesson === undefined || plans === undefined || act === undefined)
      throw new Error("no goal");
    const texts = new Map(
      Object.entries(lesson.texts).map(([name, text]) => [name, compile(text)]),
    );
    const scores = [...plans.right, ...plans.unexpected].map(({ text }) => {
      const world = worldOf(lesson, plans.step - 1, texts, { compiled: compile(text) });
      return world && scoreOf(act, world);
    });
    expect(scores.filter((score) => score?.isBelowBound !== false || score.isRecord)).toEqual([]);
  },
);

test("every goal of every lesson has its plans", () => {
  const goals = [...lessons, ...challenges].flatMap(({ id, steps }) =>
    steps.flatMap(({ act }, at) => (act === undefined ? [] : [`${id} ${at + 1}`])),
  );
  const planned = lessonPlans.map(({ lesson, step }) => `${lesson} ${step}`);
  expect(planned.sort()).toEqual(goals.sort());
});
