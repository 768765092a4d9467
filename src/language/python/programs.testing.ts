import fc from "fast-check";

const operators = fc.constantFrom(
  ..."+ - * // % ** / & | ^ < <= == != >= > and or in is".split(" "),
  "not in",
  "<< 3 +",
  ">> 2 +",
);

const methods = fc.constantFrom(
  ".upper()",
  ".split()",
  ".split('a', 1)",
  ".count(1)",
  ".index(2)",
  ".items()",
  ".get('a', 0)",
  ".strip('ab')",
  ".replace('a', 'xy')",
  ".bit_length()",
  ".center(9, '*')",
  ".find('b')",
  ".title()",
  ".zfill(5)",
  ".partition('b')",
  ".copy()",
  ".rjust(7)",
  ".startswith(('a', 'h'))",
  ".is_integer()",
  ".union([7])",
  ".issubset({1, 2, 3})",
);

const callees = fc.constantFrom(
  ..."len str repr abs int float bool list tuple sorted sum max min round any all bin hex".split(
    " ",
  ),
  ..."ascii iter next chr ord divmod pow dict f reversed enumerate hash(1)+len".split(" "),
  "type(x).__name__+str",
  "lambda q:",
  "*map(str, x),",
  "list(zip(s, t)) +",
  "'%s %r' %",
  "'%5d|%-6.2f' % (3, 2.5) +",
  "'{:>8}'.format",
  "list(reversed(t)) + list",
);

const leaves = fc.constantFrom(
  ..."0 1 2 -3 7 10**20 0.5 -2.75 1e20 1e-7 True False None s t d u x y 'abc' '' (1,) [] {} ()".split(
    " ",
  ),
  "'a b'",
  "[3, 1, 2]",
  "{'a': 1, 'b': 2}",
  "{1, 2}",
  "range(5)",
  "'%d'",
  "float('inf')",
);

const fields = fc
  .tuple(
    fc.constantFrom(..."s t d u x y 12345.678 -7 True 10**20 'a'".split(" ")),
    fc.constantFrom(..."|!r|:>10|:05|:.3f|:,|!s:^9|:e|:+|:g|:.2|:x|:_d|:%".split("|")),
  )
  .map(([value, specification]) => `f"{${value}${specification}}"`);

/** Generator of expressions over the names that every generated program starts with. */
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie("expression");
  const two = fc.tuple(inner, inner);
  const three = fc.tuple(inner, inner, inner);
  return {
    expression: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaves,
      fields,
      fc.tuple(inner, operators, inner).map(([a, operator, b]) => `(${a} ${operator} ${b})`),
      fc.tuple(callees, inner).map(([callee, a]) => `(${callee}(${a}))`),
      fc.tuple(inner, methods).map(([a, method]) => `(${a})${method}`),
      two.map(([a, i]) => `(${a})[${i}]`),
      three.map(([a, i, j]) => `(${a})[${i}:${j}]`),
      three.map(([a, i, j]) => `(${a} if ${i} else ${j})`),
      two.map(([a, i]) => `[${a} for x in ${i}]`),
      three.map(([a, i, c]) => `{${a}: y for y in ${i} if ${c}}`),
      fc.tuple(fc.constantFrom("-", "+", "~", "not "), inner).map(([sign, a]) => `(${sign}${a})`),
      two.map(([a, b]) => `(${a}, ${b})`),
      two.map(([a, b]) => `[*(${a}, ${b}), 1]`),
    ),
  };
});

const line = fc.oneof(
  expression.map((e) => `print(repr(${e}))`),
  expression.map((e) => `x = ${e}`),
  expression.map((e) => `y = ${e}`),
  fc
    .tuple(fc.constantFrom("+=", "-=", "*=", "|=", "%=", "//="), expression)
    .map(([op, e]) => `x ${op} ${e}`),
  expression.map((e) => `a, *b = ${e}\nprint(a, b)`),
  fc.tuple(expression, expression).map(([e, k]) => `d[${k}] = ${e}\nprint(d)`),
  fc.tuple(expression, expression).map(([e, k]) => `t[${k}] = ${e}\nprint(t)`),
  expression.map(
    (e) =>
      `for i, x in enumerate(list(${e})[:5]):\n    if i == 3: break\n    print(i, repr(x))\nelse:\n    print('else')`,
  ),
  expression.map(
    (e) =>
      `try:\n    print(repr(${e}))\nexcept (ValueError, LookupError) as e:\n    print(type(e).__name__)\nelse:\n    print('fine')\nfinally:\n    print('finally')`,
  ),
  expression.map(
    (e) =>
      `def g(v, w=2, *r, k=3, **m):\n    yield v\n    x = ${e}\n    yield repr(x)\n    return w\nprint(list(g(1)))`,
  ),
  expression.map((e) => `del t[${e}]\nprint(t)`),
);

const start = [
  "s = 'hello'",
  "t = [1, 2, 3]",
  "d = {'a': 1, 2: 'b'}",
  "u = (1, 'a', 2.5)",
  "x = 5",
  "y = 1.5",
  "def f(q, w=1, *r): return (q, w, r)",
].join("\n");

/** Generated small programs that print their results; many end in an exception. */
export const programs: fc.Arbitrary<string> = fc
  .array(line, { minLength: 1, maxLength: 5 })
  .map((lines) => `${start}\n${lines.join("\n")}\n`);
