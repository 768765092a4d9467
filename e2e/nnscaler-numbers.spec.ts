import { expect, test } from "@playwright/test";
import { pasted } from "./plan-page.ts";

test("a policy with which nnScaler computes wrong numbers is warned of, and its rewriting is safe", async ({
  page,
}) => {
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
  );
  const problems = page.getByTestId("problems");
  await expect(problems).toContainText("nnScaler 0.8 scatters the sums");
  await problems.getByRole("button", { name: /Add sums up whole/ }).click();
  await plan.settle();
  await expect(problems).not.toContainText("nnScaler 0.8 scatters the sums");
  expect(await plan.program()).toContain("CompileFlag.disable_reduce_scatter_adapter = True");
});
