import { expect, test } from "vitest";
import { evaluate, type Host } from "./index.ts";

const host: Host = { globals: new Map() };

const values = [
  "1",
  "1.5",
  "'a'",
  "True",
  "None",
  "...",
  "()",
  "[]",
  "{}",
  "{1}",
  "range(3)",
  "slice(1)",
  "(lambda: 0)",
  "print",
  "int",
  "ValueError",
  "ValueError('x')",
  "A",
  "A()",
  "A().m",
  "A.m",
  "A.p",
  "A.__dict__ if False else property()",
  "iter([])",
  "(x for x in [])",
  "{}.items()",
  "'a'.upper",
  "[].append",
  "math",
  "math.sqrt",
  "super(A, A())",
  "NotImplemented",
  "functools.partial(print)",
];

const names = [
  "constructor",
  "__proto__",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "__lookupGetter__",
  "call",
  "apply",
  "bind",
  "kind",
  "items_",
  "attributes",
  "entries",
  "run",
  "native",
  "__globals__",
  "__builtins__",
  "__subclasses__",
  "__code__",
  "__closure__",
  "__import__",
  "__loader__",
  "__self_class__",
  "gi_frame",
];

const start =
  "import math, functools\nclass A:\n  def m(self): pass\n  @property\n  def p(self): return 1\n";

test.each(values)("%s shows nothing of the machine it runs on", (value) => {
  const reads = names.map((name) => `(${value}).${name}`);
  const gets = names.map((name) => `getattr(${value}, ${JSON.stringify(name)})`);
  const formats = names.map((name) => `"{0.${name}}".format(${value})`);
  const lines = [...reads, ...gets, ...formats];
  const { diagnostics } = evaluate(start + lines.join("\n"), host, { recover: true });
  expect(diagnostics.map(({ upstream }) => upstream)).toEqual(lines.map(() => "AttributeError"));
});

test.each([
  ...names.filter((name) => name !== "__import__"),
  "globalThis",
  "process",
  "require",
  "window",
  "self",
  "eval_",
  "Function",
  "undefined",
  "NaN",
])("%s is no name of the language", (name) => {
  expect(evaluate(name, host).diagnostics).toMatchObject([{ upstream: "NameError" }]);
  expect(evaluate(`import ${name}`, host).diagnostics).toMatchObject([
    { upstream: "ModuleNotFoundError" },
  ]);
});

test.each([
  "eval('1')",
  "exec('1')",
  "compile('1', '', 'eval')",
  "open('/etc/passwd')",
  "input()",
  "globals()",
  "__import__('os')",
])("%s is refused", (program) => {
  expect(evaluate(program, host).diagnostics).toMatchObject([{ code: "python/not-supported" }]);
});

test("odd names of the language's own are data and nothing more", () => {
  const program = [
    "class constructor:",
    "  __proto__ = 1",
    "  def toString(self): return 'x'",
    "d = {'__proto__': 1, 'constructor': 2}",
    "d['hasOwnProperty'] = 3",
    "def valueOf(__proto__, prototype=2): return (__proto__, prototype)",
    "o = constructor()",
    "o.prototype = 5",
    "print(d, constructor.__proto__, o.toString(), valueOf(1), valueOf(__proto__=3), o.prototype, vars(o))",
    "print('{constructor}'.format(constructor=4), '%(__proto__)s' % {'__proto__': 6})",
  ].join("\n");
  expect(evaluate(program, host)).toMatchObject({
    diagnostics: [],
    output:
      "{'__proto__': 1, 'constructor': 2, 'hasOwnProperty': 3} 1 x (1, 2) (3, 2) 5 {'prototype': 5}\n4 6\n",
  });
});
