import fc from "fast-check";
import { expect, test } from "vitest";
import { foldsOf, namesOf, openBracketsAt, tokensOf } from "./index.ts";

/** Each use as `name@scope`, a binding with `!`. */
function shown(source: string): string {
  const mark = (isBinding: boolean) => (isBinding ? "!" : "");
  return namesOf(source)
    .map(({ name, scope, isBinding }) => `${name}@${scope}${mark(isBinding)}`)
    .join(" ");
}

test.each`
  source                                                  | names
  ${"a = b"}                                              | ${"a@0! b@0"}
  ${"a, (b, *c) = f(x, k=v)"}                             | ${"a@0! b@0! c@0! f@0 x@0 v@0"}
  ${"x: T = y"}                                           | ${"x@0! T@0 y@0"}
  ${"a.b[c] = d"}                                         | ${"a@0 c@0 d@0"}
  ${"def f(a, b=a):\n  c = a\n  return c, g"}             | ${"f@0! a@1! b@1! a@0 c@1! a@1 c@1 g@0"}
  ${"def f(a):\n  def g():\n    return a\n  return g"}    | ${"f@0! a@1! g@1! a@1 g@1"}
  ${"class A(B):\n  x = 1\n  def f(self): return x"}      | ${"A@0! B@0 x@1! f@1! self@2! x@0"}
  ${"y = [q for q in r if q]"}                            | ${"y@0! q@1 q@1! r@0 q@1"}
  ${"for i, j in z: pass"}                                | ${"i@0! j@0! z@0"}
  ${"import a.b as c, d"}                                 | ${"c@0! d@0!"}
  ${"from m.n import x, y as z"}                          | ${"x@0! z@0!"}
  ${"def f():\n  global n\n  n = 1"}                      | ${"f@0! n@0 n@0!"}
  ${"g = lambda u, v=w: u"}                               | ${"g@0! u@1! v@1! w@0 u@1"}
  ${"with f() as g: g"}                                   | ${"f@0 g@0! g@0"}
  ${"z = [k for a in b if (k := a)]"}                     | ${"z@0! k@0 a@1! b@0 k@0! a@1"}
  ${"match s:\n  case [x, *y]: x\n  case A(k=v) as w: w"} | ${"s@0 x@0! y@0! x@0 A@0 v@0! w@0! w@0"}
`("the names of $source are $names", ({ source, names }) => {
  expect(shown(source)).toBe(names);
});

/** The open brackets at `‸`, outermost first: callee, index, keyword. */
function openAt(marked: string): string {
  const offset = marked.indexOf("‸");
  const source = marked.replace("‸", "");
  return openBracketsAt(source, tokensOf(source), offset)
    .map(({ bracket, callee = "", index, keyword }) => {
      const item = keyword === undefined ? index : `${index} ${keyword}=`;
      return `${callee}${bracket}${item}`;
    })
    .join(" ");
}

test.each`
  marked                                     | open
  ${"f(‸)"}                                  | ${"f(0"}
  ${"f(a, ‸"}                                | ${"f(1"}
  ${"strategy(h, b=‸"}                       | ${"strategy(1 b="}
  ${'strategy(h, b="d‸'}                     | ${"strategy(1 b="}
  ${'strategy(h, b=("dp", "‸"))'}            | ${"strategy(1 b= (1"}
  ${"ops.MatMul().shard(((4, 1), (1, ‸1)))"} | ${".shard(0 (1 (1"}
  ${"x = torch.matmul(a, ‸b)\ny = f(c)"}     | ${"torch.matmul(1"}
  ${"x = f(a, (1,\ny = g(‸"}                 | ${"g(0"}
  ${"a = (b) ‸"}                             | ${""}
  ${"f(a)[‸0]"}                              | ${"[0"}
  ${"f(a == b, c=‸)"}                        | ${"f(1 c="}
  ${"mesh = Mesh(dp=2, \n   mp=‸4)"}         | ${"Mesh(1 mp="}
`("at ‸ in $marked is open [$open]", ({ marked, open }) => {
  expect(openAt(marked)).toBe(open);
});

test.each([
  ["def f():\n    a = 1\n    b = 2\nc = 3\n", ["8-28 block"]],
  ["x = f(\n  1,\n  2,\n)\n", ["6-16 block"]],
  ["import a\nimport b\nx = 1\n", ["8-17 imports"]],
  ["# one\n# two\nx = 1\n", ["5-11 comment"]],
  ["x = 1\ny = f(2)\n", []],
])("%j folds", (source, folds) => {
  expect(foldsOf(source).map(({ from, to, kind }) => `${from}-${to} ${kind}`)).toEqual(folds);
});

test("names, brackets and folds of any text are places inside it", () => {
  const alphabet = [..."ab1 \n\t()[]{}:=,.'\"#*", "def ", "class ", "lambda ", "for ", "in "];
  const text = fc
    .array(fc.constantFrom(...alphabet), { maxLength: 40 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.nat(40), (source, offset) => {
      for (const { from, to, name } of namesOf(source)) expect(source.slice(from, to)).toBe(name);
      for (const { at } of openBracketsAt(source, tokensOf(source), offset)) {
        expect(at).toBeLessThan(Math.max(offset, 1));
      }
      for (const { from, to } of foldsOf(source)) {
        expect(from).toBeLessThan(to);
        expect(to).toBeLessThanOrEqual(source.length);
      }
    }),
    { seed: 1, numRuns: process.env.SOAK ? 20_000 : 200 },
  );
});
