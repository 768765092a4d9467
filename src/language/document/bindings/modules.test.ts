import { expect, test } from "vitest";
import { reading } from "../reading.testing.ts";

const x = "x = Tensor((4, 6))\n";

test.each`
  text                                        | said
  ${"import torch, math, os, typing"}         | ${[]}
  ${"import unheard_of"}                      | ${["warning document/unknown-module ModuleNotFoundError"]}
  ${"from a.b import c, d"}                   | ${["warning document/unknown-module ModuleNotFoundError"]}
  ${`${x}y = torch.relu(x)`}                  | ${[]}
  ${`import nnscaler\n${x}y = torch.relu(x)`} | ${["warning nnscaler/unknown-function"]}
  ${`${x}y = troch.neg(x)`}                   | ${["warning document/misspelt-name NameError"]}
  ${`${x}y = F.relu(x)`}                      | ${[]}
  ${`${x}y = nn.ReLU()(x)`}                   | ${[]}
  ${`${x}y = mystery(x)`}                     | ${["warning document/undefined-name NameError"]}
  ${`${x}y = x + other`}                      | ${["warning document/undefined-name NameError"]}
  ${"y = Tensor((B, S))\nz = Tensor((S, B))"} | ${["warning document/undefined-name NameError", "warning document/undefined-name NameError"]}
  ${"mesh = Mesh(dp=N)"}                      | ${["warning document/undefined-name NameError"]}
  ${"y = cfg.dim * 2"}                        | ${["warning document/undefined-name NameError"]}
  ${"hidden = 4\ny = Tensor((hiden, 4))"}     | ${["warning document/misspelt-name NameError"]}
`("$text says $said", ({ text, said }) => {
  const found = reading(text).said.filter((line) => !line.startsWith("info"));
  expect([...found].sort()).toEqual([...said].sort());
});

test("a name that the text does not define is one and the same size or input wherever it stands", () => {
  expect(reading("y = Tensor((B, 4))\nz = Tensor((4, B))\nw = y @ z + bias").tensors).toBe(
    "y[8,4] z[4,8] matmul_1[8,8] bias[8,8] w[8,8]",
  );
  expect(reading("y = x @ w\nz = relu(x)\nshapes(x=(2, 3))").tensors).toBe(
    "x[2,3] w[3,8] y[2,8] z[2,3]",
  );
});

test("an undefined function that is called with tensors is one operator that runs whole", () => {
  const found = reading(`${x}mesh = Mesh(dp=2)\ny = mystery(x, 3)\n`);
  expect(found.operators).toEqual(["y mystery a^ b^ -> ?^"]);
  expect(found.cuts).toEqual([]);
});

test("imports bring what a module of the text's own files defines", () => {
  const text = `# file: model/layers.py
SCALE = 2
def double(x):
    return x * SCALE
# file: train.py
from model.layers import double, SCALE
import model.layers as layers
${x}y = double(x)
z = layers.double(y) * SCALE
`;
  expect(reading(text).operators).toEqual([
    "y mul a b, ?^ -> a b",
    "double[1].mul_1 mul a b, ?^ -> a b",
    "z mul a b, ?^ -> a b",
  ]);
});

const block = `import torch.nn as nn
class Block(nn.Module):
    def forward(self, x):
        h = x * 2
        return h + 1
`;

test("modules of one class are called after what holds them", () => {
  const net = `${block}class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec, self.shared = Block(), Block(), Block()
        self.layers = nn.ModuleList([Block() for _ in range(2)])
    def forward(self, x):
        x = self.dec(self.enc(x))
        for layer in self.layers:
            x = layer(x)
        return self.shared(self.shared(x))
y = Net()(Tensor((4, 4)))
`;
  const names = (text: string) =>
    reading(text)
      .operators.map((line) => line.split(" ")[0] ?? "")
      .filter((name) => name.endsWith("h"));
  expect(names(net)).toEqual([
    ...["enc.h", "dec.h", "layers[0].h", "layers[1].h", "shared[0].h", "shared[1].h"],
  ]);
  const variables = `${block}one, two = Block(), Block()
more = [Block(), Block()]
deep = nn.ModuleList([nn.ModuleList([Block()])])
x = Tensor((4, 4))
y = two(one(x))
for each in more: y = each(y)
for each in deep: y = each[0](y)
`;
  expect(names(variables)).toEqual(["one.h", "two.h", "more[0].h", "more[1].h", "deep[0][0].h"]);
  expect(names(`${block}y = Block()(Tensor((4, 4)))`)).toEqual(["h"]);
  const layers = `${block}one, two = nn.Linear(4, 4, bias=False), nn.Linear(4, 4, bias=False)
more = nn.ModuleList([nn.Linear(4, 4, bias=False)])
y = more[0](two(one(Tensor((4, 4)))))
`;
  expect(reading(layers).tensors).toContain("weight[4,4]! two.weight[4,4]! more[0].weight[4,4]!");
});
