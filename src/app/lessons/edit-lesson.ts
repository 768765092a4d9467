import type { Act, Lesson, LessonStep } from "./lesson.ts";

/**
 * New lesson as a starting point for an author: one question and one task about the plan on the
 * board.
 */
export function newLesson(board: string): Lesson {
  return {
    id: "my-lesson",
    title: "A lesson of mine",
    chapter: "Mine",
    minutes: 5,
    needs: [],
    words: [],
    texts: { start: board },
    steps: [
      {
        say: "What is to be seen: a plan on {devices} devices that sends {bytes}.",
        show: { text: "start" },
        ask: {
          kind: "number",
          question: "How many bytes does the busiest device receive?",
          unit: "bytes",
          value: "bytes",
          tolerance: 0.03,
          hides: ["comm"],
        },
        reveal: "It is {bytes:exact}.",
        hints: [],
        claims: [],
      },
    ],
  };
}

/** The lesson with another text at the start of a step. */
export function withStart(lesson: Lesson, at: number, text: string): Lesson {
  const { texts, name } = named(lesson, at, "start", text);
  return changedStep({ ...lesson, texts }, at, (step) => ({
    ...step,
    show: { ...step.show, text: name },
  }));
}

/** The lesson with another solution for a step; a step without a task gets a default one. */
export function withSolution(lesson: Lesson, at: number, text: string): Lesson {
  const { texts, name } = named(lesson, at, "solution", text);
  const task: Act = {
    task: "Change the plan.",
    goal: "ok and same(program)",
    solution: name,
  };
  return changedStep({ ...lesson, texts }, at, (step) => ({
    ...step,
    act: { ...(step.act ?? task), solution: name },
  }));
}

/**
 * Texts of the lesson including `text`, and its name. A known text keeps its name; a text that only
 * this step uses is overwritten.
 */
function named({ texts, steps }: Lesson, at: number, what: "start" | "solution", text: string) {
  const known = Object.keys(texts).find((name) => texts[name] === text);
  if (known !== undefined) return { texts, name: known };
  const own = what === "start" ? steps[at]?.show.text : steps[at]?.act?.solution;
  const uses = steps.flatMap(({ show, act }) => [show.text, act?.solution]);
  const isAlone = own !== undefined && uses.filter((name) => name === own).length === 1;
  const name = isAlone ? own : freeName(texts, `${what}-${at + 1}`);
  return { texts: { ...texts, [name]: text }, name };
}

function freeName(texts: Lesson["texts"], wish: string): string {
  let name = wish;
  for (let count = 2; Object.hasOwn(texts, name); count += 1) name = `${wish}-${count}`;
  return name;
}

function changedStep(lesson: Lesson, at: number, change: (step: LessonStep) => LessonStep): Lesson {
  const steps = lesson.steps.map((step, place) => (place === at ? change(step) : step));
  return { ...lesson, steps };
}

/** Plan to try against a goal, with a description of its origin. */
export interface TriedPlan {
  readonly what: string;
  readonly text: string;
}

/** The most plans tried against one goal. */
const mostTried = 60;

/**
 * Plans similar to the solution of a step, to see which of them its goal accepts: the lesson's
 * other texts and changed solutions. The changes: one line removed, other mesh sizes, other
 * hardware.
 */
export function plansToTry(lesson: Lesson, at: number): readonly TriedPlan[] {
  const solution = lesson.steps[at]?.act?.solution ?? "";
  const text = lesson.texts[solution] ?? "";
  const others = Object.entries(lesson.texts)
    .filter(([name]) => name !== solution)
    .map(([name, other]) => ({ what: `the text ${name}`, text: other }));
  const lines = text.split("\n");
  const without = lines.flatMap((line, place) => {
    if (line.trim() === "" || line.trim().startsWith("#")) return [];
    const rest = lines.filter((_, each) => each !== place).join("\n");
    return [{ what: `the solution without “${line.trim()}”`, text: rest }];
  });
  const mesh = /Mesh\(([^)]*)\)/u.exec(text);
  const onMesh = (what: string, inside: string) =>
    mesh === null ? [] : [{ what, text: text.replace(mesh[0], `Mesh(${inside})`) }];
  const inside = mesh?.[1] ?? "";
  const resized = (by: (size: number) => number) =>
    inside.replaceAll(/=\s*(\d+)/gu, (_, size: string) => `=${by(Number(size))}`);
  const tried = [
    ...others,
    ...onMesh(
      "the solution on one device",
      resized(() => 1),
    ),
    ...onMesh(
      "the solution on half of each axis",
      resized((size) => Math.max(1, (size / 2) | 0)),
    ),
    ...onMesh(
      "the solution on twice of each axis",
      resized((size) => size * 2),
    ),
    ...(inside.includes("hardware")
      ? []
      : onMesh("the solution on an H100", `${inside}, hardware="H100"`)),
    ...without,
  ];
  const seen = new Set([text]);
  const fresh = tried.filter((each) => !seen.has(each.text) && seen.add(each.text));
  return fresh.slice(0, mostTried);
}
