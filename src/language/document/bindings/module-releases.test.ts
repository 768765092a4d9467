import { expect, test } from "vitest";
import { compile } from "#compile";

const head = `import torch
from torch import nn
net = nn.ModuleDict({"tokens": nn.Embedding(64, 16), "head": nn.Linear(16, 64, bias=False)})
`;
const call = `y = net["head"](net["tokens"](torch.zeros(2, 3, dtype=torch.long)))\n`;

/** Elements of the f32 parameters that are drawn, and that the memory estimate counts. */
function heldBy(lines: string) {
  const { diagnostics, graph, memory } = compile(`${head}${lines}\n${call}`);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const parameters = graph.tensors.filter(({ role }) => role === "parameter");
  const sizes = parameters.map(({ shape }) => shape.reduce((product, size) => product * size, 1));
  return {
    drawn: sizes.reduce((sum, size) => sum + size, 0),
    counted: memory.parameterBytes / 4,
  };
}

// A replaced parameter, or one of a module taken apart, is freed unless something else holds it or
// an operator has read it.
test.each`
  lines                                                                                                                                            | elements
  ${""}                                                                                                                                            | ${2048}
  ${"net['head'].weight = net['tokens'].weight"}                                                                                                   | ${1024}
  ${"net['tokens'].weight = net['head'].weight"}                                                                                                   | ${1024}
  ${"net['head'].weight = nn.Parameter(torch.zeros(32, 16))"}                                                                                      | ${1536}
  ${"net['head'] = nn.Linear(16, 8)"}                                                                                                              | ${1160}
  ${"net['more'] = nn.Linear(4, 4)\ndel net['more']"}                                                                                              | ${2048}
  ${"old = net['head'].weight\nnet['head'].weight = net['tokens'].weight"}                                                                         | ${2048}
  ${"kept = [net['head']]\nnet['head'] = nn.Linear(16, 8)"}                                                                                        | ${2184}
  ${"z = net['head'].weight * 2\nnet['head'].weight = net['tokens'].weight"}                                                                       | ${2048}
  ${"def body():\n  whole = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 9))\n  return nn.Sequential(*list(whole.children())[:-1])\npart = body()"} | ${2068}
  ${"whole = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 9))\npart = whole[:1]"}                                                                   | ${2113}
  ${"lone = nn.Linear(4, 4)\nlone.weight, lone.bias = lone.weight, lone.bias"}                                                                     | ${2068}
  ${"from copy import deepcopy\ndef body():\n  one = nn.Linear(4, 4)\n  return nn.ModuleList([deepcopy(one) for _ in range(3)])\npart = body()"}   | ${2108}
  ${"from copy import deepcopy\none = nn.Linear(4, 4)\nother = deepcopy(one)"}                                                                     | ${2088}
`("after $lines the parameters have $elements elements", ({ lines, elements }) => {
  expect(heldBy(lines)).toEqual({ drawn: elements, counted: elements });
});
