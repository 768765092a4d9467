import { expect, test } from "vitest";
import { compile } from "#compile";
import { tensorId } from "#core/ir";
import { flatSteps } from "#core/program";
import { runPlan } from "#execute/verify";
import { applyGesture } from "./gesture.ts";

const model = `import torch
from torch import nn
mesh = Mesh(dp=2, tp=2)

class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(8, 16)
        self.down = nn.Linear(16, 8)
    def forward(self, x):
        return self.down(torch.nn.functional.relu(self.up(x)))

net = Mlp()
x = torch.randn(4, 8)
y = net(x)
`;

function collectivesOf(text: string): readonly string[] {
  return flatSteps(compile(text).program).flatMap((step) =>
    step.kind === "collective" ? [step.collective] : [],
  );
}

// DTensor (2.13, RowwiseParallel on two ranks): the weight is cut along its dim 1, the bias is
// whole on both ranks; one all-reduce gives the result of the whole layer.
test.each([
  ["by its operator", 'strategy(y, k="tp")\n'],
  ["by a name", 'strategy("y", k="tp")\n'],
  ["by its weight", 'place("down.weight", layout("None", "tp"))\n'],
  ["by a pattern", 'place("*.weight", layout("None", "None"))\nstrategy("*", k="tp")\n'],
])(
  "a linear layer whose rows are cut %s adds its bias once, behind the reduction",
  (_, request) => {
    const compiled = compile(`${model}${request}`);
    const made = compiled.program.graph.operators.slice(-2);
    expect(made.map(({ op, inputs }) => [op, inputs.length])).toEqual([
      ["linear", 2],
      ["add", 2],
    ]);
    expect(collectivesOf(`${model}${request}`)).toContain("all-reduce");
    const run = runPlan(compiled.plan, compiled.program, { seed: 1, values: "integers" });
    expect(run.ok && run.value).toMatchObject({ equal: true, maxAbsDiff: 0 });
  },
);

test("nnScaler's refusal stands beside it, at what asks for the cut", () => {
  const request = 'strategy(y, k="tp")';
  const [verdict, ...others] = compile(`${model}${request}\n`).diagnostics;
  expect(others).toEqual([]);
  expect(verdict).toMatchObject({
    code: "nnscaler/partition-refused",
    severity: "warning",
    upstream: "ValueError",
    span: { from: model.length, to: model.length + request.length },
  });
});

test("other cuts leave the layer one operator", () => {
  const whole = compile(
    `${model}strategy(y, n="tp")\nplace("down.weight", layout("tp", "None"))\n`,
  );
  expect(whole.program.graph.operators.map(({ op }) => op)).toEqual(["linear", "relu", "linear"]);
  expect(whole.diagnostics).toEqual([]);
});

test("what a strategy asks beside the contracted dim holds for the sum and for what is added to it", () => {
  const { program } = compile(`${model}strategy(y, a="dp", k="tp")\n`);
  const cut = program.graph.operators.slice(-2).map(({ outputs: [made] }) => {
    const value = program.values.find(({ tensor }) => tensor === made?.tensor);
    return value?.layout.dims[0]?.parts;
  });
  const dp = [expect.objectContaining({ axis: "dp" })];
  expect(cut).toEqual([dp, dp]);
});

test.each`
  request                                           | kind         | after
  ${""}                                             | ${"split"}   | ${'place("down.weight", layout("None", "tp"))\n'}
  ${'place("down.weight", layout("None", "tp"))\n'} | ${"unsplit"} | ${'place("down.weight", layout("None", "None"))\n'}
`("a hand cuts the rows of such a layer, and takes the cut back: $kind", (row) => {
  const { request, kind, after } = row as Record<"request" | "kind" | "after", string>;
  const gesture = { kind: kind as "split", tensor: tensorId("down.weight"), dim: 1, axis: "tp" };
  const done = applyGesture(`${model}${request}`, gesture);
  expect(done.ok && done.source).toBe(`${model}${after}`);
});

test("a layer that is told not to cut its rows stays one, where its weight lies cut along them", () => {
  const kept = `${model}strategy(y, a="dp")\nplace("down.weight", layout("None", "tp"))\n`;
  expect(compile(kept).program.graph.operators.map(({ op }) => op)).toEqual([
    "linear",
    "relu",
    "linear",
  ]);
  expect(collectivesOf(kept)).toContain("all-gather");
  expect(collectivesOf(kept)).not.toContain("all-reduce");
});
