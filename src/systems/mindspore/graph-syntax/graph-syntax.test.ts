import { expect, test } from "vitest";
import { netText, shortly } from "../emitted/emitted.testing.ts";

// Answers of the compiler of MindSpore 2.10.0: it refuses the nets with an error here, and compiles
// the others.

const attributes = `self.flag = True
        self.off = False
        self.n = 2
        self.none = None
        self.mode = "train"
        self.blocks = nn.CellList([nn.ReLU(), nn.ReLU()])
        self.sizes = [1, 2]`;

function faultsOf(construct: string, before = ""): readonly (string | undefined)[] {
  const source = netText({ primitives: [], construct, inputs: [[16, 32]], before });
  const text = source.replace(
    "super().__init__()\n",
    `super().__init__()\n        ${attributes}\n`,
  );
  return shortly(text).errors.map(({ code, upstream }) => `${code} ${upstream}`);
}

test.each`
  test                                  | isDecided
  ${"self.flag"}                        | ${true}
  ${"not self.off"}                     | ${true}
  ${"self.n == 2"}                      | ${true}
  ${"self.n > 1"}                       | ${true}
  ${"self.n != 3"}                      | ${true}
  ${"self.n == 2.0"}                    | ${true}
  ${"self.n == self.n"}                 | ${true}
  ${'self.mode == "train"'}             | ${true}
  ${"self.none is None"}                | ${true}
  ${"self.blocks is not None"}          | ${true}
  ${"self.flag == True"}                | ${true}
  ${"self.flag or self.off"}            | ${true}
  ${"self.flag or x.ndim == 2"}         | ${true}
  ${"self.n == 2 and self.flag"}        | ${true}
  ${"not (self.off or self.n is None)"} | ${true}
  ${"x.ndim == 2"}                      | ${false}
  ${"x.dtype == ms.float32"}            | ${false}
  ${"True"}                             | ${false}
  ${"self.n"}                           | ${false}
  ${"self.mode"}                        | ${false}
  ${"self.flag is True"}                | ${false}
  ${"self.flag and x.ndim == 2"}        | ${false}
  ${"x is None or self.flag"}           | ${false}
  ${"2 == self.n"}                      | ${false}
  ${"1 < self.n < 3"}                   | ${false}
  ${"self.n + 1 == 3"}                  | ${false}
  ${"self.none == None"}                | ${false}
  ${"None is self.none"}                | ${false}
  ${'self.mode in ("train", "eval")'}   | ${false}
  ${"len(self.sizes) == 2"}             | ${false}
  ${"self.sizes == [1, 2]"}             | ${false}
  ${"SAID"}                             | ${false}
`("MindSpore's parser decides $test itself: $isDecided", ({ test: asked, isDecided }) => {
  const construct = `if ${asked}:\n    y = ops.relu(x)\nreturn y`;
  const faults = isDecided ? [] : ["mindspore/graph-syntax UnboundLocalError"];
  expect(faultsOf(construct, "SAID = True")).toEqual(faults);
});

test.each([
  "for i in range(3):\n    y = ops.relu(x)\nreturn y + 1",
  "for i in range(3):\n    x = ops.relu(x)\nreturn x * i",
  "i = 0\nwhile i < 3:\n    y = ops.relu(x)\n    i += 1\nreturn y",
  "for a in (x, x + 1):\n    y = ops.relu(a)\nreturn y + a",
  "for i in range(2):\n    for j in range(2):\n        y = ops.tanh(x)\n    x = x + y\nreturn x",
  "for i in range(2):\n    x, y = ops.tanh(x), ops.relu(x)\nreturn x + y",
  "for i in range(2):\n    if i == 0:\n        h = ops.tanh(x)\n    x = x + h\nreturn x",
  "for cell in self.blocks:\n    x = cell(x)\nreturn cell(x)",
  "if x.ndim == 3:\n    y = ops.relu(x)\nelif x.ndim == 2:\n    y = ops.tanh(x)\nreturn y",
  "if x.ndim == 2:\n    y = ops.relu(x)\nif x.ndim == 2:\n    x = x + y\nreturn x",
  "def f(a):\n    if a.ndim == 2:\n        b = ops.relu(a)\n    return b\nreturn f(x)",
  "flag = self.flag\nif flag:\n    y = ops.relu(x)\nreturn y",
])("a name of a loop or a branch alone is none behind it: %j", (construct) => {
  expect(faultsOf(construct)).toEqual(["mindspore/graph-syntax UnboundLocalError"]);
});

test.each([
  "y = x\nfor _ in range(2):\n    y = y + 1\nreturn y",
  "h = None\nfor i in range(2):\n    h = ops.tanh(x)\nreturn h",
  "for cell in self.blocks:\n    x = cell(x)\n    h = ops.tanh(x)\nreturn x",
  "for i in range(4):\n    if i == 1:\n        continue\n    x = x + i\nreturn x",
  "if x.ndim == 2:\n    y = ops.relu(x)\nelse:\n    raise ValueError('bad')\nreturn y",
  "if x.ndim == 3:\n    y = ops.relu(x)\nelif x.ndim == 2:\n    y = ops.tanh(x)\nelse:\n    raise ValueError('bad')\nreturn y",
  "if x.ndim == 3:\n    return x\nelse:\n    y = ops.tanh(x)\nreturn y",
  "if x.ndim == 2:\n    y = ops.relu(x)\n    return y\nreturn x",
  "if x.ndim == 2:\n    y = ops.relu(x)\n    x = x + y\nreturn x",
  "if self.n == 3:\n    z = x\nelif self.n == 2:\n    y = ops.relu(x)\nreturn y",
  "if self.flag:\n    y = ops.relu(x)\nz = ops.tanh(x)\nif self.flag:\n    z = z + y\nreturn z",
  "l = [b(x) for b in self.blocks if True]\nreturn l[0]",
  "f = lambda a: ops.relu(a)\nreturn f(x)",
  "def g(*a):\n    return a[0] + a[1]\nreturn g(x, x)",
  "for a, b in zip((x, x), (1, 2)):\n    x = a * b\nreturn x",
  "while True:\n    x = ops.relu(x)\n    break\nreturn x",
])("a graph has %j", (construct) => {
  expect(faultsOf(construct)).toEqual([]);
});

test.each`
  construct
  ${"try:\n    y = ops.relu(x)\nexcept ValueError:\n    y = x\nreturn y"}
  ${"import math\nreturn x * math.sqrt(4)"}
  ${"from math import sqrt\nreturn x * sqrt(4)"}
  ${"y = x\ndel y\nreturn ops.relu(x)"}
  ${"if (n := x.ndim) == 2:\n    x = ops.relu(x)\nreturn x"}
  ${"for i in [1, 2]:\n    x = x + i\nelse:\n    x = x * 2\nreturn x"}
  ${"class A:\n    pass\nreturn ops.relu(x)"}
`("a graph has no $construct", ({ construct }) => {
  expect(faultsOf(construct)).toEqual(["mindspore/graph-syntax RuntimeError"]);
});

test.each([
  "return x + len(self.cells())",
  "for cell in self.cells():\n    x = x + 1\nreturn x",
  "return x * len(self.trainable_params())",
  "for p in self.get_parameters():\n    x = x + p.sum()\nreturn x",
  "self.n = 4\nreturn x + 1",
  "self.held = x\nreturn x + 1",
  "return self.blocks[0].__call__(x)",
  "return x + self.__dict__['n']",
  "d = dict(a=x)\nreturn ops.tanh(d['a'])",
  "d = dict([('a', x)])\nreturn ops.tanh(d['a'])",
  "return x + (1 if type(x) == ms.Tensor else 2)",
  "return x + len(type(x).__name__)",
  "return x + np.ones((16, 32))",
  "return x + np.arange(32)",
  "return x * np.array(2.0)",
  "return ops.tanh(x.asnumpy())",
])("a graph takes no %j", (construct) => {
  expect(faultsOf(construct)).toEqual(["mindspore/graph-syntax RuntimeError"]);
});

test.each([
  "d = dict(a=1)\nreturn x + d['a']",
  "d = {'a': x}\nreturn ops.tanh(d['a'])",
  "return x + (1 if type(self.n) is int else 2)",
  "return x + len(type(self).__name__)",
  "return x + (1 if isinstance(x, ms.Tensor) else 2)",
  "return x * np.sqrt(2) * np.prod((2, 2))",
  "return x + ms.Tensor(np.ones((16, 32)), ms.float32)",
  "a = np.ones((16, 32))\nreturn ops.tanh(x)",
  "return x + vars(self)['n']",
  "return x + getattr(self, 'n')",
])("a graph takes %j", (construct) => {
  expect(faultsOf(construct)).toEqual([]);
});

test.each`
  construct                           | fault
  ${"return x.sum().item(0)"}         | ${"python/type-error TypeError"}
  ${"return x.item()"}                | ${"python/value-error ValueError"}
  ${"return ops.cast(x, 'float16')"}  | ${"python/type-error TypeError"}
  ${"return ops.cast(x, float)"}      | ${"python/type-error TypeError"}
  ${"return ops.sum(x, dtype=float)"} | ${"python/type-error TypeError"}
  ${"return x.to('float16')"}         | ${"python/type-error TypeError"}
  ${"return x.astype(None)"}          | ${"python/type-error TypeError"}
  ${"pass"}                           | ${"mindspore/constant-result RuntimeError"}
  ${"assert x.ndim == 2"}             | ${"mindspore/constant-result RuntimeError"}
  ${"return ()"}                      | ${"mindspore/constant-result RuntimeError"}
  ${"if x.ndim == 3:\n    return x"}  | ${"mindspore/constant-result RuntimeError"}
  ${"return x + 1 if x.grad else x"}  | ${"mindspore/graph-syntax AttributeError"}
`("a graph refuses $construct: $fault", ({ construct, fault }) => {
  expect(faultsOf(construct)).toEqual([fault]);
});

test.each(["x = ops.tanh(x)\nreturn 1", "x = ops.tanh(x)\nreturn None", "x + 1", "ops.tanh(x)"])(
  "a net that gives nothing keeps what nothing reads: %j",
  (construct) => {
    expect(faultsOf(construct)).toEqual([]);
  },
);

test.each`
  construct                                                                                              | said
  ${"for f in (ops.relu, ops.tanh):\n    g = lambda t: f(t)\n    x = g(x)\nreturn x"}                    | ${"computes nothing"}
  ${"f = ops.relu\ng = lambda t: f(t)\nf = ops.tanh\nreturn g(x)"}                                       | ${'takes "f"'}
  ${"k = 2\ndef g(t):\n    return t.sum(k - 1)\nk = 1\nreturn g(x)"}                                     | ${'takes "k"'}
  ${"fs = []\nfor i in (1, 2):\n    def g(t):\n        return t * i\n    fs.append(g)\nreturn fs[0](x)"} | ${'takes "i"'}
  ${"fs = [lambda t: f(t) for f in (ops.relu, ops.tanh)]\nreturn fs[0](x)"}                              | ${'takes "f"'}
  ${"for f in (ops.relu, ops.tanh):\n    def g(t):\n        return f(t)\n    x = g(x)\nreturn x"}        | ${undefined}
  ${"f = ops.relu\ng = lambda t: f(t)\nx = g(x)\nf = ops.tanh\nreturn f(x)"}                             | ${undefined}
  ${"g = lambda t: t + x\nreturn g(x)"}                                                                  | ${undefined}
  ${"self.buffer[0] = 1.0\nreturn ops.tanh(x)"}                                                          | ${"a part of what a cell holds"}
`("of functions inside a graph is said $said: $construct", ({ construct, said }) => {
  const source = netText({ primitives: [], construct, inputs: [[16, 32]] });
  const [warning] = shortly(source).warnings;
  if (said === undefined) expect(warning).toBeUndefined();
  else expect(warning?.message).toContain(said);
});

test("a function inside a graph reads nothing that is defined behind it", () => {
  const construct = "def g(t):\n    return t.sum(k)\nk = 1\nreturn g(x)";
  expect(faultsOf(construct)).toEqual(["mindspore/graph-syntax NameError"]);
});

test("methods and functions that construct calls are compiled too, what Python runs is not", () => {
  const loop = (indent: string) =>
    `${indent}for i in range(2):\n${indent}    y = ops.tanh(x)\n${indent}return y`;
  const fault = ["mindspore/graph-syntax UnboundLocalError"];
  expect(faultsOf("return twice(x)", `def twice(x):\n${loop("    ")}`)).toEqual(fault);
  expect(faultsOf("return ops.relu(x)", `def twice(x):\n${loop("    ")}`)).toEqual([]);
  const made = `@ops.constexpr\ndef count(n):\n    for i in range(n):\n        last = i\n    return last`;
  expect(faultsOf("return x * count(4)", made)).toEqual([]);
});
