import { expect, test } from "vitest";
import { evaluate, type Host, type Limits } from "./index.ts";

const host: Host = { globals: new Map() };

const hostile: readonly (readonly [string, string])[] = [
  ["an endless loop", "while True: pass"],
  ["an endless loop with work", "x = 0\nwhile True:\n    x = (x * 7 + 3) % 1000003"],
  ["an endless generator", "def g():\n    while True: yield 1\nsum(g())"],
  ["a generator that feeds itself", "def g():\n    yield from g()\nlist(g())"],
  ["a recursion", "def f(n): return f(n + 1)\nf(0)"],
  ["two recursions", "def f(n): return g(n)\ndef g(n): return f(n)\nf(0)"],
  ["a recursion that doubles", "def f(): return f() + f()\nf()"],
  ["a recursion in repr", "class A:\n    def __repr__(self): return repr(self)\nrepr(A())"],
  ["a recursion in a property", "class A:\n    @property\n    def x(self): return self.x\nA().x"],
  [
    "a recursion in __getattr__",
    "class A:\n    def __getattr__(self, n): return getattr(self, n)\nA().x",
  ],
  ["a recursion in __eq__", "class A:\n    def __eq__(self, o): return self == o\nA() == A()"],
  [
    "a recursion over nested expressions",
    `def f(n): return ${"(1 + ".repeat(90)}f(n)${")".repeat(90)}\nf(0)`,
  ],
  ["a tower of powers", "10 ** 10 ** 10"],
  ["a shift", "1 << 10 ** 12"],
  ["growing integers", "x = 1\nfor i in range(10 ** 7): x = x * 3"],
  ["squares", "x = 3\nwhile True: x = x * x"],
  ["a factorial", "import math\nmath.factorial(10 ** 9)"],
  ["combinations", "import math\nmath.comb(10 ** 9, 5 * 10 ** 8)"],
  ["digits of a large integer", "s = 0\nfor i in range(10 ** 6): s += len(str(10 ** 4000))"],
  ["a long text", "x = 'a' * 10 ** 12"],
  ["a text that doubles", "a = 'x'\nfor i in range(100): a = a + a"],
  ["a text of joined texts", "a = 'x' * 10 ** 6\nfor i in range(10 ** 4): a.upper()"],
  ["a text that grows letter by letter", "a = ''\nwhile True: a += 'x'"],
  ["a list of long texts", "[('a' * 10 ** 6 + str(i)).upper() for i in range(10 ** 5)]"],
  ["replacements that multiply", "a = 'x' * 10 ** 5\na.replace('x', a)"],
  ["a wide format", "f'{1:>1000000000}'"],
  ["a precise format", "f'{1.0:.1000000000f}'"],
  ["a wide percent format", "'%1000000000d' % 1"],
  ["a wide field", "'{:>{}}'.format(1, 10 ** 9)"],
  ["justified text", "'a'.ljust(10 ** 10)"],
  ["a long list", "x = [0] * 10 ** 10"],
  ["a list of a range", "list(range(10 ** 12))"],
  ["a comprehension", "[i for i in range(10 ** 12)]"],
  [
    "nested comprehensions",
    "[i + j + k for i in range(10 ** 4) for j in range(10 ** 4) for k in range(10 ** 4)]",
  ],
  ["a set", "set(range(10 ** 12))"],
  ["a list that contains itself", "x = []\nwhile True: x.append(x)"],
  ["lists in lists", "x = []\nwhile True: x = [x]"],
  ["a list that doubles", "x = [0]\nwhile True: x = x + x"],
  ["a list that extends itself", "x = [0]\nwhile True: x.extend(x)"],
  ["a tuple that doubles", "x = (0,)\nwhile True: x = x + x"],
  ["a dict that grows", "d = {}\ni = 0\nwhile True:\n    d[i] = i\n    i += 1"],
  ["a dict that swallows itself", "d = {}\nd['d'] = d\nstr(d)\nwhile 1: d = {'d': d}"],
  ["slices of a long list", "x = [0] * 10 ** 6\nwhile True: x[:]"],
  ["insertions in front", "x = [0] * 10 ** 6\nwhile True: x.insert(0, 1)"],
  ["removals in front", "x = [0] * 10 ** 6\nwhile x: x.pop(0)\nwhile True: pass"],
  ["a sort by a costly key", "x = list(range(10 ** 5))\nwhile True: x.sort(key=lambda v: -v)"],
  ["memberships", "x = list(range(10 ** 5))\nwhile True: -1 in x"],
  ["equal long lists", "x = [0] * 10 ** 6\ny = [0] * 10 ** 6\nwhile True: x == y"],
  ["sums", "while True: sum(range(10 ** 6))"],
  ["an endless map", "import math\nmax(map(abs, iter(int, 1)))"],
  ["endless zips", "x = iter(int, 1)\nlist(zip(x, x))"],
  ["printing", "while True: print('x' * 1000)"],
  ["classes", "while True:\n    class A: pass"],
  ["a deep class tree", "A = object\nwhile True:\n    class B(A): pass\n    A = B"],
  ["exceptions", "while True:\n    try: raise ValueError\n    except ValueError: pass"],
  [
    "except around everything",
    "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
  ],
  [
    "finally around everything",
    "def f():\n    while True:\n        try: return 1\n        finally: continue\nf()",
  ],
  ["a text split into words", "s = 'a ' * 10 ** 6\nwhile True: s.split()"],
  ["tuples as keys", "t = tuple(range(1000))\nwhile True: {t: 1}"],
  ["nested tuples as keys", "t = ()\nfor i in range(100): t = (t, t)\n{t: 1}"],
  ["nested tuples compared", "t = ()\nu = ()\nfor i in range(100): t = (t, t); u = (u, u)\nt == u"],
  ["nested lists shown", "t = []\nfor i in range(100): t = [t, t]\nstr(t)"],
  ["deeply nested lists shown", "t = []\nfor i in range(10 ** 4): t = [t]\nstr(t)"],
  ["open parentheses", "(".repeat(100_000)],
  ["nested parentheses", `${"(".repeat(1000)}${")".repeat(1000)}`],
  ["nested brackets", `${"[".repeat(1000)}${"]".repeat(1000)}`],
  ["nested calls", `${"f(".repeat(1000)}${")".repeat(1000)}`],
  ["nested lambdas", `${"lambda: ".repeat(2000)}1`],
  ["a long sum", `x = ${"1 + ".repeat(50_000)}1`],
  ["a long chain of signs", `x = ${"-".repeat(100_000)}1`],
  ["a long chain of nots", `x = ${"not ".repeat(50_000)}1`],
  ["a long chain of attributes", `x${".a".repeat(50_000)}`],
  ["a long chain of conditions", `x = ${"1 if x else ".repeat(10_000)}1`],
  [
    "deep blocks",
    Array.from({ length: 400 }, (_, depth) => `${" ".repeat(depth)}if 1:\n`).join(""),
  ],
  [
    "nested functions",
    Array.from({ length: 300 }, (_, d) => `${" ".repeat(d)}def f():\n`).join(""),
  ],
  ["garbage", ":=;,.()[]{}".repeat(20_000)],
  ["colons", ":".repeat(250_000)],
  ["prose", "this is no program at all, (it is text) {of words}: \n".repeat(4_000)],
  ["open strings", "'abc\n".repeat(40_000)],
  ["a long line of quotes", '"'.repeat(250_000)],
  ["f-strings in f-strings", `${"f'{".repeat(50_000)}`],
  ["fields of a format", "f'{:=".repeat(40_000)],
  ["an open pattern", `case ${"[".repeat(100_000)}:`],
  ["a long row of managers", `with (${"a as b,".repeat(30_000)}): pass`],
  ["slashes among parameters", `lambda a${",/".repeat(100_000)}: 1`],
  ["starred subscripts", "x[*a".repeat(50_000)],
  ["open floats", `x = ${"5.+".repeat(60_000)}1`],
  ["a long decorator", `@a.b[0](${"x,".repeat(100_000)})\ndef f(): pass`],
  ["too much text", "x = 1\n".repeat(50_000)],
];

/** A tenth of the defaults: enough to show that a text ends, and quick. */
const tenth: Partial<Limits> = {
  steps: 300_000,
  cells: 300_000,
  characters: 5_000_000,
  output: 100_000,
};
const limits = process.env.SOAK ? {} : tenth;

/** A clock that stands still while the machine is busy with other things. */
function stopwatch(): () => number {
  const [started, used] = [performance.now(), process.cpuUsage()];
  return () => Math.min(performance.now() - started, process.cpuUsage(used).user / 1000);
}

test.each(hostile)("%s ends in a diagnostic", (_, source) => {
  const passed = stopwatch();
  const { diagnostics } = evaluate(source, host, { recover: false, limits });
  expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true);
  expect(passed()).toBeLessThan(2000);
});

const slowest = hostile.filter(([name]) =>
  [
    "growing integers",
    "a set",
    "endless zips",
    "nested lists shown",
    "prose",
    "open strings",
  ].includes(name),
);

test.each(slowest)("%s ends within 2 s by the limits as they are", (_, source) => {
  for (const recover of [false, true]) {
    const passed = stopwatch();
    evaluate(source, host, { recover });
    expect(passed()).toBeLessThan(2000);
  }
});

test.each`
  program                                           | code
  ${"while True: pass"}                             | ${"python/limit-steps"}
  ${"def f(): f()\nf()"}                            | ${"python/limit-depth"}
  ${"x = [0] * 10 ** 10"}                           | ${"python/limit-memory"}
  ${"10 ** 10 ** 10"}                               | ${"python/limit-memory"}
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

test("a recursion of ordinary depth is no fault", () => {
  const program = "def f(n): return 0 if n == 0 else 1 + f(n - 1)\nf(150)";
  expect(evaluate(program, host)).toMatchObject({ diagnostics: [], value: { value: 150n } });
});
