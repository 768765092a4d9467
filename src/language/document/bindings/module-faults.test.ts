import { expect, test } from "vitest";
import { reading } from "../reading.testing.ts";

/** Text of a module class with the given methods, and a call of it. */
function module(base: string, methods: string): string {
  return `import torch
import torch.nn as nn
class Base(nn.Module):
    def __init__(self, width):
        super(Base, self).__init__()
        self.width = width
class M(${base}):
${methods}
y = M()(Tensor((4, 6)))
`;
}

const forward = "    def forward(self, x):\n        return self.fc(x)";
const layer = "        self.fc = nn.Linear(6, 6)\n";

test.each`
  why                               | base               | methods
  ${"it has no __init__"}           | ${"nn.Module"}     | ${"    def forward(self, x):\n        return x"}
  ${"it extends a layer"}           | ${"nn.Linear"}     | ${"    def __init__(self):\n        super().__init__(6, 6)"}
  ${"it calls its base by name"}    | ${"Base"}          | ${`    def __init__(self):\n        Base.__init__(self, 6)\n${layer}${forward}`}
  ${"only numbers stand before it"} | ${"nn.Module"}     | ${`    def __init__(self):\n        self.depth = 2\n        super().__init__()\n${layer}${forward}`}
  ${"it is a sequence"}             | ${"nn.Sequential"} | ${"    def __init__(self):\n        super().__init__(nn.Linear(6, 6), nn.ReLU())"}
  ${"its forward is a stand-in"}    | ${"nn.Module"}     | ${"    def forward(self, x):\n        pass"}
`("nothing is said of a module because $why", ({ base, methods }) => {
  const { said } = reading(module(base, methods));
  expect(said.filter((line) => !line.startsWith("info"))).toEqual([]);
});

const x = "import torch\nx = Tensor((4, 6))\n";

test.each`
  call
  ${"x.unsqueeze(2)"}
  ${"x.unsqueeze(-3)"}
  ${"torch.stack([x, x], dim=2)"}
  ${"torch.cat([x, x], dim=-1)"}
  ${"x.sum().sum(dim=0)"}
  ${"x.flatten(0, 1)"}
  ${"x.sum(dim=(0, -1))"}
  ${"torch.split(x, [2, 4], dim=-1)"}
  ${"torch.split(x, 4, dim=1)"}
  ${"x.reshape(6 // 2, -1)"}
  ${"x == None"}
`("$call is in order", ({ call }) => {
  expect(reading(`${x}y = ${call}\n`).said.filter((line) => line.startsWith("error"))).toEqual([]);
});

test.each`
  call                                | said
  ${"x.softmax(dim=2)"}               | ${"error python/index-error IndexError"}
  ${"x.unsqueeze(3)"}                 | ${"error python/index-error IndexError"}
  ${"x.sum(-3)"}                      | ${"error python/index-error IndexError"}
  ${"torch.split(x, [2, 3], dim=-1)"} | ${"error python/runtime-error RuntimeError"}
  ${"x.reshape(6 / 2, 8)"}            | ${"error python/type-error TypeError"}
  ${"x.permute((1.0, 0))"}            | ${"error python/type-error TypeError"}
  ${"x.softmax(dim=0.5)"}             | ${"error python/type-error TypeError"}
  ${"x.sum(dim=[0, 0.5])"}            | ${"error python/type-error TypeError"}
  ${"x + None"}                       | ${"error python/type-error TypeError"}
  ${"None * x"}                       | ${"error python/type-error TypeError"}
  ${"x - 'a'"}                        | ${"error python/type-error TypeError"}
  ${"x @ {}"}                         | ${"error python/type-error TypeError"}
`("$call is refused as torch refuses it", ({ call, said }) => {
  expect(reading(`${x}y = ${call}\n`).said).toContain(said);
});
