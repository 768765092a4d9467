import fc from "fast-check";
import { expect, test } from "vitest";
import { type Compiled, compile } from "#compile";
import { gradeOf, worldOf } from "./grade.ts";
import type { Act, Lesson } from "./lesson.ts";
import { challenges, lessons } from "./lessons.ts";
import { scoreOf } from "./score.ts";

/** Runs per property; `SOAK` sets the number that the reference asks for. */
const numRuns = process.env.SOAK ? 10_000 : 100;

interface Goal {
  readonly lesson: Lesson;
  readonly at: number;
  readonly act: Act;
}

const goals: readonly Goal[] = [...lessons, ...challenges].flatMap((lesson) =>
  lesson.steps.flatMap(({ act }, at) => (act === undefined ? [] : [{ lesson, at, act }])),
);

const compiledTexts = new Map<string, ReadonlyMap<string, Compiled>>();

/** The texts of a lesson, compiled once. */
function textsOf({ id, texts }: Lesson): ReadonlyMap<string, Compiled> {
  const known =
    compiledTexts.get(id) ??
    new Map(Object.entries(texts).map(([name, text]) => [name, compile(text)]));
  compiledTexts.set(id, known);
  return known;
}

/** Mutation of a text: of its lines, or of one word or number. */
type Change = (text: string, at: number, other: number) => string;

const pick = <T>(all: readonly T[], at: number) => all[at % Math.max(1, all.length)];

function inLines(change: (lines: string[], at: number, other: number) => void): Change {
  return (text, at, other) => {
    const lines = text.split("\n");
    change(lines, at % lines.length, other % lines.length);
    return lines.join("\n");
  };
}

/** Replaces one match of the pattern by another match or by one of `words`. */
function inWords(pattern: RegExp, words: readonly string[]): Change {
  return (text, at, other) => {
    const found = [...text.matchAll(pattern)];
    const one = pick(found, at);
    const word = pick([...words, ...found.map(([each]) => each)], other);
    if (one === undefined || word === undefined) return text;
    return text.slice(0, one.index) + word + text.slice(one.index + one[0].length);
  };
}

const planLines = ["strategy(NAME, m=AXIS)", "strategy(NAME, a=AXIS, k=AXIS)", "strategy(NAME)"];
const placeLines = [
  "place(NAME, layout(AXIS, None))",
  "place(NAME, layout((AXIS,), AXIS))",
  "train(NAME)",
];

/** Adds a plan line about a tensor and a mesh axis of the text. */
const moreLine: Change = (text, at, other) => {
  const names = [...text.matchAll(/^\s*(\w+) = /gmu)].map(([, name = ""]) => name);
  const axes = [...text.matchAll(/(\w+)=\d+/gu)].map(([, name = ""]) => `"${name}"`);
  const line = pick([...planLines, ...placeLines], at) ?? "";
  return `${text}${line
    .replace("NAME", pick(names, other) ?? "x")
    .replaceAll("AXIS", () => pick(axes, at + other) ?? '"d"')}\n`;
};

const changes: readonly Change[] = [
  inLines((lines, at) => lines.splice(at, 1)),
  inLines((lines, at, other) => lines.splice(other, 0, lines[at] ?? "")),
  inLines((lines, at, other) => {
    [lines[at], lines[other]] = [lines[other] ?? "", lines[at] ?? ""];
  }),
  inWords(/\d+/gu, ["0", "1", "3", "-2", "1e9"]),
  inWords(/"\w+"/gu, ['"None"', '"d"', '("a", "b")']),
  inWords(/[A-Za-z_]\w*/gu, ["None", "relu", "matmul"]),
  inWords(/[(),=]/gu, [" ", "("]),
  moreLine,
  moreLine,
];

const nearPlans = fc.record({
  goal: fc.constantFrom(...goals),
  from: fc.nat(9),
  edits: fc.array(fc.tuple(fc.constantFrom(...changes), fc.nat(199), fc.nat(199)), {
    minLength: 1,
    maxLength: 3,
  }),
  view: fc.option(fc.record({ step: fc.nat(9), hop: fc.nat(9) }), { nil: undefined }),
  isEqual: fc.option(fc.boolean(), { nil: undefined }),
});

test("a plan near those of a lesson is graded in words, and none goes below a bound", () => {
  let met = 0;
  fc.assert(
    fc.property(nearPlans, ({ goal: { lesson, at, act }, from, edits, view, isEqual }) => {
      const start = pick(Object.values(lesson.texts), from) ?? "";
      const text = edits.reduce(
        (source, [change, one, other]) => change(source, one, other),
        start,
      );
      const facts = { ...(view && { view }), ...(isEqual !== undefined && { isEqual }) };
      const world = worldOf(lesson, at, textsOf(lesson), { compiled: compile(text), ...facts });
      if (world === undefined) throw new Error("no world");
      const { isMet, conjuncts, first } = gradeOf(act, world);
      expect(conjuncts.length).toBeGreaterThan(0);
      for (const { words } of conjuncts)
        expect(words, text).not.toMatch(/^$|NaN|undefined|Infinity|\[object/u);
      expect(isMet).toBe(first === undefined);
      if (!isMet) return;
      met += 1;
      expect(scoreOf(act, world)?.isBelowBound ?? false, text).toBe(false);
    }),
    { seed: 44, numRuns },
  );
  expect(met).toBeGreaterThan(0);
});
