import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { seriousFindings } from "./page-states.ts";
import { pasted } from "./plan-page.ts";

const nets = `import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.Linear(8, 16)
    def forward(self, x):
        return torch.relu(self.up(x))

nets = [Net]

def test_wide():
    return Net()(torch.randn(64, 8))

def test_narrow():
    return torch.sigmoid(Net()(torch.randn(4, 8)))
`;

const policies = `from nnscaler.policies import _tp

def by_batch(graph, cfg):
    for node in graph.nodes():
        _tp(graph, node, range(cfg.plan_ngpus), 0, 0)
    return graph

def by_feature(graph, cfg):
    for node in graph.nodes():
        _tp(graph, node, range(cfg.plan_ngpus), 0, 1)
    return graph

mesh = Mesh(gpus=4)
x = Tensor((64, 8))
h = x * 2
`;

test(
  "a text that only defines",
  onOnePage({
    "a text that only defines offers what could run, on the board and in a menu; undo goes back":
      async ({ page }) => {
        const plan = await pasted(page, nets, firstExample);
        const board = page.getByTestId("starters").getByRole("button");
        await expect(board).toHaveText([
          /Write y = Net\(\)\(x\)/,
          /test_wide\(\)/,
          /test_narrow\(\)/,
        ]);
        await board.nth(1).click();
        await plan.settle();
        await expect(page.locator("main [data-testid^=operator-]")).toHaveCount(2);
        expect(await plan.program()).toBe(`${nets}test_wide()\n`);
        const menu = page.getByTestId("entries").getByRole("combobox", { name: "Runs" });
        await expect(menu.locator("option:checked")).toHaveText("test_wide()");
        await menu.selectOption("test_narrow()");
        await plan.settle();
        await expect(page.locator("main [data-testid^=operator-]")).toHaveCount(3);
        expect(await plan.program()).toBe(`${nets}test_narrow()\n`);
        await page.keyboard.press("Control+z");
        await plan.settle();
        await expect(menu.locator("option:checked")).toHaveText("test_wide()");
        await page.keyboard.press("Control+z");
        await plan.settle();
        await expect(board).toHaveCount(3);
      },

    "the menu is worked with keys, and policies are chosen beside it": async ({ page }) => {
      const plan = await pasted(page, policies, firstExample);
      const menu = page.getByTestId("entries").getByRole("combobox", { name: "Policy" });
      await expect(menu.locator("option:checked")).toHaveText("pas_policy = by_batch");
      const operator = page.getByTestId("operator-h");
      await expect(operator).toBeVisible();
      const before = await plan.ranges("h");
      await menu.focus();
      await page.keyboard.press("ArrowDown");
      await plan.settle();
      await expect(menu.locator("option:checked")).toHaveText("pas_policy = by_feature");
      expect(await plan.ranges("h")).not.toEqual(before);
      expect(await plan.program()).toBe(`${policies}pas_policy = by_feature\n`);
      expect(await seriousFindings(page, ".prog")).toEqual([]);
    },
  }),
);
