import { expect, test } from "vitest";
import { shareStructure, shareStructureExactly } from "./share-structure.ts";

const before = {
  mesh: { size: 4 },
  operators: [
    { id: "a", call: "f(x)", span: { from: 0, to: 4 } },
    { id: "b", call: "f(a)", span: { from: 5, to: 9 } },
    { id: "c", call: "f(b)", span: { from: 10, to: 14 } },
  ],
  plans: new Map([
    ["a", { cuts: ["dp"] }],
    ["b", { cuts: ["mp"] }],
  ]),
};

test("what says the same is the object of before, wherever it stands in the text", () => {
  const after = structuredClone(before);
  for (const operator of after.operators) {
    operator.span.from += 7;
    operator.span.to += 7;
  }
  expect(shareStructure(before, after)).toBe(before);
});

test("of a value that has to be exact, what stands elsewhere in the text is new", () => {
  const after = structuredClone(before);
  const [, moved] = after.operators;
  if (moved !== undefined) moved.span.from += 1;
  const result = shareStructureExactly(before, after);
  expect(result).toEqual(after);
  expect(result.operators[0]).toBe(before.operators[0]);
  expect(result.operators[1]).not.toBe(before.operators[1]);
  expect(shareStructureExactly(before, structuredClone(before))).toBe(before);
});

test("only what was changed and what holds it is new", () => {
  const after = structuredClone(before);
  const [, changed] = after.operators;
  if (changed !== undefined) changed.call = "g(a)";
  const result = shareStructure(before, after);
  expect(result).toEqual(after);
  expect(result.operators[0]).toBe(before.operators[0]);
  expect(result.operators[1]).not.toBe(before.operators[1]);
  expect(result.operators[2]).toBe(before.operators[2]);
  expect(result.mesh).toBe(before.mesh);
  expect(result.plans).toBe(before.plans);
});

test("entries are found again behind one that came or went", () => {
  const after = structuredClone(before);
  after.operators.splice(1, 1);
  after.plans.delete("a");
  const result = shareStructure(before, after);
  expect(result).toEqual(after);
  expect(result.operators[1]).toBe(before.operators[2]);
  expect(result.plans.get("b")).toBe(before.plans.get("b"));
  const back = shareStructure(result, before);
  expect(back).toEqual(before);
  expect(back.operators[2]).toBe(before.operators[2]);
});

test.each([
  [
    [1, 2],
    [1, 2, 3],
  ],
  [
    [1, 2, 3],
    [1, 2],
  ],
  [{ a: 1 }, { a: 1, b: undefined }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [[], {}],
  [new Map(), {}],
  [new Map([["a", 1]]), new Map([["b", 1]])],
  [
    new Map([
      ["a", 1],
      ["b", 2],
    ]),
    new Map([
      ["b", 2],
      ["a", 1],
    ]),
  ],
  [{ span: { from: 0, to: 1 } }, {}],
  [{}, { span: { from: 0, to: 1 } }],
  [undefined, { a: 1 }],
  [{ a: 0 }, { a: "0" }],
])("%j does not say the same as %j", (one, other) => {
  for (const result of [
    shareStructure<unknown>(one, other),
    shareStructureExactly<unknown>(one, other),
  ]) {
    expect(result).toStrictEqual(other);
    expect(result).not.toBe(one);
  }
});

test("a set is that of before where it has the same in the same order, else that behind", () => {
  const before = { names: new Set(["a", "b"]) };
  expect(shareStructure(before, { names: new Set(["a", "b"]) })).toBe(before);
  for (const names of [["a"], ["a", "b", "c"], ["b", "a"], ["a", "c"]]) {
    expect([...shareStructureExactly(before, { names: new Set(names) }).names]).toEqual(names);
  }
});
