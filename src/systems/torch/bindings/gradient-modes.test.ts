import { expect, test } from "vitest";
import { compile } from "#compile";

/** The parameters that a step trains, and what is said of it. */
function trained(lines: string) {
  const { program, diagnostics } = compile(`import torch
from torch import nn
mesh = Mesh(p=1)
a, b = nn.Parameter(torch.ones(4)), nn.Parameter(torch.ones(4))
x = Tensor((2, 4))
${lines}
train(loss, optimizer="sgd")
`);
  const names = program.graph.tensors.flatMap(({ name, role, replaces }) =>
    role === "parameter" && replaces !== undefined ? [name.replace(".new", "")] : [],
  );
  return { names: names.toSorted(), said: diagnostics.map(({ severity }) => severity) };
}

test.each([
  ["loss = (x * a * b).sum()", ["a", "b"]],
  ["loss = ((x * a).detach() * b).sum()", ["b"]],
  ["with torch.no_grad():\n    h = x * a\nloss = (h * b).sum()", ["b"]],
  ["with torch.inference_mode():\n    h = x * a\nloss = (h * b).sum()", ["b"]],
  ["with torch.inference_mode(False):\n    h = x * a\nloss = (h * b).sum()", ["a", "b"]],
  ["with torch.set_grad_enabled(False):\n    h = x * a\nloss = (h * b).sum()", ["b"]],
  ["with torch.set_grad_enabled(True):\n    h = x * a\nloss = (h * b).sum()", ["a", "b"]],
  [
    "torch.set_grad_enabled(False)\nh = x * a\ntorch.set_grad_enabled(True)\nloss = (h * b).sum()",
    ["b"],
  ],
  [
    "with torch.no_grad():\n    with torch.enable_grad():\n        h = x * a\nloss = (h * b).sum()",
    ["a", "b"],
  ],
  ["@torch.no_grad()\ndef f(x):\n    return x * a\nloss = (f(x) * b).sum()", ["b"]],
  ["@torch.no_grad\ndef f(x):\n    return x * a\nloss = (f(x) * b).sum()", ["b"]],
  [
    "class N(nn.Module):\n    @torch.no_grad()\n    def forward(self, x):\n        return x * a\nloss = (N()(x) * b).sum()",
    ["b"],
  ],
  [
    "with torch.no_grad():\n    on = torch.is_grad_enabled()\nloss = (x * (a if on else b)).sum()",
    ["b"],
  ],
])("what gradients do not reach is not trained: %j", (lines, names) => {
  const { names: found, said } = trained(lines);
  expect(found).toEqual(names);
  expect(said.filter((severity) => severity !== "info")).toEqual([]);
});

test("where the text leaves a parameter without a gradient, that is noted", () => {
  expect(trained("loss = ((x * a).detach() * b).sum()").said).toEqual(["info"]);
});
