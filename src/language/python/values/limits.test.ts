import { expect, test } from "vitest";
import { hostile } from "../hostile.testing.ts";
import { evaluate, type Host } from "../index.ts";
import type { Limits } from "./limits.ts";

const host: Host = { globals: new Map() };

/** Small limits, so that endless texts are stopped quickly. */
const tenth: Partial<Limits> = {
  steps: 300_000,
  cells: 300_000,
  characters: 5_000_000,
  output: 100_000,
};
const limits = process.env.SOAK ? {} : tenth;

test.each(hostile)("%s ends in a diagnostic", (_, source) => {
  const { diagnostics } = evaluate(source, host, { recover: false, limits });
  expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true);
});

test.each`
  program                                           | code
  ${"while True: pass"}                             | ${"python/limit-steps"}
  ${"def f(): f()\nf()"}                            | ${"python/limit-depth"}
  ${"x = [0] * 10 ** 10"}                           | ${"python/limit-memory"}
  ${"10 ** 10 ** 10"}                               | ${"python/limit-memory"}
  ${"x = 1 << 600_000\nx * x"}                      | ${"python/limit-memory"}
  ${"while True: print('x' * 1000)"}                | ${"python/limit-output"}
  ${"try: 10 ** 10 ** 10\nexcept BaseException: 1"} | ${"python/limit-memory"}
`("$program ends with $code", ({ program, code }) => {
  expect(evaluate(program, host).diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
});

test("limits are what the caller says", () => {
  const program = "def f(n): return 0 if n == 0 else f(n - 1)\nf(20)\n[0] * 100";
  const codes = (limits: object) =>
    evaluate(program, host, { limits }).diagnostics.map(({ code }) => code);
  expect(codes({})).toEqual([]);
  expect(codes({ depth: 10 })).toEqual(["python/limit-depth"]);
  expect(codes({ cells: 50 })).toEqual(["python/limit-memory"]);
  expect(codes({ steps: 50 })).toEqual(["python/limit-steps"]);
  expect(codes({ text: 10 })).toEqual(["python/limit-text"]);
});

test("a call into the host counts as the work that it is", () => {
  const made = { kind: "host", data: undefined, type: { name: "made", call: () => made } } as const;
  const globals = new Map([["made", made]]);
  const steps = (program: string) => evaluate(program, { globals }).steps;
  expect(steps("for i in range(100): made()") - steps("for i in range(100): made")).toBeGreaterThan(
    4_000,
  );
});

test("integers as long as the limit are no fault", () => {
  const program = "x = 1 << 500_000\nlen(str(x * x % 10 ** 9)) + (x + x > x)";
  expect(evaluate(program, host)).toMatchObject({ diagnostics: [], value: { value: 10n } });
});

test("a recursion of ordinary depth is no fault", () => {
  const program = "def f(n): return 0 if n == 0 else 1 + f(n - 1)\nf(150)";
  expect(evaluate(program, host)).toMatchObject({ diagnostics: [], value: { value: 150n } });
});

test("tables of positions that a program fills by itself are read", () => {
  const program = `rows = []
for at in range(600):
    rows.append([at / 10000 ** (2 * (i // 2) / 512) for i in range(512)])
len(rows)`;
  expect(evaluate(program, host)).toMatchObject({ diagnostics: [], value: { value: 600n } });
});
