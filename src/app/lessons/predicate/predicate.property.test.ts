import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "#compile";
import { smallPrograms, textOf } from "../../../planner/small-programs.testing.ts";
import { challenges, lessons } from "../lessons.ts";
import { parseSentence } from "../sentence.ts";
import { conjunctsOf } from "./conjuncts.ts";
import { parseFigure, parsePredicate } from "./parse.ts";

/**
 * Number of runs per property. It is small because each run evaluates a whole plan; `SOAK` raises
 * it.
 */
const numRuns = process.env.SOAK ? 10_000 : 150;

const names = fc.constantFrom("x", "w", "h0", "h1", "q", "y", "h0.grad");
const numbers = fc.oneof(
  fc.constantFrom("bytes", "time", "compute", "memory", "optimizer", "devices", "0", "1.5", "1e9"),
  names.map((name) => `size(${name})`),
  names.map((name) => `local(${name})`),
  fc.constantFrom("count(all-gather)", "count(all-reduce, backward)", "bytes(a)", "of(b, time)"),
);
const sums = fc.letrec<{ sum: string }>((tie) => ({
  sum: fc.oneof(
    { depthSize: "small" },
    numbers,
    tie("sum").map((sum) => `start(${sum})`),
    tie("sum").map((sum) => `best(${sum})`),
    fc
      .tuple(tie("sum"), fc.constantFrom("+", "-", "*", "×", "/"), tie("sum"))
      .map(([a, by, b]) => `(${a}) ${by} (${b})`),
  ),
})).sum;
const truths = fc.oneof(
  fc.constantFrom("ok", "same(program)", "equal", "proven", "at(1)", "at(2, 3)"),
  fc.constantFrom("same(lines)", "same(machine)", 'mesh = "4"', "count = 1", "memory <= room"),
  names.map((n) => `rest(${n}) = "a,_"`),
  fc.tuple(sums, fc.constantFrom("=", "≠", "<", "<=", ">", "≥"), sums).map((all) => all.join(" ")),
  fc
    .tuple(names, fc.constantFrom("_,_", "a,_", "_,a*b|b"))
    .map(([n, l]) => `layout(${n}) = "${l}"`),
  fc.tuple(names, fc.constantFrom("m", "a", "k")).map(([n, i]) => `strategy(${n}).${i} ≠ a`),
  fc.tuple(fc.nat(9), names).map(([device, name]) => `hold(${device}, ${name}) = "0:1"`),
);
const conditions = fc
  .array(fc.tuple(fc.constantFrom("and", "or", "and not"), truths), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([by, truth], at) => (at === 0 ? truth : `${by} ${truth}`)).join(" "));

const goals = [...lessons, ...challenges].flatMap(({ steps }) =>
  steps.flatMap(({ act }) => act?.goal ?? []),
);

test("no plan breaks a condition, and every part of it is answered", () => {
  const plans = fc.tuple(
    smallPrograms,
    smallPrograms,
    fc.oneof(conditions, fc.constantFrom(...goals)),
  );
  let read = 0;
  fc.assert(
    fc.property(plans, ([one, other, condition]) => {
      const parsed = parsePredicate(condition);
      if (!parsed.ok) return;
      read += 1;
      const [now, start] = [one, other].map((each) => ({ compiled: compile(textOf(each)) }));
      if (now === undefined) return;
      const of = (text: string) => (text === "b" ? undefined : start);
      for (const { isMet, words } of conjunctsOf(parsed.value, condition, { now, of })) {
        expect(typeof isMet).toBe("boolean");
        expect(words).not.toBe("");
        expect(words).not.toMatch(/NaN|undefined|\[object/);
      }
    }),
    { seed: 44, numRuns },
  );
  expect(read).toBeGreaterThan(numRuns / 2);
});

const bits = fc.constantFrom(
  ...[
    "ok",
    "and",
    "or",
    "not",
    "bytes",
    "count",
    "(",
    ")",
    ",",
    ".",
    "=",
    "≤",
    "<",
    "*",
    "-",
    "1e9",
  ],
  ...[
    '"',
    '"a"',
    "all-gather",
    "start",
    "of",
    "strategy",
    "y",
    "é",
    "\n",
    "\0",
    "}",
    "constructor",
  ],
);
const anyText = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.array(bits, { maxLength: 30 }).map((parts) => parts.join(" ")),
  fc.array(bits, { maxLength: 30 }).map((parts) => parts.join("")),
);

test("no text breaks the parser: it is read, or what is wrong stands in it", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const parsed of [parsePredicate(text), parseFigure(text)]) {
        if (parsed.ok) continue;
        const { message, span } = parsed.fault;
        expect(message).not.toBe("");
        expect(span.from).toBeGreaterThanOrEqual(0);
        expect(span.to).toBeGreaterThanOrEqual(span.from);
        expect(span.to).toBeLessThanOrEqual(text.length);
      }
    }),
    { seed: 44, numRuns: process.env.SOAK ? 100_000 : 2_000 },
  );
});

test("a sentence keeps all of its plain text", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { pieces } = parseSentence(text);
      const plain = pieces.every(({ kind }) => kind === "plain");
      if (plain)
        expect(pieces.map((each) => ("text" in each ? each.text : "")).join("")).toBe(text);
    }),
    { seed: 44, numRuns: 2_000 },
  );
});
