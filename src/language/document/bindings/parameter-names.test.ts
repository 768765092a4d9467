import { expect, test } from "vitest";
import { readDocument } from "#systems";

/**
 * Parameter names of a module with two blocks and a head, whose `__init__` ends with the lines of a
 * case.
 */
function parametersOf(lines: string, after = ""): readonly string[] {
  const { graph, diagnostics } = readDocument(`import torch
from torch import nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8, bias=False)
        scale = nn.Parameter(torch.ones(8))
        self.scale = scale
    def forward(self, x):
        weight = self.scale
        return self.fc(x) * weight
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(2)])
        self.head = nn.Linear(8, 16, bias=False)
        ${lines}
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)
net = Net()
${after}
y = net(torch.zeros(4, 8))
`);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return (graph?.tensors ?? []).flatMap(({ name, role }) => (role === "parameter" ? [name] : []));
}

const paths = [
  ...["blocks[0].fc.weight", "blocks[0].scale", "blocks[1].fc.weight", "blocks[1].scale"],
  "head.weight",
];

test.each`
  what                             | lines                                                        | after
  ${"nothing"}                     | ${"pass"}                                                    | ${""}
  ${"named_parameters in a loop"}  | ${"for pn, p in self.named_parameters(): nn.init.zeros_(p)"} | ${""}
  ${"parameters in a loop"}        | ${"for p in self.parameters(): p.requires_grad = True"}      | ${""}
  ${"a comprehension"}             | ${"n = sum(p.numel() for p in self.parameters())"}           | ${""}
  ${"a dict of them"}              | ${"d = {n: p for n, p in self.named_parameters()}"}          | ${""}
  ${"a loop over modules"}         | ${"for m in self.modules(): w = getattr(m, 'weight', None)"} | ${""}
  ${"a variable of the method"}    | ${"first = self.head.weight"}                                | ${""}
  ${"a loop of the text's module"} | ${"pass"}                                                    | ${"for n, p in net.named_parameters(): pass"}
  ${"a variable of the text"}      | ${"pass"}                                                    | ${"w = net.head.weight"}
  ${"a function of the text"}      | ${"pass"}                                                    | ${"def count(net):\n  for p in net.parameters(): pass\ncount(net)"}
`("parameters keep their paths beside $what", ({ lines, after }) => {
  expect(parametersOf(lines, after)).toEqual(paths);
});

test("a parameter of the text that a module takes later keeps the text's name", () => {
  const { graph } = readDocument(`import torch
from torch import nn
w = nn.Parameter(torch.ones(8, 8))
class Net(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = weight
    def forward(self, x):
        return x @ self.weight
y = Net(w)(torch.zeros(4, 8))
`);
  expect(graph?.tensors.find(({ role }) => role === "parameter")?.name).toBe("w");
});
