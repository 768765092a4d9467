import { expect, test } from "vitest";
import { compile } from "#compile";
import { lessonFaults } from "./check-lesson.ts";
import { newLesson, plansToTry, withSolution, withStart } from "./edit-lesson.ts";
import { gradeOf, worldOf } from "./grade.ts";
import { lessons } from "./lessons.ts";
import { readLesson } from "./read-lesson.ts";

const board = 'mesh = Mesh(d=4)\nx = Tensor((8, 4))\ny = gelu(x)\nplace(x, layout("d", "None"))\n';
const other = board.replace('"d", "None"', '"None", "d"');
const compiled = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([name, text]) => [name, compile(text)]));

test("a new lesson is one, and stays one with the board as its start and its solution", () => {
  const lesson = newLesson(board);
  const edited = withSolution(withStart(lesson, 0, other), 0, board);
  for (const each of [lesson, edited]) {
    expect(readLesson(JSON.stringify(each))).toEqual({ ok: true, lesson: each });
  }
  expect(edited.texts).toEqual({ start: other, "solution-1": board });
  expect(edited.steps[0]?.show.text).toBe("start");
  expect(edited.steps[0]?.act?.solution).toBe("solution-1");
});

test("a text that other steps show is not changed for them", () => {
  const [first] = lessons;
  if (first === undefined) throw new Error("no lesson");
  const edited = withStart(first, 1, board);
  expect(edited.steps.map(({ show }) => show.text)).toEqual(["uncut", "start-2"]);
  expect(edited.texts["uncut"]).toBe(first.texts["uncut"]);
  const again = withStart(edited, 1, other);
  expect(again.texts["start-2"]).toBe(other);
  expect(withStart(again, 0, other).steps[0]?.show.text).toBe("start-2");
});

test("what is tried against a goal tells a loose one from a tight one", () => {
  const [first] = lessons;
  const [ask, step] = first?.steps ?? [];
  if (first === undefined || ask === undefined || step?.act === undefined) throw new Error("none");
  const passing = (goal: string) => {
    const act = { ...step.act, task: "", goal, solution: "columns" };
    const lesson = { ...first, steps: [ask, { ...step, act }] };
    const texts = compiled(lesson.texts);
    return plansToTry(lesson, 1).flatMap(({ what, text }) => {
      const world = worldOf(lesson, 1, texts, { compiled: compile(text) });
      return world !== undefined && gradeOf(act, world).isMet ? [what] : [];
    });
  };
  expect(passing("bytes = 0")).toContain("the solution without “y = matmul(x, w)”");
  const meshes = passing(`${step.act.goal} and devices = start(devices)`).filter((each) =>
    /axis/.test(each),
  );
  expect(meshes).toEqual([]);
  expect(passing(step.act.goal)).toContain("the text rows");
  expect(lessonFaults(newLesson(board), compiled({ start: board }))).toEqual([]);
});
