import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

/** Code block of MindSpore's documentation, as pasted. */
const block = `import mindspore.nn as nn
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

test(
  "the net of MindSpore's documentation",
  onOnePage({
    "the net on four devices needs one all-gather of y and nothing else": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await page.getByRole("button", { name: "Examples", exact: true }).click();
      await page
        .getByRole("link", { name: "MindSpore: rows, then columns, on four devices" })
        .click();
      await plan.settle();
      await expect(page.getByTestId("redist-0")).toHaveAttribute("data-tensor", "y");
      await expect(page.getByTestId("redist-0")).toHaveAttribute("data-collectives", "all-gather");
      await expect(page.getByTestId("redist-0")).toHaveAttribute("data-groups", "[[0,1,2,3]]");
      await expect(page.getByTestId("redist-1")).toHaveCount(0);
    },

    "its tables give x in four row blocks, v in four column blocks, w whole": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=mindspore-net");
      const whole = (size: number) => [0, size];
      const block = (device: number, size: number) => [device * size, (device + 1) * size];
      const devices = [0, 1, 2, 3];
      expect(await plan.ranges("x")).toEqual(devices.map((d) => [block(d, 2), whole(4)]));
      expect(await plan.ranges("w")).toEqual(devices.map(() => [whole(4), whole(6)]));
      expect(await plan.ranges("y")).toEqual(devices.map((d) => [block(d, 2), whole(6)]));
      expect(await plan.ranges("v")).toEqual(devices.map((d) => [whole(6), block(d, 2)]));
      expect(await plan.ranges("z")).toEqual(devices.map((d) => [whole(8), block(d, 2)]));
    },

    "the documentation's block runs as pasted over the example": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste(block);
      expect(await plan.program()).toBe(block);
      await expect(page.getByTestId("operator-y")).toBeVisible();
      await expect(page.getByTestId("operator-z")).toBeVisible();
      await expect(page.getByTestId("redist-0")).toHaveAttribute("data-collectives", "all-gather");
      await expect(page.getByTestId("problems").locator("[data-severity=error]")).toHaveCount(0);
    },
  }),
);
