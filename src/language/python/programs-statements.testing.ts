import fc from "fast-check";
import { expressions, filled } from "./programs-expressions.testing.ts";

type Text = fc.Arbitrary<string>;

const { int, float, str, bool, list, dict, set, tuple, words, any } = expressions;

/** Beginning of every program: names of each type, some functions and classes. */
const prelude = `import math
from collections import namedtuple
i, j, p = 2, 7, True
x, y = 1.5, -0.25
s, t = 'hello', 'World a'
L, M = [5, 3, 8], [1, 1, 2]
d = {'a': 1, 'k': 5}
S = {4, 1}
u = (1, 2, 'z')
W = ['pear', 'Fig', 'apple']
Point = namedtuple('Point', 'x y')
def add(a, b=1, *rest, k=0, **more): return a + b + sum(rest) + k + len(more)
def gen(n):
    got = 0
    while got < n:
        sent = yield got
        got += 1 if sent is None else sent
    return got
`;

const argumentLists = fc.constantFrom(
  "",
  "1",
  "1, 2",
  "1, 2, 3",
  "1, k=5",
  "k=5",
  "1, b=2, z=9",
  "*L",
  "*L, **d",
  "**d",
  "1, a=2",
  "*u[:2], k=3",
  "1, *(2, 3), k=4, **{'m': 1}",
  "b=1, a=2",
);
const parameterLists = fc.constantFrom(
  "a",
  "a, b=2",
  "a, /, b",
  "a, *, k",
  "a=1, *r",
  "a, b=2, *r, k=3, **m",
  "*r, k",
  "**m",
  "a, /, b=5, *, k=6",
  "",
);

const indented = (text: string, by = "    ") => text.replace(/^(?=.)/gm, by);

const simple: Text = fc.oneof(
  filled("print(§)", any),
  filled("print(repr(§), §)", any, any),
  filled("i = §", int),
  filled("i §= §", fc.constantFrom("+", "-", "*", "//", "%", "|"), int),
  filled("x = §", float),
  filled("s = §", str),
  filled("s += §", str),
  filled("L = §", list),
  filled("L §= §", fc.constantFrom("+", "*"), fc.oneof(list, fc.constantFrom("2", "0", "-1"))),
  filled("d = §", dict),
  filled("S §= §", fc.constantFrom("|", "&", "-", "^"), set),
  filled(
    "L.§",
    fc.constantFrom(
      "append(i)",
      "extend(M)",
      "insert(1, 9)",
      "pop()",
      "pop(0)",
      "remove(3)",
      "reverse()",
      "sort()",
      "clear()",
      "sort(key=lambda v: -v)",
      "sort(reverse=True)",
    ),
  ),
  filled("print(L.pop(§), L)", int),
  filled("L[§] = §", int, int),
  filled("L[§:§] = §", fc.constantFrom("", "1", "-1"), fc.constantFrom("", "2"), list),
  filled("L[::2] = §", list),
  filled("del L[§]", fc.constantFrom("0", "-1", "9", "1:", "::2", "'a'")),
  filled("d[§] = §", str, any),
  filled("del d[§]", fc.constantFrom("'a'", "'q'", "i")),
  filled(
    "d.§",
    fc.constantFrom(
      "pop('a')",
      "pop('q')",
      "pop('q', 0)",
      "popitem()",
      "update(z=3)",
      "update([('y', 2)])",
      "setdefault('n', [])",
      "clear()",
      "update(5)",
    ),
  ),
  filled("print(d, list(d.items()), §)", dict),
  filled(
    "S.§",
    fc.constantFrom("add(9)", "discard(1)", "remove(77)", "update([5, 6])", "add([])", "clear()"),
  ),
  filled("a, *b = §\nprint(a, b)", fc.oneof(list, tuple, str, words)),
  filled("a, b = §\nprint(a, b)", fc.oneof(list, tuple, dict)),
  filled("(a, (b, *c)), e = §", fc.oneof(tuple, list)),
  filled("i, j = j, i\nprint(i, j)"),
  filled("a = b = §\nprint(a, b, a is b)", any),
  filled("assert §, §", bool, str),
  filled("print(§, sep=§, end='|\\n')", any, str),
  filled("print(*§, sep=', ')", fc.oneof(list, words, tuple)),
  filled("print(add(§))", argumentLists),
  filled("print({§: 1})", any),
  filled("print(hash((§, §)) == hash((1, 2)))", int, int),
  filled("print(Point(§, §)._replace(x=§), Point(*§))", int, str, int, list),
  filled(
    "raise §(§)",
    fc.constantFrom("ValueError", "KeyError", "RuntimeError", "TypeError", "StopIteration"),
    fc.oneof(str, fc.constant(""), int),
  ),
  filled(
    "print(§ § §)",
    any,
    fc.constantFrom("+", "-", "*", "<", "in", "%", "==", "//", "[0] +"),
    any,
  ),
  filled(
    "print((§)§)",
    any,
    fc.constantFrom("[0]", "[1:]", "()", ".x", ".upper()", ".append(1)", "['a']", ".items()"),
  ),
  filled("print(len(§), iter(§) is None)", any, any),
  filled("print([(w := v) and w + 1 for v in M], w, (z := §), z)", int),
);

const guarded = (body: string) =>
  `try:\n${indented(body)}\nexcept Exception as e: print(type(e).__name__, e, e.args)`;

const control: Text = fc.letrec<{ block: string; compound: string }>((tie) => {
  const block = tie("block");
  return {
    block: fc.oneof(
      { depthSize: "small", maxDepth: 3, withCrossShrink: true },
      simple,
      fc.tuple(simple, simple).map((lines) => lines.join("\n")),
      tie("compound"),
    ),
    compound: fc.oneof(
      fc
        .tuple(bool, block, block)
        .map(([test, a, b]) => `if ${test}:\n${indented(a)}\nelse:\n${indented(b)}`),
      fc
        .tuple(
          fc.oneof(list, str, dict, words),
          block,
          fc.constantFrom("break", "continue", "pass"),
          bool,
        )
        .map(
          ([over, body, end, test]) =>
            `for v in list(${over})[:4]:\n    print('v', v)\n    if ${test}: ${end}\n${indented(body)}\nelse:\n    print('else')`,
        ),
      fc
        .tuple(block, fc.constantFrom("break", "continue", "pass"), fc.nat(999_999))
        .map(
          ([body, end, id]) =>
            `n${id} = 0\nwhile n${id} < 3:\n    n${id} += 1\n    if n${id} == 2: ${end}\n${indented(body)}\nelse: print('done')`,
        ),
      fc
        .tuple(
          block,
          block,
          fc.constantFrom(
            "ValueError",
            "(KeyError, IndexError)",
            "TypeError",
            "LookupError",
            "ArithmeticError",
            "Exception",
          ),
          block,
        )
        .map(
          ([body, caught, kind, last]) =>
            `try:\n${indented(body)}\nexcept ${kind} as e:\n    print('caught', repr(e))\n${indented(caught)}\nelse:\n    print('fine')\nfinally:\n    print('finally')\n${indented(last)}`,
        ),
      fc
        .tuple(parameterLists, argumentLists, block)
        .map(([parameters, args, body]) =>
          `def f(${parameters}):\n    i, j, x, s, L, d, S = 3, 4, 2.5, 'in', [9, 8], {'k': 2}, {6}\n    print(sorted(k for k in locals_of()))\n${indented(body)}\n    return L\nprint(f(${args}))`.replace(
            "    print(sorted(k for k in locals_of()))\n",
            "",
          ),
        ),
    ),
  };
}).block;

const functions: Text = fc.oneof(
  fc
    .tuple(int, int)
    .map(
      ([a, b]) =>
        `def outer(n):\n    total = n\n    def inner(k):\n        nonlocal total\n        total += k\n        return total\n    return inner\nf = outer(${a})\nprint(f(${b}), f(1), outer(0)(2))`,
    ),
  fc
    .tuple(
      list,
      int,
      fc.constantFrom(
        "send(2)",
        "send(None)",
        "throw(ValueError('v'))",
        "close()",
        "throw(KeyError)",
      ),
    )
    .map(
      ([over, value, call]) =>
        `def g(items):\n    try:\n        for v in items:\n            got = yield v + ${value}\n            print('got', got)\n    except ValueError as e:\n        yield repr(e)\n    finally:\n        print('closing')\nit = g(${over})\nprint(next(it))\nprint(it.${call})\nprint(list(it))`,
    ),
  fc
    .tuple(any, int)
    .map(
      ([value, n]) =>
        `def g():\n    r = yield from gen(${n} % 4)\n    print('r', r)\n    yield ${value}\nprint(list(g()))\nprint(sum(v for v in gen(3)), (lambda *a, **k: (a, k))(1, z=${value}))`,
    ),
  fc
    .tuple(int, list)
    .map(
      ([n, over]) =>
        `def deco(k):\n    def wrap(fn):\n        def run(*a, **m):\n            print('call', fn.__name__, a, m)\n            return fn(*a, **m) + k\n        return run\n    return wrap\n@deco(${n})\n@deco(1)\ndef f(a, b=2): return a * b\nprint(f(3), f(2, b=5), [f(v) for v in ${over}])`,
    ),
  fc
    .tuple(int, any)
    .map(
      ([n, value]) =>
        `def fact(n): return 1 if n <= 1 else n * fact(n - 1)\nprint(fact(${n} % 30))\nfs = [lambda v=v: v * ${n} for v in range(3)]\nprint([f() for f in fs], [f() for f in [lambda: v for v in range(3)]])\ndef h(a, acc=[]):\n    acc.append(a)\n    return acc\nh(${value}); print(h(2))`,
    ),
);

const classes: Text = fc.oneof(
  fc
    .tuple(int, str, any)
    .map(
      ([n, name, value]) =>
        `class Base:\n    kind = ${name}\n    def __init__(self, v): self.v = v\n    @property\n    def double(self): return self.v * 2\n    @double.setter\n    def double(self, to):\n        if to < 0: raise ValueError(f'bad {to}')\n        self.v = to // 2\n    @classmethod\n    def make(cls, *a): return cls(sum(a))\n    @staticmethod\n    def plus(a, b=1): return a + b\n    def __repr__(self): return f'{type(self).__name__}({self.v!r})'\nclass Child(Base):\n    def __init__(self, v, w=3):\n        super().__init__(v)\n        self.w = w\n    @property\n    def double(self): return super().double + self.w\nb, c = Base(${n}), Child(${n}, w=1)\nprint(b, c, b.double, c.double, Child.make(1, 2), Base.plus(4), c.plus(1, b=5), c.kind, Child.kind)\nb.double = ${n}\nprint(b, isinstance(c, Base), issubclass(Base, Child), vars(c), hasattr(b, 'w'), getattr(b, 'w', ${value}))\nc.double = 1`,
    ),
  fc
    .tuple(int, int, fc.constantFrom("+", "-", "*", "<", "==", "@", "//", "in", "%", "<=", "+="))
    .map(
      ([a, b, op]) =>
        `class V:\n    def __init__(self, *a): self.a = list(a)\n    def __repr__(self): return f'V{tuple(self.a)}'\n    def __add__(self, o): return V(*[p + q for p, q in zip(self.a, o.a)]) if isinstance(o, V) else NotImplemented\n    def __radd__(self, o): return V(*[p + o for p in self.a])\n    def __mul__(self, k): return V(*[p * k for p in self.a])\n    def __eq__(self, o): return isinstance(o, V) and self.a == o.a\n    def __lt__(self, o): return self.a < o.a\n    def __len__(self): return len(self.a)\n    def __getitem__(self, k): return self.a[k]\n    def __contains__(self, v): return v in self.a\n    def __bool__(self): return sum(self.a) != 0\n    def __call__(self, k=2): return [p ** k for p in self.a]\na, b = V(${a}, 1), V(${b}, 2)\nprint(a, b, a == b, a[0], a[-1:], list(a), len(b), bool(a), a(), 1 in a, [*b], max(a, b), sorted([b, a]), a * 2, 1 + a, a != b)\n${op === "+=" ? "a += b\nprint(a)" : `print(a ${op} b)`}\nprint(a - b)\nprint({a: 1})`,
    ),
  fc
    .tuple(any, bool, str)
    .map(
      ([value, swallow, text]) =>
        `class Ctx:\n    def __init__(self, n): self.n = n\n    def __enter__(self): print('enter', self.n); return self\n    def __exit__(self, kind, e, tb): print('exit', self.n, kind and kind.__name__, e); return ${swallow}\nwith Ctx(1) as a, Ctx(2):\n    print(a.n, ${value})\n    raise KeyError(${text})\nprint('after')\nfor k in range(2):\n    with (Ctx(3) as c, Ctx(4)):\n        if k: break\n        continue`,
    ),
  fc
    .tuple(str, int)
    .map(
      ([text, code]) =>
        `class AppError(Exception):\n    def __init__(self, code, *a):\n        super().__init__(*a)\n        self.code = code\nclass Deep(AppError, ValueError): pass\ntry:\n    try: raise Deep(${code}, ${text})\n    except ValueError as e:\n        print(type(e).__mro__[1].__name__, e, e.code, e.args, repr(e))\n        raise RuntimeError('outer') from e\nexcept RuntimeError as r:\n    print(repr(r.__cause__), r.__context__ is r.__cause__)\ntry:\n    try: {}[${text}]\n    finally: print('cleanup')\nexcept LookupError as e: print(repr(e), str(e))\nraise AppError(${code})`,
    ),
  fc
    .tuple(list, int)
    .map(
      ([over, n]) =>
        `class It:\n    def __init__(self, items): self.items, self.at = items, 0\n    def __iter__(self): return self\n    def __next__(self):\n        if self.at >= len(self.items): raise StopIteration\n        self.at += 1\n        return self.items[self.at - 1]\n    def __getattr__(self, name): return 'no ' + name\nprint(list(It(${over})), sum(It(M)), dict(zip(It(L), It('abc'))), It(L).missing, ${n} in It(L))\na, *b = It(L)\nprint(a, b, [*map(str, It(u))], sorted(It(L), reverse=True))`,
    ),
);

const patterns = fc.constantFrom(
  "0",
  "1 | 2 | -1",
  "int(n) if n > 5",
  "int() | float()",
  "str() as n",
  "[]",
  "[n]",
  "[a, b, *rest]",
  "(a, [b, *_], *c)",
  "{'a': n}",
  "{'k': int(n), **more}",
  "{}",
  "None",
  "True | False",
  "Point(x=0, y=n)",
  "Point(a, b)",
  "[1, (2 | 3) as n, *_]",
  "'a' | 'hello'",
  "math.pi",
  "list() | tuple() as n",
  "[int(a), str(b)]",
  "-1.5",
);

const matching: Text = fc
  .tuple(any, fc.uniqueArray(patterns, { minLength: 2, maxLength: 5 }))
  .map(
    ([subject, cases]) =>
      `match ${subject}:\n${cases.map((pattern, at) => `    case ${pattern}: print(${at}, ${pattern.includes("n") && /\bn\b/.test(pattern.replace("None", "")) ? "n" : "'-'"})`).join("\n")}\n    case other: print('other', other)`,
  );

const statement: Text = fc.oneof(
  { weight: 6, arbitrary: simple.map(guarded) },
  { weight: 3, arbitrary: control.map(guarded) },
  { weight: 1, arbitrary: functions.map(guarded) },
  { weight: 1, arbitrary: classes.map(guarded) },
  { weight: 1, arbitrary: matching.map(guarded) },
);

/** Generated programs that continue after an exception and print its kind and message. */
export const deepPrograms: Text = fc
  .array(statement, { minLength: 3, maxLength: 8 })
  .map((statements) => `${prelude}${statements.join("\n")}\n`);
