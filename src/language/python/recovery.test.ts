import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits, positionAt } from "#core/diagnostics";
import type { Evaluation } from "./compiling/evaluate.ts";
import { evaluate, type Host } from "./index.ts";

const host: Host = { globals: new Map() };

/** `line:column message`, for each diagnostic. */
function faults(source: string, { diagnostics }: Evaluation): readonly string[] {
  return diagnostics.map(({ message, span }) => {
    const { line, column } = positionAt(source, span?.from ?? 0);
    return `${line}:${column} ${message}`;
  });
}

test.each`
  source                                                                          | said                                                                                         | output
  ${"a = 1 / 0\nprint(a + 1)\nprint(2)"}                                          | ${["1:5 division by zero"]}                                                                  | ${"2\n"}
  ${"a = b = nope\nc = a\nprint(b, c)"}                                           | ${["1:9 name 'nope' is not defined"]}                                                        | ${""}
  ${"def f(): return 1 / 0\nf()\nprint(1)"}                                       | ${["1:17 division by zero"]}                                                                 | ${"1\n"}
  ${"for i in range(3): x = 1 // (1 - i)\ni"}                                     | ${["1:24 integer division or modulo by zero"]}                                               | ${""}
  ${"if True:\n  nope\n  print(1)\nprint(2)"}                                     | ${["2:3 name 'nope' is not defined"]}                                                        | ${"1\n2\n"}
  ${"class A:\n  x = nope\nA()\nprint(1)"}                                        | ${["2:7 name 'nope' is not defined"]}                                                        | ${"1\n"}
  ${"x = (1,\ny = 2\nprint(x, y)"}                                                | ${["1:5 '(' was never closed"]}                                                              | ${"(1,) 2\n"}
  ${"a b c\nprint(1)"}                                                            | ${["1:3 invalid syntax"]}                                                                    | ${"1\n"}
  ${"x = = 1\nprint(x)\nprint(1)"}                                                | ${["1:5 invalid syntax"]}                                                                    | ${"1\n"}
  ${"def f():\n  x = = 1\n  return 2\nprint(f())"}                                | ${["2:7 invalid syntax"]}                                                                    | ${"2\n"}
  ${"class A:\n  def f(self): return )\n  def g(self): return 3\nprint(A().g())"} | ${["2:23 unmatched ')'"]}                                                                    | ${"3\n"}
  ${"if 1\n  print(1)\nprint(2)"}                                                 | ${["1:5 expected ':'"]}                                                                      | ${"1\n2\n"}
  ${"def f():\nprint(1)"}                                                         | ${["1:1 expected an indented block after function definition on line 1"]}                    | ${"1\n"}
  ${"x = 1\n  y = 2\nprint(x, y)"}                                                | ${["2:3 unexpected indent"]}                                                                 | ${"1 2\n"}
  ${"print('a)\nprint(1)"}                                                        | ${["1:7 unterminated string literal: its closing quote is missing (detected at line 1)"]}    | ${"a\n1\n"}
  ${"```py\nprint(1)\n```"}                                                       | ${['1:1 "```" is the fence of a code block in Markdown, no Python']}                         | ${"1\n"}
  ${"print(‘a’, “b”)"}                                                            | ${["1:7 invalid character '‘' (U+2018): a typographic quote; Python's quotes are ' and \""]} | ${"a b\n"}
  ${"x = 1\u00a0+ 2\nprint(x)"}                                                   | ${["1:6 invalid non-printable character U+00A0"]}                                            | ${"3\n"}
  ${"print 'a'\nprint(1)"}                                                        | ${["1:1 Missing parentheses in call to 'print'. Did you mean print(...)?"]}                  | ${"1\n"}
  ${"return 1\nprint(1)"}                                                         | ${["1:1 'return' outside function"]}                                                         | ${"1\n"}
  ${"    x = 1\n    print(x)"}                                                    | ${[]}                                                                                        | ${"1\n"}
  ${"\ufeffprint(1)"}                                                             | ${[]}                                                                                        | ${"1\n"}
  ${"x = 1j ** 2\nprint(1)"}                                                      | ${["1:5 a power of a complex number is not supported here"]}                                 | ${"1\n"}
  ${"async def f(): return 1\nasync def g(): print(await f())\ng()"}              | ${[]}                                                                                        | ${"1\n"}
  ${"eval('1')\nprint(1)"}                                                        | ${["1:1 eval() is not supported here"]}                                                      | ${"1\n"}
`("what is well-formed around a fault still runs: $source", ({ source, said, output }) => {
  const result = evaluate(source, host, { recover: true });
  expect(faults(source, result)).toEqual(said);
  expect(result.output).toBe(output);
});

test.each(["a = 1 / 0\nprint(2)", "x = (1,\nprint(2)", "print(2)\ny = = 1", "    print(1)"])(
  "a strict reading stops at the first fault: %s",
  (source) => {
    const { diagnostics, output } = evaluate(source, host, { recover: false });
    expect(output).toBe("");
    expect(diagnostics.filter(({ severity }) => severity === "error")).toHaveLength(1);
  },
);

test.each([
  "```py\nprint(1)\n```\n",
  "x = ‘a’\ny = “b”\n",
  "f = print\nf('a, 1)\n",
  "x = [1, 2\nprint(x)\n",
  "if 1\n  print(1)\n",
  "class A:\n\nx = 1\n",
  "x = 1\u00a0+ 2\n",
])("the fix of %j leaves nothing to complain about", (source) => {
  const [first] = evaluate(source, host).diagnostics;
  const edits = first?.fixes?.[0]?.edits ?? [];
  expect(edits.length).toBeGreaterThan(0);
  expect(evaluate(applyEdits(source, edits), host).diagnostics).toEqual([]);
});

test("places stay those of the text as given when something was repaired before them", () => {
  const source = "```py\nprint('a)\nx = yield_ + (1\nprint(nope)\n```";
  expect(faults(source, evaluate(source, host))).toEqual([
    '1:1 "```" is the fence of a code block in Markdown, no Python',
    "2:7 unterminated string literal: its closing quote is missing (detected at line 2)",
    "3:14 '(' was never closed",
    "3:5 name 'yield_' is not defined",
    "4:7 name 'nope' is not defined",
  ]);
});

test("an exception says its kind, its place and the calls that led to it", () => {
  const source = "def f(x):\n  return g(x)\ndef g(y):\n  return y['k']\nf({})";
  const [fault] = evaluate(source, host).diagnostics;
  expect(fault).toMatchObject({
    code: "python/key-error",
    severity: "error",
    upstream: "KeyError",
    message: "'k'",
    span: { from: source.indexOf("y['k']"), to: source.indexOf("y['k']") + 6 },
    related: [
      { message: "in the call of g()", span: { from: source.indexOf("g(x)") } },
      { message: "in the call of f()", span: { from: source.indexOf("f({})") } },
    ],
  });
});

test("what the host gives for an undefined name is used, and the rest is a NameError", () => {
  const asked: string[] = [];
  const lenient: Host = {
    globals: new Map(),
    undefinedName: (name, span) => {
      asked.push(`${name}@${span.from}`);
      return name === "known" ? { kind: "int", value: 4n } : undefined;
    },
  };
  const { diagnostics, value } = evaluate("known + 1\nother\nknown * 2", lenient);
  expect(asked).toEqual(["known@0", "other@10", "known@16"]);
  expect(diagnostics).toMatchObject([{ upstream: "NameError", span: { from: 10, to: 15 } }]);
  expect(value).toEqual({ kind: "int", value: 8n });
});

const samples = [
  "@nn.op('a b -> c', name=\"x\")\ndef f(x: T, *, h: float = 1.0) -> T:\n    '''doc'''\n    out = x.view(h, x.size(0) // h)\n    return out\n",
  "class Net(nn.Cell):\n    def __init__(self, n=2):\n        super().__init__()\n        self.ops = [ops.MatMul().shard(((4, 1), (1, 1))) for _ in range(n)]\n    def construct(self, x, w):\n        for op in self.ops:\n            x = op(x, w)\n        return x\n",
  "x = [i ** 2 for i in range(10) if i % 2]\nprint(f'{x!r:>40} {sum(x):,}', {'a': 1, **{}}, sep='')\ntry:\n    x[99]\nexcept (IndexError, KeyError) as e:\n    print(e)\nelse:\n    pass\nfinally:\n    del x\n",
  "def g(n):\n    while n:\n        got = yield n\n        n -= 1 if got is None else got\n    return 'end'\nmatch list(g(3)):\n    case [a, *b] if a > 1: print(a, b)\nwith open_() as f, h: pass\nlambda a, *b, c=1, **d: (a, b[::2], c, not d)\n",
];

test.each(samples)("every prefix of a program is read without a throw: %s", (sample) => {
  for (let end = 0; end <= sample.length; end += 1) {
    const source = sample.slice(0, end);
    const { diagnostics } = evaluate(source, host, { recover: end % 2 === 0 });
    for (const { span } of diagnostics) {
      expect(span?.from).toBeGreaterThanOrEqual(0);
      expect(span?.to).toBeLessThanOrEqual(source.length + 1);
    }
  }
});

test("a text with pieces exchanged, doubled or lost is read without a throw", () => {
  const piece = fc.oneof(
    fc.constantFrom(..."()[]{}:,.='\"\n \t\\@*#;ü‘`0aλ"),
    fc.constantFrom(
      "'''",
      "def ",
      "class A:",
      "lambda",
      "yield",
      "    ",
      "f'{",
      "not ",
      "for x in",
      "==",
    ),
  );
  const change = fc.record({ at: fc.nat(400), cut: fc.nat(6), insert: piece });
  const mutant = fc
    .tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([sample, changes]) =>
      changes.reduce(
        (text, { at, cut, insert }) => text.slice(0, at) + insert + text.slice(at + cut),
        sample,
      ),
    );
  fc.assert(
    fc.property(mutant, fc.boolean(), (source, recover) => {
      const limits = { steps: 100_000 };
      const { diagnostics } = evaluate(source, host, { recover, limits });
      expect(diagnostics.every(({ span }) => span !== undefined && span.from <= span.to)).toBe(
        true,
      );
    }),
    { seed: 1, numRuns: process.env.SOAK ? 50_000 : 160 },
  );
});

test.each`
  source                                                | line
  ${"if 1:\n\tx = 1\n        y = 2"}                    | ${3}
  ${"if 1:\n        x = 1\n\ty = 2"}                    | ${3}
  ${"if 1:\n  x = 1\n\ty = 2"}                          | ${3}
  ${"def f(x):\n\tif x:\n        return 1\n\treturn 2"} | ${3}
`("tabs and spaces that nobody can tell apart are a TabError: $source", ({ source, line }) => {
  const { diagnostics } = evaluate(source, host, { recover: true });
  const [first] = diagnostics;
  expect(first?.upstream).toBe("TabError");
  expect(positionAt(source, first?.span?.from ?? 0).line).toBe(line);
});

test.each`
  source
  ${"if 1:\n\tx = 1\n\ty = 2\nprint(x, y)"}
  ${"if 1:\n\tif 1:\n\t  x = 1\n\t  y = 2\nprint(x, y)"}
  ${"if 1:\n  if 1:\n  \tx = 1\n  \ty = 2\nprint(x, y)"}
`("tabs that stand alike are none: $source", ({ source }) => {
  expect(evaluate(source, host).output).toBe("1 2\n");
});
