import { expect, test } from "vitest";
import { netText, shortly } from "../emitted/emitted.testing.ts";

// Each was asked of the compiler of MindSpore 2.10.0: it refuses what has an error here, and compiles the rest.

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

test("methods and functions that construct calls are compiled too, what Python runs is not", () => {
  const loop = (indent: string) =>
    `${indent}for i in range(2):\n${indent}    y = ops.tanh(x)\n${indent}return y`;
  const fault = ["mindspore/graph-syntax UnboundLocalError"];
  expect(faultsOf("return twice(x)", `def twice(x):\n${loop("    ")}`)).toEqual(fault);
  expect(faultsOf("return ops.relu(x)", `def twice(x):\n${loop("    ")}`)).toEqual([]);
  const made = `@ops.constexpr\ndef count(n):\n    for i in range(n):\n        last = i\n    return last`;
  expect(faultsOf("return x * count(4)", made)).toEqual([]);
});
