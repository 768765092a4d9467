import { expect, test } from "@playwright/test";
import { pasted } from "./plan-page.ts";

const program = `import torch
from elsewhere import mix

mesh = Mesh(dp=2, tp=2)
x = Tensor((64, 8))
w = Parameter((8, 16))
h = torch.matmul(x, w)
m = mix(h)
y = m * 2
`;

test("an operator that is not known makes unknowns, said once, until an annotation is written", async ({
  page,
}) => {
  const plan = await pasted(page, program);
  const problems = page.getByTestId("problems");
  await expect(problems).toContainText("2 warnings");
  await expect(problems).toContainText("mix");
  await expect(page.getByTestId("hud-memory")).toContainText("unknown");
  await expect(page.getByTestId("hud-comm")).toContainText("unknown");
  await expect(page.getByTestId("tensor-y")).toContainText("shape unknown");
  await expect(page.getByTestId("table-y").locator("tr[data-device]").first()).toContainText(
    "unknown",
  );
  await expect(page.getByText("No tensor of known shape has to be sent.")).toBeVisible();

  await problems.getByRole("button", { name: "Write an annotation for mix" }).click();
  await plan.settle();
  await expect(page.getByTestId("problems")).not.toContainText("no known shape");
  await expect(page.getByTestId("tensor-y")).not.toContainText("unknown");
  await expect(page.getByTestId("hud-memory")).toHaveAttribute("data-bytes", /^\d+$/);
  await expect(page.getByTestId("hud-memory")).toContainText("change unknown");
});
