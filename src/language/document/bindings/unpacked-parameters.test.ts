import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { unpackedNames } from "./unpacked-parameters.ts";

test.each`
  body                                     | names
  ${"cos, sin = freqs"}                    | ${["cos", "sin"]}
  ${"(cos, _, sin) = freqs  # angles"}     | ${["cos", "freqs_1", "sin"]}
  ${"a, b = freqs\n    c, d = freqs"}      | ${["a", "b"]}
  ${"a, b = freqs\n    c, d, e = freqs"}   | ${undefined}
  ${"a, b = freqs.shape"}                  | ${undefined}
  ${"a, b = freqs[0]"}                     | ${undefined}
  ${"freqs = make()\n    a, b = freqs"}    | ${undefined}
  ${"freqs, c = make()\n    a, b = freqs"} | ${undefined}
  ${"a, b = self.freqs"}                   | ${undefined}
  ${"assert freqs == 3\n    a, b = freqs"} | ${["a", "b"]}
`("in $body a parameter is unpacked into $names", ({ body, names }) => {
  const source = `def f(x, freqs: tuple = None):\n    ${body}\ndef make():\n    freqs = 1\n`;
  expect(unpackedNames("freqs", source)).toEqual(names);
});

test("what a docstring shows unpacks nothing", () => {
  const source = 'def f(x, freqs):\n    """\n    a, b = freqs\n    """\n    return freqs\n';
  expect(unpackedNames("freqs", source)).toBe(undefined);
});

test("a name of another function is no parameter", () => {
  expect(unpackedNames("freqs", "def f(x):\n    a, b = freqs\ndef g(freqs):\n    pass")).toBe(
    undefined,
  );
});

const layer = `import torch
from torch import nn
class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q = nn.Linear(dim, dim)
    def forward(self, x, freqs):
        cos, sin, swap = freqs
        return self.q(x) * cos + swap * sin
class Layer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.attn = Attention(dim)
    def forward(self, x, freqs):
        return x + self.attn(x, freqs)
`;

test("a class that nobody makes is given a tuple of what its parts unpack", () => {
  const { graph, diagnostics } = readDocument(layer);
  expect(graph.operators.map(({ op }) => op)).toEqual(["linear", "mul", "mul", "add", "add"]);
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
});

test("the call that is offered names what is unpacked, where the text has no other use of the names", () => {
  const lines = (text: string) => readDocument(text).trace.choices.map(({ line }) => line);
  const stopped = layer.replaceAll("        super", "        assert dim == 24\n        super");
  expect(lines(stopped)).toContain("y = Layer(dim=16)(x, (cos, sin, swap))");
  expect(lines(`${stopped}from math import cos\n`)).toContain("y = Layer(dim=16)(x, freqs)");
});
