import { expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { createParser, parseLibrary, parseProgram } from "./parse.ts";
import type { Statement } from "./syntax.ts";

/** Syntax diagnostics of a text: spans and messages. */
function faults(text: string): readonly string[] {
  return parseProgram(text, true).diagnostics.map(({ span, message }) => {
    return `${span?.from}-${span?.to} ${message}`;
  });
}

function texts(text: string): readonly string[] {
  const { statements } = parseProgram(text, true);
  return statements.map(({ kind, span }) => `${kind} ${text.slice(span.from, span.to)}`);
}

test.each([
  "x = f'{a['b']}' f\"{x!r:>{width}}\" '{}'",
  "x = f'{value:=+9} {y = }'",
  "with (a as b, c.d as e[0],): pass",
  "with (a): pass",
  "x[*a, 1:2, ::3]",
  "x = 5. if y else 1.if z else 2",
  "lambda a, /, *, b=1, **c: (a, b)",
  "@f[0]\ndef g(): pass",
  "for x in *a, b: pass",
  "print = 1",
  "match = case = 1\nmatch(x)\nmatch[0] = 2",
  "match x, y:\n  case [A.b, *_] | {'k': -1} if z: pass",
  "if (n := 10) > 5: pass",
  "x: int = yield_",
  "async_ = a if b else lambda: c",
  "def f(*, a: int = 1, **k) -> 'T': return *a, b",
])("%j is read whole", (text) => {
  expect(faults(text)).toEqual([]);
  expect(texts(text).join("\n")).not.toContain("malformed");
});

test.each`
  text                                      | said
  ${"x = a b"}                              | ${["6-7 invalid syntax"]}
  ${"def f():\n  g(a b)\n  return 1"}       | ${["15-16 invalid syntax. Perhaps you forgot a comma?"]}
  ${"f(1)(a b) = 2"}                        | ${["7-8 invalid syntax"]}
  ${"x = 1_a"}                              | ${["4-6 invalid decimal literal"]}
  ${"'é😀' = 1"}                            | ${["0-5 cannot assign to literal here. Maybe you meant '==' instead of '='?"]}
  ${"x = 'é😀' b"}                          | ${["10-11 invalid syntax"]}
  ${"f(x for x in y, 1)"}                   | ${["2-3 Generator expression must be parenthesized"]}
  ${"x = 1\nglobal x"}                      | ${["6-14 name 'x' is assigned to before global declaration"]}
  ${"print 'a' % b, c"}                     | ${["0-16 Missing parentheses in call to 'print'. Did you mean print(...)?"]}
  ${"if x:\n  a\n    b\n  c"}               | ${["14-15 unexpected indent"]}
  ${`f'{"("}'\nf'{}'`}                      | ${["12-13 f-string: empty expression not allowed"]}
  ${`${"(".repeat(300)}${")".repeat(300)}`} | ${["199-200 too many nested parentheses"]}
  ${`x = ${"-".repeat(300)}1`}              | ${["202-203 too many nested parentheses"]}
`("$text is said to be wrong where it is", ({ text, said }) => {
  expect(faults(text)).toEqual(said);
});

// Messages of CPython 3.11, at the bracket that they name.
test.each`
  text                               | said
  ${"x = (1, 2\ny = 3"}              | ${["4-5 '(' was never closed"]}
  ${"x = {1: (2"}                    | ${["8-9 '(' was never closed"]}
  ${"x = ((1)\ny = 2"}               | ${["4-5 '(' was never closed"]}
  ${"class A(\n    pass"}            | ${["7-8 '(' was never closed"]}
  ${"def f():\n  g(\n  a, b = 1, 2"} | ${["12-13 '(' was never closed"]}
  ${"x = ('('"}                      | ${["4-5 '(' was never closed"]}
  ${"x = 1)"}                        | ${["5-6 unmatched ')'"]}
  ${"x = (1))"}                      | ${["7-8 unmatched ')'"]}
  ${"x = (1, 2]"}                    | ${["9-10 closing parenthesis ']' does not match opening parenthesis '('"]}
  ${"x = {1: [2}"}                   | ${["10-11 closing parenthesis '}' does not match opening parenthesis '['"]}
  ${"x = [i for i in (1, 2]"}        | ${["21-22 closing parenthesis ']' does not match opening parenthesis '('"]}
  ${"x = f((1, 2], 3)"}              | ${["11-12 closing parenthesis ']' does not match opening parenthesis '('"]}
  ${"f(a,\n  b[1\n)"}                | ${["11-12 closing parenthesis ')' does not match opening parenthesis '[' on line 2"]}
  ${"x = [1,\n2,\n3)"}               | ${["12-13 closing parenthesis ')' does not match opening parenthesis '[' on line 1"]}
  ${"[".repeat(2000)}                | ${["199-200 too many nested parentheses"]}
  ${"x = f'{(a}'"}                   | ${["9-10 f-string: closing parenthesis '}' does not match opening parenthesis '('"]}
  ${"x = f'{a)}'"}                   | ${["8-9 f-string: unmatched ')'"]}
  ${"x = f'{a['"}                    | ${["8-9 f-string: unmatched '['"]}
  ${"x = f'{a'"}                     | ${["8-9 f-string: expecting '}'"]}
`("brackets that do not fit are said as CPython says it: $text", ({ text, said }) => {
  expect(faults(text)).toEqual(said);
});

test.each`
  text                          | fixed
  ${"x = f(a, g(b\ny = 1"}      | ${"x = f(a, g(b))\ny = 1"}
  ${"x = [i for i in (1, 2]"}   | ${"x = [i for i in (1, 2)]"}
  ${"x = {1: [2, (3}"}          | ${"x = {1: [2, (3)]}"}
  ${"x = (1, 2]"}               | ${"x = (1, 2)"}
  ${"x = Tensor((8,), 'f32'])"} | ${"x = Tensor((8,), 'f32')"}
  ${"f(a,\n  b[1\n)"}           | ${"f(a,\n  b[1\n])"}
  ${"x = 1)"}                   | ${"x = 1"}
`("the fix of brackets that do not fit: $text", ({ text, fixed }) => {
  const [only, ...others] = parseProgram(text, true).diagnostics;
  expect(others).toEqual([]);
  expect(applyEdits(text, only?.fixes?.[0]?.edits ?? [])).toBe(fixed);
  expect(faults(fixed)).toEqual([]);
});

test.each`
  text                               | read
  ${"x = = 1; y = 2"}                | ${["malformed x = = 1", "assign y = 2"]}
  ${"x = 1\nelse:\n  y = 2\nz = 3"}  | ${["assign x = 1", "malformed else:\n  y = 2", "assign z = 3"]}
  ${"@f\ny = 1"}                     | ${["malformed @f", "assign y = 1"]}
  ${"def f(a b):\n  pass\nx = 1"}    | ${["malformed def f(a b):\n  pass", "assign x = 1"]}
  ${"if x y:\n  a\nelif z:\n  b\nc"} | ${["malformed if x y:\n  a\nelif z:\n  b", "expression c"]}
  ${"try:\n  pass\nx = 1"}           | ${["malformed try:\n  pass", "assign x = 1"]}
  ${"x = f(1, # a\ny = 2"}           | ${["assign x = f(1,", "assign y = 2"]}
`("what stands around a fault is read: $text", ({ text, read }) => {
  expect(texts(text)).toEqual(read);
});

test("the statements in a block that hold no fault are read", () => {
  const [first] = parseProgram("for i in x:\n  a = = 1\n  b = 2\n  return )\n", true).statements;
  const inner: readonly Statement[] = first?.kind === "for" ? first.body : [];
  expect(inner.map(({ kind }) => kind)).toEqual(["malformed", "assign", "return"]);
});

test("blocks before a change are the very same objects", () => {
  const text = "class A:\n  x = 1\n\ndef f():\n  return 1\n\ny = f()\nresult = y\n";
  const parse = createParser();
  const before = parse(text, true).statements;
  const after = parse(`${text.slice(0, -1)} + 1\n`, true).statements;
  expect(after.slice(0, 3).every((statement, at) => statement === before[at])).toBe(true);
  expect(after[3]).not.toEqual(before[3]);
});

test("what goes on with a statement is read with it, however it came there", () => {
  const parse = createParser();
  parse("if x:\n  a = 1\nb = 2\n", true);
  const { statements, diagnostics } = parse("if x:\n  a = 1\nelse: b = 2\n", true);
  expect(diagnostics).toEqual([]);
  expect(statements.map(({ kind }) => kind)).toEqual(["if"]);
});

test("a module of our own stands before the beginning of any text, and must be sound", () => {
  const [first] = parseLibrary("def f(x):\n  return f'{x}'\n");
  expect(first?.span).toEqual({ from: -1, to: -1 });
  expect(() => parseLibrary("x = = 1\n")).toThrow("malformed");
});

test("strings without end do not make reading slow", () => {
  const text = 'f"""{'.repeat(12_000);
  const before = performance.now();
  expect(faults(text).length).toBeGreaterThan(0);
  expect(performance.now() - before).toBeLessThan(5_000);
});
