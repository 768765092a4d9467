import { expect, test } from "vitest";
import { compile } from "#compile";
import { flatSteps } from "#core/program";
import { checkpointCalls } from "./checkpoint-calls.ts";
import { explainLocal } from "./explain.ts";

const mlp = (mesh: string, train = "") => `import torch
${mesh}
x = Tensor((4096, 1024), "bf16")
w = Parameter((1024, 1024), "bf16")
h = matmul(x, w)
y = gelu(h)
${train}
`;

test("kernels of several devices are crowded by one factor, and so are their formulas", () => {
  const one = compile(mlp('mesh = Mesh(p=1, hardware="H100")'));
  const two = compile(mlp('mesh = Mesh(p=2, hardware="8xH100")'));
  expect(two.cost.computeSeconds / one.cost.computeSeconds).toBeCloseTo(1.41, 9);
  const seconds = flatSteps(two.program).map((step) =>
    step.kind === "local" ? (explainLocal(two.program, two.hardware, step)[0]?.value ?? 0) : 0,
  );
  expect(seconds.reduce((sum, each) => sum + each, 0)).toBeCloseTo(two.cost.computeSeconds, 15);
});

test("a compiled step launches nothing one by one, and fuses what moves bytes, as its formulas say", () => {
  const mesh = 'mesh = Mesh(p=1, hardware="H100")';
  const eager = compile(mlp(mesh, "train(y)"));
  const compiled = compile(mlp(mesh, "train(y, compiled=True)"));
  expect(eager.cost.hostSeconds).toBeGreaterThan(0);
  expect(compiled.cost).toMatchObject({ hostSeconds: 0, limit: "device" });
  expect(compiled.cost.computeSeconds).toBeLessThan(eager.cost.computeSeconds);
  const { program, hardware, rules, cost } = compiled;
  const seconds = flatSteps(program).map((step) =>
    step.kind === "local"
      ? (explainLocal(program, hardware, step, undefined, rules)[0]?.value ?? 0)
      : 0,
  );
  expect(seconds.reduce((sum, each) => sum + each, 0)).toBeCloseTo(cost.computeSeconds, 15);
});

test("a checkpoint is called once for each block that is computed anew", () => {
  const { program } = compile(`import torch
mesh = Mesh(p=1, hardware="H100")
x = Tensor((64, 64), "bf16")
class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = Parameter((64, 64), "bf16")
    def forward(self, x):
        h = matmul(x, self.w)
        a = gelu(h)
        return add(x, a)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Block() for _ in range(3)])
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
y = Net()(x)
train(y, recompute=["layers[*].h", "layers[*].a"])
`);
  const steps = flatSteps(program);
  expect(steps.some(({ phase }) => phase === "recompute")).toBe(true);
  expect(checkpointCalls(program).size).toBe(3);
});
