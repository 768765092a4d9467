import { expect, test } from "vitest";
import { printLayout } from "#core/mesh";
import { runPlan } from "#execute/verify";
import { compile } from "./compile.ts";

/** A text with an operator and a policy of nnScaler, inside a Cell of MindSpore. */
function mixed(dim: number, second: string, more = ""): string {
  return `import nnscaler
import torch
import mindspore.nn as nn
from mindspore import Parameter, Tensor, ops, Layout
from mindspore.parallel.auto_parallel import AutoParallel

@nnscaler.register_op('m kd+, kd+ n -> m n', name='matmul_custom')
def operator(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    return torch.matmul(x, w)

def PAS(graph, cfg):
    for node in graph.nodes():
        if node.name == 'matmul_custom':
            algo = node.algorithm('dim')
            pieces = graph.partition(node, algo, idx=${dim < 2 ? 0 : 1}, dim=${dim % 2}, num=cfg.plan_ngpus)
            for device, piece in enumerate(pieces):
                graph.assign(piece, device)
    return graph

layout = Layout((2, 2), ("dp", "mp"))

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.second = ops.MatMul().shard(${second})
        self.act = ops.ReLU()

    def construct(self, x, w, v):
        y = operator(x, w)
        z = self.second(y, v)
        a = self.act(z)
        return a

net = AutoParallel(Net(), parallel_mode='semi_auto')
shapes(x=(8, 12), w=(12, 16), v=(16, 8))
${more}`;
}

/** Layouts of a text, whether devices compute its values correctly, and its diagnostics. */
function outcomeOf(program: string) {
  const compiled = compile(program);
  const { values, graph, stages } = compiled.program;
  const layoutOf = (name: string) => {
    const id = graph.tensors.find((tensor) => tensor.name === name)?.id;
    const value = values.find(({ tensor }) => tensor === id);
    return value === undefined ? "" : printLayout(value.layout);
  };
  const steps = stages.flatMap((stage) => stage.steps);
  const sent = steps.flatMap((step) =>
    step.kind === "collective" && step.collective !== "slice" ? [step.collective] : [],
  );
  const runs = (["integers", "floats"] as const).map((values_) => {
    const run = runPlan(compiled.plan, compiled.program, { seed: 3, values: values_ });
    return run.ok && run.value.equal;
  });
  return {
    layouts: ["y", "z", "a"].map(layoutOf),
    sent,
    equal: runs,
    said: compiled.diagnostics.map(({ code }) => code),
  };
}

const aliases = '(layout("dp", "mp"), layout("mp", "None"))';
const higher = '(layout("mp", "dp"), layout("dp", "None")), (layout(("mp", "dp"), "None"),)';

test.each`
  dim  | second                | layouts                                | sent
  ${0} | ${"((1, 1), (1, 4))"} | ${["dp*mp,_", "_,dp*mp", "dp*mp,_"]}   | ${["all-gather", "all-to-all"]}
  ${1} | ${"((4, 1), (1, 1))"} | ${["_,_|dp,mp", "dp*mp,_", "dp*mp,_"]} | ${["reduce-scatter"]}
  ${3} | ${"((1, 4), (4, 1))"} | ${["_,dp*mp", "_,_|dp,mp", "dp*mp,_"]} | ${["all-reduce"]}
  ${1} | ${aliases}            | ${["_,_|dp,mp", "dp,_|mp", "dp*mp,_"]} | ${["reduce-scatter", "all-reduce"]}
  ${1} | ${higher}             | ${["_,_|dp,mp", "mp,_|dp", "dp*mp,_"]} | ${["reduce-scatter", "reduce-scatter", "collective-permute"]}
`("a PAS along $dim and .shard($second) in one text send $sent", ({ dim, second, ...row }) => {
  const outcome = outcomeOf(mixed(dim, second));
  expect(outcome).toEqual({ ...row, equal: [true, true], said: [] });
});

test("a mixed text trains: the gradients of both systems' operators equal the reference", () => {
  const text = mixed(1, aliases, 'train("a")\n').replace(
    "    def construct(self, x, w, v):",
    "        self.w = Parameter(Tensor((12, 16)))\n        self.v = Parameter(Tensor((16, 8)))\n\n    def construct(self, x):\n        w, v = self.w, self.v",
  );
  const compiled = compile(text);
  const run = runPlan(compiled.plan, compiled.program, { seed: 3, values: "floats" });
  expect(compiled.diagnostics).toEqual([]);
  const names = run.ok
    ? run.value.tensors.filter(({ equal }) => equal).map(({ name }) => name)
    : [];
  expect(run.ok && run.value.equal).toBe(true);
  expect(names).toEqual(expect.arrayContaining(["w.grad", "v.grad", "w.new", "v.new"]));
});

test("what a policy leaves alone runs whole, but a primitive follows MindSpore's rules", () => {
  const text = mixed(0, "((1, 1), (1, 4))", "b = torch.relu(x)\n").replace(
    "shapes(",
    "x = Tensor((8, 12))\nshapes(",
  );
  const unassigned = compile(text).diagnostics.filter(
    ({ code }) => code === "nnscaler/unassigned-node",
  );
  expect(unassigned.map(({ message }) => message.slice(0, 23))).toEqual([
    'the policy leaves "b" w',
  ]);
});
