import { expect, test } from "vitest";
import { type ReadingSystem, readDocument } from "#language/document";
import { systems } from "./systems.ts";

/** The systems, with a record of those whose bindings or plans were requested by a reading. */
function watched(): { readonly list: readonly ReadingSystem[]; readonly asked: Set<string> } {
  const asked = new Set<string>();
  const list = systems.map((system): ReadingSystem => {
    const { name, bind, plans } = system;
    return {
      ...system,
      ...(bind && {
        bind: (parts) => {
          asked.add(`${name} binds`);
          return bind(parts);
        },
      }),
      ...(plans && {
        plans: (reading) => {
          asked.add(`${name} plans`);
          return plans(reading);
        },
      }),
    };
  });
  return { list, asked };
}

const native = `mesh = Mesh(dp=2)
x = Tensor((8, 16))
w = Parameter((16, 32))
h = matmul(x, w)
strategy(h, m="dp")
train(h)
`;

const torch = `import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(16, 32)
    def forward(self, x):
        return torch.nn.functional.relu(self.fc(x))
y = Net()(torch.ones(8, 16))
`;

test.each([
  ["nothing but native words", native, []],
  ["methods of the operator library", `${native}y = h.reshape(16, 16).relu()\n`, []],
  ["a module that nobody knows", `import other\n${native}`, []],
  ["a module of torch", torch, ["torch binds", "torch plans"]],
  ["a usual name of torch", `${native}y = F.relu(h)\n`, ["torch binds", "torch plans"]],
  [
    "a method that is a function of torch",
    `${native}y = h.movedim(0, 1)\n`,
    ["torch binds", "torch plans"],
  ],
  [
    "an operator of Python that is a function of torch",
    `import nnscaler\n${native}y = h % 2\n`,
    ["nnscaler binds", "nnscaler plans"],
  ],
  ["numpy", `import numpy as np\n${native}`, ["torch binds", "torch plans"]],
  [
    "an import of MindSpore",
    `from mindspore import ops\n${native}`,
    ["mindspore binds", "mindspore plans"],
  ],
  [
    "a usual name of MindSpore",
    `${native}y = ops.relu(h)\n`,
    ["mindspore binds", "mindspore plans"],
  ],
  ["an import of nnScaler", `import nnscaler\n${native}`, ["nnscaler binds", "nnscaler plans"]],
  [
    "a usual name of nnScaler",
    `@register_op("a b -> a b")\ndef f(x): return x\n`,
    ["nnscaler binds", "nnscaler plans"],
  ],
  [
    "a policy without an import",
    `${native}def pas(graph, cfg):\n    return graph\n`,
    ["nnscaler binds", "nnscaler plans"],
  ],
  [
    "a function of torch that planners do not know",
    `${native}y = torch.igamma(h, h)\n`,
    ["nnscaler binds", "nnscaler plans", "torch binds", "torch plans"],
  ],
])("of %s only the systems that it names bind and plan", (_, source, expected) => {
  const { list, asked } = watched();
  const document = readDocument(source, list);
  expect([...asked].sort()).toEqual(expected);
  const names = new Set(expected.map((each) => each.split(" ")[0]));
  expect([...document.systems].sort()).toEqual([...names].sort());
});

test("the system whose steps a text chooses takes part, and has nothing to bind", () => {
  const { list, asked } = watched();
  const text = `${native}reshard(h, steps="dtensor")\n`;
  expect(readDocument(text, list).systems).toEqual(["dtensor"]);
  expect([...asked]).toEqual([]);
});
