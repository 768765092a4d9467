import { expect, test } from "vitest";
import { parseProgram } from "./parse.ts";
import { readPlainLines } from "./plain-lines.ts";
import { readPlainStatement } from "./plain-statement.ts";
import { scan } from "./scan.ts";

/** The statements of a text, or its faults, all places counted from a given one. */
function readFrom(text: string, start: number): unknown {
  const { statements, diagnostics } = parseProgram(text, true);
  const read = diagnostics.length > 0 ? diagnostics : statements;
  const own = read.filter(({ span }) => (span?.from ?? 0) >= start);
  return JSON.parse(
    JSON.stringify(own, (key, value) => {
      if (typeof value === "bigint") return `${value}n`;
      return (key === "from" || key === "to") && typeof value === "number" ? value - start : value;
    }),
  );
}

test.each([
  "x = 1",
  "x = f(1)",
  "x = f (1, 'a', \"b\")  # a comment",
  "h1 = matmul(h0, Parameter((1024, 1088), 'bf16'))",
  'strategy(h, b="dp", f=("sp", "mp"))',
  "x = a.b .c(d)(e).g",
  "x = (a)",
  "x = (a,)",
  "x = ((), [], (1, [2, (3)]),)",
  "f(a, b=c,)",
  "x = f(\n    1,\n    (2, 3),\n)",
  "x = [None, True, False]",
])("%s is a plain statement, and the one that the grammar reads", (line) => {
  const to = line.replace(/\s*#.*$/, "").length;
  expect(readPlainStatement(line, 0, to)).toBeDefined();
  expect(readFrom(`pass\n${line}\n`, 5)).toEqual(readFrom(`${line}\n`, 0));
});

test.each([
  "x = 007",
  "x = 1.5",
  "x = a + b",
  "x = 'a' 'b'",
  "x = f'{a}'",
  "x = 'a\\n'",
  "x = y = 1",
  "x == y",
  "(x) = 1",
  "f((a)=1)",
  "f(a=1, 2)",
  "f(a=1, a=2)",
  "f(*a)",
  "f(x for x in y)",
  "x = (,)",
  "x = a if b else c",
  "x, y = z",
  "x[0] = 1",
  "match(x)",
  "print(x)",
  "return x",
  "é = 1",
  "x = 1; y = 2",
])("%s is left to the grammar", (line) => {
  expect(readPlainStatement(line, 0, line.length)).toBeUndefined();
  expect(readFrom(`pass\n${line}\n`, 5)).toEqual(readFrom(`${line}\n`, 0));
});

test.each`
  what                            | text
  ${"a block that goes on"}       | ${"if x:\n  pass\nz = 1\ny = 1\nelse:\n  pass\n"}
  ${"a line that is too deep"}    | ${"pass\ny = 1\n  z = 2\n"}
  ${"the line under a decorator"} | ${"@f\ny = 1\n"}
  ${"what follows a block"}       | ${"def f():\n  return 1\ny = f()\n"}
  ${"a text of carriage returns"} | ${"pass\r\ny = 1\r\n"}
`("$what stays whole", ({ text }) => {
  expect(readPlainLines(text, scan(text).lines).statements).toEqual([]);
});

test("what lies between plain lines is read at its own place", () => {
  const text = "pass\nx = 1\n# a comment\n\ny = x + 1\nz = f(y)\nw = y - z\n";
  const { statements } = parseProgram(text, true);
  expect(statements.map(({ span }) => text.slice(span.from, span.to))).toEqual([
    "pass",
    "x = 1",
    "y = x + 1",
    "z = f(y)",
    "w = y - z",
  ]);
});
