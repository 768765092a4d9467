import { expect, type Page, test } from "@playwright/test";
import { findingsIn } from "./page-states.ts";
import { addressOf, coloured, huge, type RunPage, runPage, small } from "./run-page.ts";

/** Long enough to be looked at while it runs. */
const long = `mesh = Mesh(dp=2, mp=2)
x = Tensor((192, 130))
w = Parameter((130, 192))
h = matmul(x, w)
strategy(h, m="dp", n="mp")
`;

/** States of a run, and the actions that lead to each. */
const states: Readonly<Record<string, (plan: RunPage, page: Page) => Promise<void>>> = {
  before: async (plan) => {
    await plan.open(addressOf(small));
    await plan.details();
  },
  running: async (plan, page) => {
    await plan.open(addressOf(long));
    await page.getByRole("radio", { name: "As written" }).check({ force: true });
    await page.getByTestId("run-again").click();
    await expect(page.getByRole("progressbar", { name: "Run" })).toBeVisible();
  },
  passed: async (plan, page) => {
    await plan.open(addressOf(small));
    await plan.run();
    await page.getByTestId("run-tensors").getByRole("button", { name: "y" }).click();
    await page.getByTestId("run-steps").locator("summary").click();
  },
  "wrong, with numbers": async (plan, page) => {
    await page.getByTestId("run-broken").click();
    await page.getByTestId("run-break").getByRole("button").click();
    await expect(page.getByTestId("step-values").locator("td.wrong").first()).toBeVisible();
    await expect(plan.verdict).toHaveAttribute("data-verdict", "different");
  },
  "wrong, with colours": async (plan, page) => {
    await plan.open(addressOf(coloured));
    await plan.details();
    await page.getByTestId("run-broken").click();
    await page.getByTestId("run-break").getByRole("button").click();
    await expect(page.getByTestId("step-values").locator("canvas").first()).toBeVisible();
  },
  refused: async (plan, page) => {
    await plan.open(addressOf(huge));
    await plan.details();
    await page.getByRole("radio", { name: "As written" }).check({ force: true });
    await plan.run();
    await expect(page.getByTestId("run-fit")).toBeVisible();
  },
};

test("axe finds nothing serious in any state of a run, in either theme", async ({ page }) => {
  test.slow();
  const plan = runPage(page);
  for (const [name, enter] of Object.entries(states)) {
    await enter(plan, page);
    expect(await findingsIn(page, "[data-testid=run-panel]", ".player"), name).toEqual([]);
  }
});
