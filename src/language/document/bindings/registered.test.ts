import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { reading } from "../reading.testing.ts";

const calls = `
x = Tensor((4, 6))
y = f(x)
`;

// dimops.md §4: diagnostics and operators of registrations and calls
test.each`
  text                                                                                                                        | operators                                           | said
  ${`@nnscaler.register_op('a b -> a b', name='twice')\ndef f(x): ...\n${calls}`}                                             | ${["y twice a b -> a b"]}                           | ${[]}
  ${`def f(x): ...\nnnscaler.register_op('a b -> a b')(f)\n${calls}`}                                                         | ${["y f a b -> a b"]}                               | ${[]}
  ${`# annotation: a b -> b a\ndef f(x): ...\n${calls}`}                                                                      | ${["y f a b -> b a"]}                               | ${[]}
  ${`from lib import f\nnnscaler.register_op('a b -> a b')(f)\n${calls}`}                                                     | ${["y f a b -> a b"]}                               | ${["warning document/unknown-module ModuleNotFoundError"]}
  ${`def anno(*xs, **kw):\n    return '* -> *'\n@nnscaler.register_op(anno)\ndef f(x): ...\n${calls}`}                        | ${["y f a b -> a b"]}                               | ${[]}
  ${`def anno(*xs):\n    return 3\n@nnscaler.register_op(anno)\ndef f(x): ...\n${calls}`}                                     | ${[]}                                               | ${["error python/type-error TypeError"]}
  ${`@nnscaler.register_op('a b -> a b', code_impl_pattern='copy')\ndef f(x): ...\n${calls}`}                                 | ${["y f a b -> a b"]}                               | ${["error nnscaler/impl-pattern ValueError"]}
  ${`@nnscaler.register_op('a b -> a b', emit_fn=None, input_gen_fn=None)\ndef f(x): ...\n${calls}`}                          | ${["y f a b -> a b"]}                               | ${[]}
  ${`@nnscaler.register_op(7)\ndef f(x): ...\n${calls}`}                                                                      | ${[]}                                               | ${["error python/type-error TypeError"]}
  ${`@nnscaler.register_op()\ndef f(x): ...`}                                                                                 | ${[]}                                               | ${["error python/type-error TypeError"]}
  ${`@nnscaler.register_op('a b -> a b', nme='g')\ndef f(x): ...`}                                                            | ${[]}                                               | ${["error python/type-error TypeError"]}
  ${`nnscaler.register_op('a b -> a b')(3)`}                                                                                  | ${[]}                                               | ${["error python/type-error TypeError"]}
  ${`@nnscaler.register_op('a b -> a b')\nclass M(torch.nn.Module): ...`}                                                     | ${[]}                                               | ${["error nnscaler/module-registered ValueError"]}
  ${`@nnscaler.register_op(...)\ndef f(x): ...\n${calls}`}                                                                    | ${["y f a^ b^ -> ?^"]}                              | ${["warning nnscaler/missing-annotation TypeError"]}
  ${`@nnscaler.register_op(annotation)\ndef f(x): ...\n${calls}`}                                                             | ${["y f a^ b^ -> ?^"]}                              | ${["warning document/undefined-name NameError", "warning nnscaler/missing-annotation"]}
  ${`@nnscaler.register_op('a b, c -> a b')\ndef f(x, s=2): ...\nx = Tensor((4, 6))\ny = f(x, 2)`}                            | ${[]}                                               | ${["error nnscaler/not-a-tensor ValueError", "warning nnscaler/axis-lost"]}
  ${`@nnscaler.register_op('a b, ? -> a b')\ndef f(x, s=2): ...\nx = Tensor((4, 6))\ny = f(x)`}                               | ${[]}                                               | ${["error nnscaler/missing-operand ValueError"]}
  ${`@nnscaler.register_op('a b, ? -> a b')\ndef f(x, s): ...\nx = Tensor((4, 6))\ny = f(x)`}                                 | ${[]}                                               | ${["error nnscaler/missing-operand TypeError"]}
  ${`@nnscaler.register_op('a b -> a b')\ndef f(x, s): ...\nx = Tensor((4, 6))\ny = f(x)`}                                    | ${["y f a b -> a b"]}                               | ${["warning nnscaler/argument-missing TypeError"]}
  ${`@nnscaler.register_op('(h t) k -> h t k')\ndef f(x, h=2): ...\n${calls}`}                                                | ${["y f (h t^) k -> h t^ k"]}                       | ${["warning nnscaler/size-not-passed AssertionError"]}
  ${`@nnscaler.register_op('(h t) k -> h t k')\ndef f(x, h): ...\n${calls}`}                                                  | ${["y f (h t^) k -> h t^ k"]}                       | ${["warning nnscaler/size-not-passed TypeError"]}
  ${`@nnscaler.register_op('(h t) k -> h t k')\ndef f(x): ...\n${calls}`}                                                     | ${["y f (h t^) k -> h t^ k"]}                       | ${["warning nnscaler/size-not-passed AssertionError"]}
  ${`@nnscaler.register_op('(h t) k -> h t k')\ndef f(x, h): ...`}                                                            | ${["f_1 f (h t^) k -> h t^ k"]}                     | ${["info document/assumed-size"]}
  ${`@nnscaler.register_op('a b -> a')\ndef f(x): ...`}                                                                       | ${["f_1 f a b -> a"]}                               | ${["warning nnscaler/axis-lost"]}
  ${`@nnscaler.register_op('a b - > a b')\ndef f(x): ...`}                                                                    | ${[]}                                               | ${["error dimops/missing-arrow ValueError", "error python/value-error ValueError"]}
  ${`@nnscaler.register_op('a b -> a b, ?')\ndef f(x):\n    y = g(x)\n    return x, y`}                                       | ${["f_1 f a b -> a b, ?^"]}                         | ${["warning nnscaler/dependent-output"]}
  ${`@nnscaler.register_op('a b -> a b, ?')\ndef f(x):\n    y = 10\n    return x, y`}                                         | ${["f_1 f a b -> a b, ?^"]}                         | ${[]}
  ${`@nnscaler.register_op('*, * -> *')\ndef f(x, y):\n    x.add_(y)\n    return x + y`}                                      | ${["f_1 f a b, a b -> a b"]}                        | ${["warning nnscaler/changed-not-returned"]}
  ${`@nnscaler.register_op('* -> *, *')\ndef f(x):\n    x += 1\n    return x, x\nx = Tensor((4, 6))\n_, z = f(x)\nw = x + z`} | ${["_ f a b -> a b, a b", "w add a b, a b -> a b"]} | ${["warning nnscaler/stale-value"]}
  ${`def g():\n    @nnscaler.register_op('a b -> a b')\n    def f(x): ...\n    return f\nx = Tensor((4, 6))\ny = g()(x)`}     | ${["y f a b -> a b"]}                               | ${["info nnscaler/nested-function"]}
  ${`@nnscaler.register_op('a -> a')\ndef f(x): ...\n@nnscaler.register_op('a b -> a b')\ndef f(x): ...\n`}                   | ${["f_1 f a b -> a b"]}                             | ${["info nnscaler/registered-twice AssertionError"]}
  ${`@nnscaler.registr_op('a b -> a b')\ndef f(x): ...\n${calls}`}                                                            | ${["y f a b -> a b"]}                               | ${["warning document/misspelt-name AttributeError"]}
`("$text", ({ text, operators, said }) => {
  const found = reading(text);
  expect(found.operators).toEqual(operators);
  expect([...found.said].sort()).toEqual([...said].sort());
});

const autograd = `import torch, nnscaler
class My(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale=1):
        ...
x = Tensor((4, 6))
`;

test.each`
  registration                                  | annotation          | said
  ${""}                                         | ${"a^ b^ -> a^ b^"} | ${["warning nnscaler/unknown-function"]}
  ${"nnscaler.register_op('* -> *')(My)"}       | ${"a b -> a b"}     | ${[]}
  ${"nnscaler.register_op('* -> *')(My.apply)"} | ${"a b -> a b"}     | ${[]}
`(
  "an autograd.Function with [$registration] reads as $annotation",
  ({ registration, annotation, said }) => {
    const found = reading(`${autograd}${registration}\ny = My.apply(x)\n`);
    expect(found.operators).toEqual([`y My ${annotation}`]);
    expect(found.said).toEqual(said);
  },
);

test("a compiled function must be registered, else nnScaler would trace into the compiler", () => {
  const compiled = "import torch, nnscaler\n@torch.compile\ndef f(x):\n    return x * 2\n";
  const bare = reading(`${compiled}y = f(Tensor((4, 6)))`);
  expect(bare.operators).toEqual(["y mul a b, ?^ -> a b"]);
  expect(bare.said).toEqual(["warning nnscaler/compiled-not-registered RuntimeError"]);
  const plain = reading(`${compiled.replace(", nnscaler", "")}y = f(Tensor((4, 6)))`);
  expect(plain).toEqual({ ...bare, said: [] });
  const known = reading(`${compiled}nnscaler.register_op('* -> *')(f)\ny = f(Tensor((4, 6)))`);
  expect(known.operators).toEqual(["y f a b -> a b"]);
  expect(known.said).toEqual([]);
});

test("a transform rule makes a frozen identifier splittable, and its sum partial", () => {
  const text = `from nnscaler.graph.function.dimops import DimopSplit, TransformRule
@nnscaler.register_op('m k^, k^ n -> m n', transform_rules=(
    TransformRule([DimopSplit.D(1), DimopSplit.D(0)], [DimopSplit.V()]),))
def f(x, w): ...
mesh = Mesh(tp=2)
y = f(Tensor((4, 6)), Tensor((6, 8)))
strategy(y, k="tp")
`;
  expect(reading(text).cuts).toEqual(["y k=tp"]);
  expect(reading(text).said).toEqual([]);
});

test("functions of other files of one paste are imported from them", () => {
  const text = `# file: lib/ops.py
def f(x):
    return x

# file: main.py
from lib.ops import f
from .ops import f as g
nnscaler.register_op('a b -> b a')(f)
y = f(Tensor((4, 6)))
z = g(y)
`;
  expect(reading(text)).toMatchObject({
    operators: ["y f a b -> b a", "z f a b -> b a"],
    said: [],
  });
});

test.each`
  text                                                                                                  | operators                       | said
  ${"Tensor((4, 6)) + 1\n"}                                                                             | ${["add_1 add a b, ?^ -> a b"]} | ${['"f" is registered and never called: it is not drawn']}
  ${"@nnscaler.register_op('* -> *')\ndef g(x): ...\ny = Tensor((4, 6)) + 1\n"}                         | ${["y add a b, ?^ -> a b"]}     | ${['"f", "g" are registered and never called: they are not drawn']}
  ${"class M(torch.nn.Module):\n    def forward(self, x):\n        return f(x)\nM()(Tensor((4, 6)))\n"} | ${["f_1 f a b -> a b"]}         | ${[]}
`("beside a program that runs, what nobody calls is named: $text", ({ text, operators, said }) => {
  const found = readDocument(`@nnscaler.register_op('* -> *')\ndef f(x): ...\n${text}`);
  expect(reading(`@nnscaler.register_op('* -> *')\ndef f(x): ...\n${text}`).operators).toEqual(
    operators,
  );
  const left = found.diagnostics.filter(({ code }) => code === "document/never-called");
  expect(left.map(({ message }) => message)).toEqual(said);
});
