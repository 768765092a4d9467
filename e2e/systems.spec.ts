import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage, perCase } from "./one-page.ts";
import { seriousFindings, sizes } from "./page-states.ts";
import { isWhole, middleOf, pasted, planPage } from "./plan-page.ts";

/** The block of MindSpore's documentation, as it is pasted from there. */
const net = `import mindspore.nn as nn
from mindspore import ops
from mindspore.parallel.auto_parallel import AutoParallel

class DenseMatMulNet(nn.Cell):
    def __init__(self):
        super(DenseMatMulNet, self).__init__()
        self.matmul1 = ops.MatMul().shard(((4, 1), (1, 1)))
        self.matmul2 = ops.MatMul().shard(((1, 1), (1, 4)))
    def construct(self, x, w, v):
        y = self.matmul1(x, w)
        z = self.matmul2(y, v)
        return z

net = DenseMatMulNet()
paralell_net = AutoParallel(net, parallel_mode='semi_auto')
`;

/**
 * The operator and the policy of nnScaler's documentation, followed by an operator that reads it.
 */
const policy = `import torch
import nnscaler

@nnscaler.register_op('(h^ m^) kd+, kd+ n -> h^ m^ n', name='matmul_custom')
def operator(x: torch.Tensor, w: torch.Tensor, h: float) -> torch.Tensor:
    out = torch.matmul(x, w)
    out = out.view(h, out.size(0) // h, out.size(1))
    return out

class Model(torch.nn.Module):
    def forward(self, x, w):
        out = operator(x, w, h=8)
        y = torch.nn.functional.relu(out)
        return y

def PAS(graph: IRGraph, resource):
    for node in graph.nodes():
        if node.name == 'matmul_custom':
            algo = node.algorithm('dim')
            # partition kd+
            config = dict(idx=0, dim=1, num=resource.ngpus)
            subnodes = graph.partition(node, algo, **config)
    return graph

shapes(x=(64, 32), w=(32, 16))
`;

/** Drags a chip of the inspector from one dim of a tensor to another. */
async function dragChip(page: Page, chip: string, onto: string): Promise<void> {
  await page.getByTestId(chip).hover();
  await page.mouse.down();
  const goal = await middleOf(page.getByTestId(onto));
  await page.mouse.move(goal.x, goal.y, { steps: 8 });
  await page.mouse.up();
}

test(
  "steps as another system runs them",
  onOnePage({
    "a user of MindSpore sees its AllGather beside ours and drags it away": async ({ page }) => {
      const plan = await pasted(page, net, firstExample);
      await page.getByRole("radio", { name: "MindSpore" }).check({ force: true });
      await plan.settle();
      const steps = page.getByTestId("upstream-run");
      await expect(steps.getByTestId("system-edge")).toHaveCount(1);
      await expect(steps.getByTestId("system-edge")).toContainText("AllGather y redistribution");
      await expect(steps.getByTestId("system-edge")).toContainText("all-gather");
      await page.getByTestId("tensor-z").click();
      await dragChip(page, "chip-z-1-d0", "dim-z-0");
      await expect(page.getByRole("button", { name: /^Undo/ })).toBeEnabled();
      await plan.settle();
      await expect(steps.getByTestId("system-edge")).toHaveCount(0);
      await expect(steps.getByTestId("system-total")).toHaveAttribute("data-bytes", "0");
      expect(await plan.program()).toBe(net.replace("((1, 1), (1, 4))", "((4, 1), (1, 1))"));
    },

    "where MindSpore sends more, it says why, in the list and beside the one redistribution":
      async ({ page }) => {
        const plan = await pasted(
          page,
          `from mindspore import ops
x = Tensor((64, 64))
y = ops.ReLU().shard(((4, 1),))(x)
z = ops.ReLU().shard(((1, 4),))(y)
`,
        );
        await expect(page.getByTestId("why-mindspore")).toContainText("AllGather");
        await expect(page.getByTestId("why-mindspore")).toContainText("StridedSlice");
        await expect(page.getByTestId("why-mindspore")).toContainText("its AllToAll is off");
        await page.getByRole("radio", { name: "MindSpore" }).check({ force: true });
        await plan.settle();
        const steps = page.getByTestId("upstream-run");
        await expect(steps).toContainText("its AllToAll is off unless enable_alltoall is set");
        const ours = Number(await steps.getByTestId("own-total").getAttribute("data-bytes"));
        expect(ours).toBeGreaterThan(0);
        await expect(steps.getByTestId("system-total")).toHaveAttribute(
          "data-bytes",
          `${4 * ours}`,
        );
      },

    "a user of nnScaler moves the split from kd to n: no partial sum, another adapter": async ({
      page,
    }) => {
      const plan = await pasted(page, policy, firstExample);
      await page.getByRole("radio", { name: "nnScaler" }).check({ force: true });
      await plan.settle();
      const edge = page.getByTestId("upstream-run").getByTestId("system-edge");
      await expect(edge).toHaveCount(1);
      await expect(edge).toContainText("all-reduce out adapter");
      await expect(page.getByTestId("tensor-out")).toContainText("Σ");
      await page.getByTestId("tensor-w").click();
      await dragChip(page, "chip-w-0-gpus", "dim-w-1");
      await expect(page.getByRole("button", { name: /^Undo/ })).toBeEnabled();
      await plan.settle();
      await expect(page.getByTestId("tensor-out")).not.toContainText("Σ");
      await expect(edge).toHaveCount(1);
      await expect(edge).toContainText("all-gather out adapter");
      expect(await plan.program()).toBe(policy.replace("idx=0, dim=1", "idx=1, dim=1"));
    },

    "a program of no one system has no such switch": async ({ page }) => {
      const plan = await pasted(page, "x = Tensor((8, 8))\ny = softmax(x)\n", firstExample);
      await plan.settle();
      await expect(page.getByRole("radio", { name: "MindSpore" })).toHaveCount(0);
      await expect(page.getByRole("radio", { name: "nnScaler" })).toHaveCount(0);
    },

    ...perCase(
      ["desk", "phone"] as const,
      (size) => `the steps as MindSpore would run them are legible and named, ${size}`,
      async ({ page }, size) => {
        const [width, height] = sizes[size];
        await page.setViewportSize({ width, height });
        const plan = planPage(page);
        await plan.open("/#example=mindspore-net");
        await page.getByRole("radio", { name: "MindSpore" }).check({ force: true });
        await plan.settle();
        await expect(page.getByTestId("system-edge")).toBeVisible();
        await isWhole(page);
        expect(await seriousFindings(page)).toEqual([]);
        await page.getByTestId("upstream-run").getByRole("button", { name: "y" }).click();
        await expect(page.getByTestId("tensor-y")).toHaveAttribute("aria-pressed", "true");
      },
    ),
  }),
);
