import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { pasted } from "./plan-page.ts";

test(
  "lists of MindSpore",
  onOnePage({
    "the list of an edge stands beside ours, and the one with AllToAll": async ({ page }) => {
      await pasted(
        page,
        `from mindspore import ops
x = Tensor((64, 64))
y = ops.ReLU().shard(((4, 1),))(x)
z = ops.ReLU().shard(((1, 4),))(y)
`,
        firstExample,
      );
      await expect(page.getByTestId("list-mindspore-both")).toContainText(
        "AllGather {0, 1, 2, 3}, StridedSlice dim 1 by 4",
      );
      await expect(page.getByTestId("list-mindspore-all-to-all")).toContainText("AlltoAll");
    },

    "a list that MindSpore's compiler cleans up stands raw and clean, and training turns it round":
      async ({ page }) => {
        const plan = await pasted(
          page,
          `from mindspore import Layout, ops
l = Layout((2, 2), ("a", "b"))
x = Tensor((8, 8))
w = Parameter((8, 8))
y = ops.Add().shard((l("a", "b"), l("a", "b")))(x, w)
z = ops.ReLU().shard((l("b", "a"),))(y)
train(z)
`,
          firstExample,
        );
        await page.getByRole("radio", { name: "MindSpore" }).check({ force: true });
        await plan.settle();
        const steps = page.getByTestId("upstream-run");
        await expect(steps.getByTestId("list-mindspore-raw")).toContainText(
          "AllGather {0, 2}, AllGather",
        );
        await expect(steps.getByTestId("list-mindspore-clean")).toContainText(
          "as 2.10 compiles it",
        );
        await expect(steps).toContainText("y.grad on the way back");
        await expect(steps).toContainText("StridedSliceGrad");
      },

    "pieces that share a device run one by one and are drawn in its tile": async ({ page }) => {
      const plan = await pasted(
        page,
        `import nnscaler
@nnscaler.register_op('m k+, k+ n -> m n', name='mm')
def mm(x, w):
    return x @ w
mesh = Mesh(g=4)
x = Tensor((16, 32))
w = Parameter((32, 16))
y = mm(x, w)
def policy(graph, cfg):
    for node in graph.nodes():
        parts = graph.partition(node, node.algorithm('dim'), idx=0, dim=0, num=8)
        for i, piece in enumerate(parts):
            graph.assign(piece, i // 2)
    return graph
`,
        firstExample,
      );
      await page.getByRole("radio", { name: "nnScaler" }).check({ force: true });
      await plan.settle();
      await expect(page.getByTestId("upstream-run")).toContainText(
        "2 × (2, 32), (32, 16) → 2 × (2, 16)",
      );
      await page.getByTestId("tensor-y").click();
      await expect(page.locator("body")).toContainText("in 2 pieces on each device");
    },
  }),
);
