import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { System } from "#systems/system";

let planAnswer: typeof import("../../../cli/commands/plan.ts").planAnswer;
let exportAnswer: typeof import("../../../cli/commands/export.ts").exportAnswer;

// A module graph of its own, whose list of systems has one more line for the new system.
beforeAll(async () => {
  vi.resetModules();
  const { systems } = await import("../../systems.ts");
  (systems as System[]).push((await import("./toy.testing.ts")).toy);
  ({ planAnswer } = await import("../../../cli/commands/plan.ts"));
  ({ exportAnswer } = await import("../../../cli/commands/export.ts"));
});

// Test files share their modules; the reset keeps this system out of the others.
afterAll(() => {
  vi.resetModules();
});

const program = `import toy
mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 4))
h = toy.twice(x)
y = toy.spread(h)
`;

test("a folder and its line in a list are a system: its words are read and its policy holds", () => {
  const answer = planAnswer({ program });
  expect(answer).toMatchObject({ ok: true, diagnostics: [] });
  const operators = answer.operators as readonly { readonly op: string }[];
  expect(operators.map(({ op }) => op)).toEqual(["twice", "spread"]);
  expect(operators[1]).toMatchObject({ strategy: { a: ["dp"] }, status: "set" });
});

test("its words are there without an import, and say what is wrong with a call", () => {
  const found = planAnswer({ program: program.replace("import toy\n", "") });
  expect(found.ok).toBe(true);
  const wrong = planAnswer({ program: program.replace("toy.twice(x)", "toy.twice(3)") });
  expect(wrong.diagnostics.map(({ message }) => message)).toContain("twice() takes a tensor");
});

test("its exporter writes the plan", () => {
  const answer = exportAnswer({ program, to: "toy" });
  expect(answer.diagnostics).toEqual([]);
  expect(answer).toMatchObject({ ok: true, claims: { operators: 2 } });
  expect(answer.files).toMatchObject([{ name: "plan.py", text: "twice h\nspread y\n" }, {}]);
});

test("it takes sixty lines at most", () => {
  const text = readFileSync(new URL("./toy.testing.ts", import.meta.url), "utf8");
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
});
