import { expect, test } from "vitest";
import { compile } from "#compile";
import { wholeAxis } from "#core/mesh";
import { propagate } from "#core/plan";
import { fieldOf } from "#core/records";
import type { Document } from "#language/document";
import { readDocument } from "#systems";
import { costsOf, plannedCosts } from "./planned-costs.ts";
import { createPlanWriter } from "./written-plan.ts";

/** Two layers in PyTorch's own words, some of which also set layouts of results. */
const net = `import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import Shard
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

mesh = Mesh(dp=2, tp=4, hardware="8xH100")
devices = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(1024, 4096, bias=False)
        self.down = nn.Linear(4096, 1024, bias=False)
    def forward(self, x):
        return x + self.down(F.gelu(self.up(x)))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Block() for _ in range(2))
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

model = Net().to(torch.bfloat16)
for layer in model.layers:
    parallelize_module(layer, devices["tp"], {
        "up": ColwiseParallel(),
        "down": RowwiseParallel(output_layouts=Shard(1)),
    })
    fully_shard(layer, mesh=devices["dp"])
y = model(Tensor((8, 512, 1024), "bf16"))
train(y.sum(), optimizer="adamw")
`;

/** The text's plan, with other cuts for each named layer. */
function planWith(
  { graph, mesh, requests }: Document,
  cutsOf: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
) {
  const { plan } = propagate(graph, mesh.mesh, requests);
  const strategies = graph.operators.map(({ id, name: own }) => {
    const cuts = fieldOf(cutsOf, own.slice(own.indexOf(".") + 1));
    const parts = Object.entries(cuts ?? {}).map(
      ([name, axes]) => [name, axes.map((axis) => wholeAxis(mesh.mesh, axis))] as const,
    );
    const kept = plan.operators.get(id)?.strategy ?? { cuts: {}, carry: [] };
    return [
      id,
      cuts === undefined ? kept : { cuts: Object.fromEntries(parts), carry: [] },
    ] as const;
  });
  const rest = graph.tensors.flatMap(({ id, producer }) => {
    const layout = plan.placements.get(id)?.layout;
    return producer !== undefined || layout === undefined ? [] : [[id, layout] as const];
  });
  return { strategies: new Map(strategies), rest: new Map(rest), ends: new Map() };
}

test.each`
  cuts
  ${{}}
  ${{ linear_1: { a: ["dp"], k: ["tp"] } }}
  ${{ linear_1: { a: ["dp"], b: ["tp"] } }}
  ${{ linear_2: { a: ["dp"], b: ["tp"] } }}
  ${{ linear_1: { a: ["dp"], k: ["tp"] }, gelu_1: { a: ["dp"], b: ["tp"] } }}
  ${{ linear_1: { a: ["dp", "tp"] }, gelu_1: { a: ["dp", "tp"] }, linear_2: { a: ["dp", "tp"] } }}
`(
  "what a plan with $cuts takes is what its text takes, in the words of parallelize_module",
  ({ cuts }) => {
    const document = readDocument(net);
    const plan = planWith(document, cuts);
    const { text, analysis } = createPlanWriter(document).written(plan);
    if (!text.ok) throw new Error(text.diagnostic.message);
    expect(costsOf(compile(text.source))).toEqual(costsOf(analysis));
    expect(costsOf(analysis)).toEqual(plannedCosts(document, plan));
  },
);
