import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

/**
 * A model and the code that parallelizes it, as such files combine them: a plan of layers, then
 * FSDP.
 */
const pasted = `import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    PrepareModuleInput,
    RowwiseParallel,
    SequenceParallel,
    parallelize_module,
)

class FeedForward(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden, bias=False)
        self.w2 = nn.Linear(hidden, dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(512, 64)
        self.norm = nn.RMSNorm(64)
        self.mlp = FeedForward(64, 256)
        self.head = nn.Linear(64, 512, bias=False)

    def forward(self, tokens):
        h = self.embed(tokens)
        h = h + self.mlp(self.norm(h))
        return self.head(h)

def apply_tp(model, tp_mesh):
    parallelize_module(
        model,
        tp_mesh,
        {
            "embed": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1)),
            "norm": SequenceParallel(),
            "mlp": PrepareModuleInput(
                input_layouts=(Shard(1),),
                desired_input_layouts=(Replicate(),),
            ),
            "mlp.w1": ColwiseParallel(),
            "mlp.w2": RowwiseParallel(output_layouts=Shard(1)),
            "head": ColwiseParallel(input_layouts=Shard(1)),
        },
    )

def apply_fsdp(model, dp_mesh):
    fully_shard(model.mlp, mesh=dp_mesh)
    fully_shard(model, mesh=dp_mesh)

mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))
model = Net()
apply_tp(model, mesh["tp"])
apply_fsdp(model, mesh["dp"])
tokens = Tensor((16, 32), "int64")
logits = model(tokens)
`;

/** A plan that says nothing yet. */
const small = `import torch.nn as nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(64, 256, bias=False)

    def forward(self, x):
        return self.up(x)

mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))
net = Net()
parallelize_module(net, mesh["tp"], {})
y = net(Tensor((16, 64)))
`;

test(
  "a parallel plan of PyTorch is pasted",
  onOnePage({
    "its mesh, styles and pieces stand on the board": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste(pasted);
      expect(await plan.program()).toBe(pasted);
      await expect(page.getByTestId("mesh-axis-dp")).toBeVisible();
      await expect(page.getByTestId("mesh-axis-tp")).toBeVisible();
      await expect(page.getByTestId("problems").locator("[data-severity=error]")).toHaveCount(0);
      const [first, second] = await plan.ranges("tokens");
      expect([first, second]).toEqual([
        [
          [0, 8],
          [0, 32],
        ],
        [
          [0, 8],
          [0, 32],
        ],
      ]);
    },

    "an axis that is put on a weight changes the style in the plan": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste(small);
      await page.getByTestId("tensor-up.weight").click();
      await page.getByTestId("dim-up.weight-0").focus();
      await page.keyboard.press("2");
      await plan.settle();
      expect(await plan.program()).toBe(small.replace("{}", '{"up": ColwiseParallel()}'));
    },
  }),
);
