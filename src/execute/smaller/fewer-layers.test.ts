import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "#compile";
import { lower } from "#core/program";
import { plannedTrainingStep } from "../verify/layered-program.testing.ts";
import { runProgram } from "../verify/run-program.ts";
import { fewerLayers } from "./fewer-layers.ts";
import { stepKindCoverage } from "./step-kinds.ts";

const factor = process.env.SOAK === undefined ? 1 : 40;

/** A model of equal layers, as a person writes it. */
function model(layers: number, forward: string, more = ""): string {
  return `import torch.nn as nn
mesh = Mesh(dp=2, tp=2)
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(16, 64), nn.Linear(64, 16)
    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(${layers}))
    def forward(self, x):
${forward}
net = Net()
y = net(Tensor((8, 16)))
strategy("layers[*].up", n="tp")
strategy("layers[*].down", k="tp")
${more}`;
}

const inTurn = "        for layer in self.layers:\n            x = layer(x)\n        return x";
const stacked = `        all = []
        for layer in self.layers:
            x = layer(x)
            all.append(x)
        return torch.stack(all)`;

test.each([
  { what: "a forward pass", text: model(6, inTurn), layers: { kept: 2, of: 6 } },
  { what: "a training step", text: model(6, inTurn, "train(y.sum())"), layers: { kept: 3, of: 6 } },
  { what: "two layers", text: model(2, inTurn), layers: undefined },
  { what: "layers that are stacked", text: model(6, stacked), layers: { kept: 2, of: 6 } },
])("of $what $layers are left, and every kind of step", ({ text, layers }) => {
  const { plan, program } = compile(text);
  const fewer = fewerLayers(program, 2);
  expect(fewer?.layers).toEqual(layers);
  if (fewer === undefined) return;
  const smaller = lower(fewer.graph, plan);
  expect(stepKindCoverage(program, smaller).missing).toEqual([]);
  const run = runProgram(smaller, { seed: 1, values: "integers" });
  expect(run.ok && run.value.equal).toBe(true);
});

test("random training steps on two of their layers run, and equal their reference", () => {
  let [shrunk, whole] = [0, 0];
  const holds = fc.property(fc.nat(100_000), (seed) => {
    const { plan, program } = plannedTrainingStep(seed, 5);
    const fewer = fewerLayers(program, 2);
    if (fewer === undefined) return;
    shrunk += 1;
    const smaller = lower(fewer.graph, plan);
    const { missing } = stepKindCoverage(program, smaller);
    if (missing.length === 0) whole += 1;
    const run = runProgram(smaller, { seed, values: "integers" });
    expect(run.ok && run.value.first, String(seed)).toBeUndefined();
  });
  fc.assert(holds, { seed: 4, numRuns: 12 * factor });
  expect(shrunk).toBeGreaterThan(4 * factor);
  expect(whole / shrunk).toBeGreaterThan(0.8);
});
