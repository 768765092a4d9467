import { expect, test } from "vitest";
import { compile } from "#compile";
import type { TextModules, TextNumber } from "#systems/arrays";

function modulesOf(forward: string): TextModules {
  const text = `import math
import torch
import torch.nn as nn
class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(16, 16)
    def forward(self, x, scale=None):
        ${forward}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.ModuleList([Inner()])
    def forward(self, x):
        return self.inner[0](x, scale=x)
x = Tensor((8, 4, 16))
y = Net()(x)
`;
  const modules = compile(text).textModules?.();
  if (modules === undefined || typeof modules === "string") throw new Error(modules);
  return modules;
}

/** A number in a small notation: `x.1` for a size, `(x.2 // 4)` for what is worked out, else itself. */
function said(number: TextNumber): string {
  if (number.kind === "known") return String(number.value);
  if (number.kind === "size") return `${number.tensor}.${number.dim}`;
  return `${number.operator}(${number.operands.map(said).join(", ")})`;
}

test.each([
  ["return x.view(x.shape[0], -1)", "x.0, -1"],
  ["b, s, d = x.shape\n        return x.view(b * s, d)", "*(x.0, x.1), x.2"],
  ["return x.view(x.size(0), x.size(-1) // 4, -1)", "x.0, //(x.2, 4), -1"],
  ["return x.view(*x.shape[:-1], 4, 4)", "x.0, x.1, 4, 4"],
  ["return x.view(int(x.numel() / 16), 16)", "int(/(prod(x.0, x.1, x.2), 16)), 16"],
  ["return x.view(math.prod(x.shape[:2]), 16)", "prod(x.0, x.1), 16"],
  ["return x.view(-(-x.shape[0]), -1)", "-(-(x.0)), -1"],
])("sizes are followed through %j", (forward, shape) => {
  const [given] = modulesOf(forward).numbers.values();
  expect(given?.get("shape")?.map(said).join(", ")).toBe(shape);
});

test("numbers that only the text says come from nowhere", () => {
  expect(modulesOf("return x.view(8, 64)").numbers.size).toBe(0);
});

test("tensors that are made by a size say so, and by which module it is asked for", () => {
  const { made } = modulesOf("return x + torch.arange(x.shape[1])[:, None]");
  const numbers = [...made.values()].flat();
  expect(numbers).toEqual([{ kind: "size", value: 4, tensor: "x", dim: 1, path: "inner.0" }]);
});

test("runs of modules are known with what they are given, by place and by name", () => {
  const { runs, root, classesOf } = modulesOf("return self.lin(x)");
  expect(root).toBe("Net");
  expect(runs).toEqual([
    { path: "", args: [{ tensor: "x" }] },
    { path: "inner.0", args: [{ tensor: "x" }, { name: "scale", tensor: "x" }] },
    { path: "inner.0.lin", args: [{ tensor: "x" }] },
  ]);
  expect(classesOf.get("inner.0.lin")).toEqual(["nn.Linear", "nn.Module"]);
  expect(classesOf.get("inner.0")).toEqual(["Inner", "nn.Module"]);
});
