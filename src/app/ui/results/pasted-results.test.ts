import fc from "fast-check";
import { expect, test } from "vitest";
import { gradeResult, lessonOf, modelOf, printResult, readResult, versionOf } from "#app/lessons";
import { decodeText, encodeText } from "#app/share";
import { compile } from "#compile";
import {
  cellsOf,
  csvOf,
  mostLinks,
  type ResultRow,
  readPasted,
  sortedRows,
} from "./pasted-results.ts";

const lesson = lessonOf("summed-dim");
if (lesson === undefined) throw new Error("no such lesson");
const texts = new Map(Object.entries(lesson.texts).map(([name, text]) => [name, compile(text)]));
const whole = {
  lesson: lesson.id,
  version: versionOf(lesson),
  model: modelOf(texts),
  answers: new Map([[1, { kind: "number", value: 3_145_728 } as const]]),
  plans: new Map([[2, lesson.texts["scattered"] ?? ""]]),
};
const link = encodeText("result", printResult(whole));
const address = `https://host/app/${link}`;

test("a link gives its result back, and its plans and answers are graded anew", () => {
  const [read] = readPasted(address);
  expect(read).toEqual({ line: 1, name: "", kind: "result", result: whole });
  const graded = (changes: Partial<typeof whole>) => {
    const result = { ...whole, ...changes };
    const plans = new Map([...result.plans].map(([step, text]) => [step, compile(text)]));
    return gradeResult(result, lesson, texts, plans);
  };
  const all = { right: 1, asked: 1, met: 1, goals: 1, believed: 0, notes: [] };
  expect(graded({})).toEqual(all);
  expect(graded({ plans: new Map([[2, lesson.texts["summed"] ?? ""]]) })).toMatchObject({ met: 0 });
  expect(graded({ answers: new Map() })).toMatchObject({ right: 0, asked: 1 });
  const { notes } = graded({ version: "0", model: "1" });
  expect(notes).toEqual([
    "made with another version of the lesson",
    "made with another model of costs",
  ]);
});

test.each([
  ["Ada, {}", "Ada"],
  ["{} Ada Lovelace", "Ada Lovelace"],
  ['"Lovelace, Ada";{}', "Lovelace Ada"],
  ["  {}  ", ""],
])("the name of %s is %s", (line, name) => {
  expect(readPasted(line.replace("{}", address))).toEqual([
    expect.objectContaining({ name, kind: "result" }),
  ]);
});

test("what is broken is named with its line, and the others stand", () => {
  const cut = address.slice(0, -9);
  const changed = `${address.slice(0, -3)}AAA`;
  const alien = encodeText("result", '{"v": 1, "lesson": "<b>"}');
  const newer = encodeText("result", '{"v": 2}');
  const lines = ["Ada", "", cut, `Bob ${changed}`, alien, newer, `Cy ${address}`];
  expect(readPasted(lines.join("\n")).map((each) => [each.line, each.kind])).toEqual([
    [1, "fault"],
    [3, "fault"],
    [4, "fault"],
    [5, "fault"],
    [6, "fault"],
    [7, "result"],
  ]);
  const whys = readPasted(lines.join("\n")).flatMap((each) =>
    each.kind === "fault" ? [each.why] : [],
  );
  expect(whys.join("\n")).toMatch(
    /no result link stands here\n.*damaged.*\n.*damaged.*\nthe result names no lesson\n.*newer version/,
  );
});

test("more than the most links are not read, and that is said", () => {
  const many = readPasted(`${address}\n`.repeat(mostLinks + 5));
  expect(many).toHaveLength(mostLinks + 1);
  expect(many.at(-1)).toMatchObject({ line: mostLinks + 1, kind: "fault" });
  expect(readPasted("x".repeat(8_000_001))).toMatchObject([{ kind: "fault" }]);
});

test("nothing that is pasted, and no JSON in a result, breaks the page", () => {
  const parts = fc.constantFrom(
    "https://h/#result=",
    link,
    "#lesson=",
    "#lesson={",
    "1.0.",
    "\n",
    ",",
  );
  const pasted = fc.array(fc.oneof(parts, fc.string())).map((all) => all.join(""));
  fc.assert(
    fc.property(pasted, (text) => {
      for (const each of readPasted(text)) expect(each.line).toBeGreaterThan(0);
    }),
  );
  const { lesson: id, version, model } = whole;
  const hostile = fc.record({ answers: fc.jsonValue(), plans: fc.jsonValue() });
  fc.assert(
    fc.property(hostile, fc.boolean(), (rest, isNamed) => {
      const value = { v: 1, ...(isNamed && { lesson: id, version, model }), ...rest };
      const read = readResult(JSON.stringify(value));
      if (!read.ok) return;
      const plans = new Map([...read.result.plans.keys()].map((step) => [step, compile("")]));
      expect(gradeResult(read.result, lesson, texts, plans).asked).toBe(1);
    }),
  );
});

test("a text of a link is one of its own kind", () => {
  expect(decodeText("lesson", link)).toMatchObject({ kind: "refused" });
  expect(decodeText("result", encodeText("lesson", "{}"))).toMatchObject({ kind: "refused" });
  expect(decodeText("result", `${"#result="}${"a".repeat(70_000)}`)).toMatchObject({
    refusal: "too-large",
  });
});

const row = (line: number, name: string, right?: number): ResultRow => ({
  ...{ line, name, lesson: "Lesson" },
  ...(right === undefined
    ? { fault: "broken" }
    : { graded: { right, asked: 2, met: 1, goals: 1, believed: 0, notes: [] } }),
});

test("rows are sorted by any column, and what has no value comes last", () => {
  const rows = [row(1, "b", 10), row(2, "a"), row(3, "c", 9), row(4, "", 2)];
  const order = (column: number, isDown: boolean) =>
    sortedRows(rows, column, isDown).map(({ line }) => line);
  expect(order(3, false)).toEqual([4, 3, 1, 2]);
  expect(order(3, true)).toEqual([1, 3, 4, 2]);
  expect(order(1, false)).toEqual([2, 1, 3, 4]);
  expect(order(0, true)).toEqual([4, 3, 2, 1]);
});

test("CSV quotes what it must, and no cell is a formula", () => {
  const csv = csvOf([row(1, '=1+1,"x"', 2), row(2, "-2")]);
  expect(csv).toBe(
    [
      "Line,Name,Lesson,Right answers,Asked,Goals met,Goals,Stars,Score,Notes",
      `1,"'=1+1,""x""",Lesson,2,2,1,1,,,`,
      "2,'-2,Lesson,,,,,,,broken",
      "",
    ].join("\r\n"),
  );
  expect(cellsOf(row(1, "a", 2))).toHaveLength(10);
});
