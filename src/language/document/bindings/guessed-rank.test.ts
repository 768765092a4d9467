import { expect, test } from "vitest";
import { reading } from "../reading.testing.ts";

const net = (layers: string, forward: string) => `import torch
from torch import nn
import torch.nn.functional as F
class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        ${layers}
    def forward(self, x):
        return ${forward}
`;

test.each`
  layers                                | forward                            | input
  ${"self.c = nn.Conv2d(3, n, 3)"}      | ${"self.c(x)"}                     | ${"x[8,3,8,8]"}
  ${"self.c = nn.Conv1d(3, n, 3)"}      | ${"F.relu(self.c(x))"}             | ${"x[8,3,8]"}
  ${"self.p = nn.AdaptiveAvgPool2d(1)"} | ${"self.p(x)"}                     | ${"x[8,8,8,8]"}
  ${"self.p = nn.ReflectionPad2d(1)"}   | ${"self.p(x)"}                     | ${"x[8,8,8,8]"}
  ${"self.l = nn.Linear(4, n)"}         | ${"self.l(x)"}                     | ${"x[8,4]"}
  ${"self.l = nn.Linear(4, n)"}         | ${"torch.outer(x, torch.ones(3))"} | ${"x[8]"}
`("a module that nothing calls takes $input for $forward", ({ layers, forward, input }) => {
  const { tensors, said } = reading(net(layers, forward));
  expect(tensors).toContain(input);
  expect(said.filter((line) => !line.startsWith("info"))).not.toContainEqual(
    expect.stringContaining("rank"),
  );
});

test("a rank that is a guess is no fault of the text", () => {
  const text = net("self.c = nn.Conv2d(3, n, 3)", "self.c(F.relu(x))");
  expect(reading(text).said).toEqual(["info document/assumed-arguments"]);
  expect(reading(`${text}y = Net(8)(torch.zeros(2, 3))`).said).toContain(
    "error dimops/rank-mismatch RuntimeError",
  );
});

test("what stops a module with assumed inputs is a warning that says so", () => {
  const text = `import torch
from torch import nn
class Net(nn.Module):
    def forward(self, x):
        return self.half(x)
    def half(self, x):
        if x.shape[-1] != 30:
            raise ValueError("thirty wide")
        return x * 2
`;
  expect(reading(text).said).toContain("warning python/value-error ValueError");
  expect(reading(`${text}y = Net()(torch.zeros(2, 30))`).said).toEqual([]);
});
