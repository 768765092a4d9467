import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { pasted } from "./plan-page.ts";

test(
  "what computes wrong numbers is warned of",
  onOnePage({
    "a policy with which nnScaler computes wrong numbers is warned of, and its rewriting is safe":
      async ({ page }) => {
        const plan = await pasted(
          page,
          `import nnscaler
import torch

@nnscaler.register_op("m k+, k+ n -> m n")
def mm(x, w):
    return torch.matmul(x, w)

def policy(graph, cfg):
    for node in graph.select(name="mm"):
        outer = graph.partition(node, node.algorithm("dim"), idx=0, dim=1, num=2)
        for at, half in enumerate(outer):
            for place, piece in enumerate(graph.partition(half, half.algorithm("dim"), idx=0, dim=0, num=2)):
                graph.assign(piece, 2 * at + place)
    return graph

mesh = Mesh(g=4)
x = Tensor((8, 16))
w = Parameter((16, 32))
y = mm(x, w)
`,
          firstExample,
        );
        const problems = page.getByTestId("problems");
        await expect(problems).toContainText("nnScaler 0.8 scatters the sums");
        await page.getByRole("radio", { name: "nnScaler" }).check({ force: true });
        const step = page.getByTestId("wrong-step");
        await expect(step).toContainText("nnScaler computes this wrongly");
        await expect(step.getByRole("row", { name: /^0 / })).toContainText("0:2 + 4:6 + 2:4 + 6:8");
        await expect(step.getByRole("button", { name: /Add sums up whole/ })).toBeVisible();
        await problems.getByRole("button", { name: /Add sums up whole/ }).click();
        await plan.settle();
        await expect(problems).not.toContainText("nnScaler 0.8 scatters the sums");
        await expect(step).toHaveCount(0);
        expect(await plan.program()).toContain("CompileFlag.disable_reduce_scatter_adapter = True");
      },

    "what MindSpore scatters wrongly stands on its step, and the rewriting beside it takes it away":
      async ({ page }) => {
        const plan = await pasted(
          page,
          `from mindspore import nn, ops, Layout
from mindspore.parallel.auto_parallel import AutoParallel
layout = Layout((2, 2, 2), ("dp", "sp", "mp"))
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.product = ops.MatMul().shard((layout("dp", ("mp", "sp")), layout(("mp", "sp"), "None")), (layout(("dp", "mp", "sp"), "None"),))
        self.read = ops.ReLU()
    def construct(self, x, w):
        return self.read(self.product(x, w))
net = AutoParallel(Net(), parallel_mode="semi_auto")
shapes(x=(64, 32), w=(32, 16))
`,
          firstExample,
        );
        const problems = page.getByTestId("problems");
        await expect(problems).toContainText("emits this group in ascending order");
        await page.getByRole("radio", { name: "MindSpore" }).check({ force: true });
        const step = page.getByTestId("wrong-step");
        await expect(step.getByRole("row", { name: /^1 / })).toContainText("8:16, 0:16");
        await step.getByRole("button").first().click();
        await plan.settle();
        await expect(step).toHaveCount(0);
        await expect(problems).not.toContainText("emits this group in ascending order");
      },

    "steps of DTensor on devices that do not count up show what each then has, until a rewriting":
      async ({ page }) => {
        const plan = await pasted(
          page,
          `mesh = Mesh(x=2, y=2, devices=[2, 0, 3, 1])
x = Tensor((8, 4))
h = relu(x)
y = neg(h)
strategy(h, a=("x", "y"))
strategy(y, a=())
reshard(h, steps="dtensor")
`,
          firstExample,
        );
        const problems = page.getByTestId("problems");
        await expect(problems).toContainText("blocks land in wrong places");
        await page.getByRole("radio", { name: "DTensor" }).check({ force: true });
        const step = page.getByTestId("wrong-step");
        await expect(step).toContainText("DTensor computes this wrongly");
        await expect(step.getByRole("row", { name: /^0 / })).toContainText("2:4 + 0:2 + 6:8 + 4:6");
        await step.getByRole("button", { name: "Count devices up" }).click();
        await plan.settle();
        await expect(step).toHaveCount(0);
        await expect(problems).not.toContainText("blocks land in wrong places");
        expect(await plan.program()).toContain("devices=[0, 1, 2, 3]");
      },
  }),
);
