import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { middleOf, planPage } from "./plan-page.ts";

/** A block of experts as published models write it: a gate, the best experts, and a loop over them. */
const head = `import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(dp=2, ep=4)

class Mlp(nn.Module):
    def __init__(self, hidden, inner):
        super().__init__()
        self.gate_proj = nn.Linear(hidden, inner, bias=False)
        self.up_proj = nn.Linear(hidden, inner, bias=False)
        self.down_proj = nn.Linear(inner, hidden, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class SparseBlock(nn.Module):
    def __init__(self, hidden=64, inner=96, experts=8, chosen=2):
        super().__init__()
        self.num_experts, self.top_k = experts, chosen
        self.gate = nn.Linear(hidden, experts, bias=False)
        EXPERTS

    def forward(self, x):
        batch, length, hidden = x.shape
        x = x.view(-1, hidden)
        weights = F.softmax(self.gate(x), dim=-1, dtype=torch.float)
        weights, chosen = torch.topk(weights, self.top_k, dim=-1)
        weights = (weights / weights.sum(dim=-1, keepdim=True)).to(x.dtype)
        out = torch.zeros_like(x)
        mask = F.one_hot(chosen, num_classes=self.num_experts + 1).permute(2, 1, 0)
        for expert in torch.greater(mask.sum(dim=(-1, -2)), 0).nonzero():
            expert = expert[0]
            if expert == self.num_experts:
                continue
            slot, token = torch.where(mask[expert])
            RUN
            out.index_add_(0, token, made * weights[token, slot, None])
        return out.reshape(batch, length, hidden)

x = Tensor((4, 32, 64))
y = SparseBlock()(x)
place("x", layout("dp", "None", "None"))
`;

/**
 * Experts as a list of modules and as stacked weights, each with the element on which the axis is
 * dropped.
 */
const forms = {
  "a list of modules": {
    experts: "self.experts = nn.ModuleList([Mlp(hidden, inner) for _ in range(experts)])",
    run: "made = self.experts[expert](x[token])",
    weight: "experts[*].gate_proj.weight",
  },
  "stacked weights": {
    experts: `self.up = nn.Parameter(torch.empty(experts, 2 * inner, hidden))
        self.down = nn.Parameter(torch.empty(experts, hidden, inner))`,
    run: `gate, up = F.linear(x[token], self.up[expert]).chunk(2, dim=-1)
            made = F.linear(F.silu(gate) * up, self.down[expert])`,
    weight: "up",
  },
} as const;

async function dropAxis(page: Page, axis: string, target: string): Promise<void> {
  await page.getByTestId(`mesh-axis-${axis}`).hover();
  await page.mouse.down();
  const goal = await middleOf(page.getByTestId(target));
  await page.mouse.move(goal.x, goal.y, { steps: 8 });
  await page.mouse.up();
}

test(
  "experts of a pasted model",
  onOnePage(
    Object.fromEntries(
      Object.entries(forms).map(([form, { experts, run, weight }]) => [
        `${form}: an axis dropped on the experts cuts them, and none of their weights is gathered`,
        async ({ page }: { readonly page: Page }) => {
          const plan = planPage(page);
          await plan.open(firstExample);
          await plan.selectProgram();
          await plan.paste(head.replace("EXPERTS", experts).replace("RUN", run));
          await expect(page.getByTestId(`table-${weight}`)).toHaveCount(1);
          await page.getByRole("radio", { name: "Graph" }).check({ force: true });
          // The canvas scrolls to the focus.
          await page.getByTestId(`tensor-${weight}`).focus();
          await page.keyboard.press("Enter");
          await dropAxis(page, "ep", `dim-${weight}-0`);
          await plan.settle();
          expect(await plan.program()).toContain(`place("${weight}"`);
          for (const operator of ["expert_dispatch_1", "expert_combine_1"])
            await expect(page.getByTestId(`table-${operator}`)).toHaveCount(1);
          const sent = await page
            .locator("main [data-testid^=redist-][data-collectives]")
            .evaluateAll((badges) =>
              badges.map(
                (badge) =>
                  `${badge.getAttribute("data-tensor")}: ${badge.getAttribute("data-collectives")}`,
              ),
            );
          expect(sent).toContain("expert_combine_1: all-reduce");
          expect(
            sent.filter((each) => /weight|up:|down:/.test(each) && /gather/.test(each)),
          ).toEqual([]);
          const ranges = await plan.ranges(weight);
          expect(ranges.map(([first]) => first)).toEqual([
            ...[
              [0, 2],
              [2, 4],
              [4, 6],
              [6, 8],
            ],
            ...[
              [0, 2],
              [2, 4],
              [4, 6],
              [6, 8],
            ],
          ]);
        },
      ]),
    ),
  ),
);
