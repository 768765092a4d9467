import { expect, test } from "vitest";
import { tensorId } from "#core/ir";
import { applyGesture } from "./gesture.ts";
import type { DimGesture } from "./gesture-kinds.ts";

const net = `import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))

class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(64, 256, bias=False)
        self.down = nn.Linear(256, 64, bias=False)

    def forward(self, x):
        h = self.up(x)
        return self.down(F.relu(h))

model = MLP()
`;

const planned = (entries: string) => `${net}parallelize_module(model, mesh["tp"], {${entries}})
x = Tensor((16, 64))
y = model(x)
`;

const placed = (placements: string) => `${net}x = torch.randn(16, 64)
x = distribute_tensor(x, mesh, ${placements})
y = model(x)
`;

test("an axis is resized where the mesh is made", () => {
  const text = planned('"up": ColwiseParallel()');
  const outcome = applyGesture(text, { kind: "resize-axis", axis: "dp", size: 4 });
  expect(outcome).toMatchObject({ ok: true, source: text.replace("(2, 4)", "(4, 4)") });
});

test("a cut that no style says is written in our own words", () => {
  const text = planned('"up": ColwiseParallel()');
  const done = applyGesture(text, gestureOf("split h 0 dp"));
  expect(done).toMatchObject({ source: `${text}strategy("h", n="tp", a="dp")\n` });
});

/** A gesture from its short text: `split w2 0 tp`. */
function gestureOf(text: string): DimGesture {
  const [kind, tensor = "", dim = "0", axis] = text.split(" ");
  if (kind !== "split" && kind !== "whole" && kind !== "move") throw new Error(text);
  const target = { kind, tensor: tensorId(tensor), dim: Number(dim) } as const;
  return axis === undefined ? target : { ...target, axis };
}

test.each`
  gesture                    | before                                                           | after
  ${"move up.weight 1 tp"}   | ${planned('"up": ColwiseParallel()')}                            | ${planned('"up": RowwiseParallel()')}
  ${"whole up.weight 0"}     | ${planned('"up": ColwiseParallel(), "down": RowwiseParallel()')} | ${planned('"down": RowwiseParallel()')}
  ${"split up.weight 0 tp"}  | ${planned("")}                                                   | ${planned('"up": ColwiseParallel()')}
  ${"move down.weight 0 tp"} | ${planned('"up": ColwiseParallel()')}                            | ${planned('"up": ColwiseParallel(), "down": ColwiseParallel()')}
  ${"split y 0 tp"}          | ${planned('"up": ColwiseParallel(), "down": RowwiseParallel()')} | ${planned('"up": ColwiseParallel(), "down": RowwiseParallel(output_layouts=Shard(0))')}
  ${"whole y 0"}             | ${planned('"down": RowwiseParallel(output_layouts=Shard(0))')}   | ${planned('"down": RowwiseParallel(output_layouts=Replicate())')}
  ${"whole h 1"}             | ${planned('"up": ColwiseParallel(), "down": RowwiseParallel()')} | ${planned('"down": RowwiseParallel()')}
  ${"split x 1 tp"}          | ${placed("[Shard(0), Replicate()]")}                             | ${placed("[Shard(0), Shard(1)]")}
  ${"whole x 0"}             | ${placed("[Shard(0), Replicate()]")}                             | ${placed("[Replicate(), Replicate()]")}
`("$gesture", ({ gesture, before, after }) => {
  expect(applyGesture(before, gestureOf(gesture))).toMatchObject({ ok: true, source: after });
});
