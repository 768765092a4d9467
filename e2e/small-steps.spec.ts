import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

test.describe("on a tablet", () => {
  test.use({ viewport: { width: 834, height: 1112 }, hasTouch: true });

  test(
    "steps and runs on a tablet",
    onOnePage({
      "the step bar's sheet has the table of steps with the lower bound and other systems": async ({
        page,
      }) => {
        const plan = planPage(page);
        await plan.open(firstExample);
        await page.getByTestId("redist-0").tap();
        await expect(page.getByRole("tab", { name: "Steps" })).toHaveAttribute(
          "aria-selected",
          "true",
        );
        await expect(page.getByTestId("lower-bound")).toContainText("met");
        await expect(page.getByTestId("policy-shardy")).toBeVisible();
        await expect(page.getByTestId("policy-dtensor")).toBeVisible();
      },

      "Run is one press away, and the cell that goes wrong is shown in the tensor's tab": async ({
        page,
      }) => {
        const plan = planPage(page);
        await plan.open(firstExample);
        await page.getByTestId("run-preview").tap();
        await expect(page.getByTestId("run-verdict")).toContainText("bit for bit");
        await page.getByRole("tab", { name: "Steps" }).tap();
        await page.getByRole("button", { name: "Run without this step" }).tap();
        await page.getByRole("button", { name: /^Show h on device/ }).tap();
        await expect(page.getByRole("tab", { name: "Tensor" })).toHaveAttribute(
          "aria-selected",
          "true",
        );
        await expect(page.getByRole("tab", { name: "Tensor" })).toBeFocused();
        await expect(page.getByRole("region", { name: "Tensor h" })).toBeVisible();
      },
    }),
  );
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("from what a broken run says one comes to the numbers of the step that goes wrong", async ({
    page,
  }) => {
    const plan = planPage(page);
    await plan.open();
    await page.getByRole("tab", { name: "Run" }).tap();
    await page.getByTestId("run-broken").tap();
    await page.getByTestId("run-break").getByRole("button").tap();
    await expect(page.getByTestId("step-values").locator("table, canvas").first()).toBeInViewport();
  });

  test(
    "steps and runs on a phone",
    onOnePage({
      "a redistribution opens its steps with the table, and shows what goes wrong without it":
        async ({ page }) => {
          const plan = planPage(page);
          await plan.open(firstExample);
          await page.getByTestId("redist-0").tap();
          const steps = page.getByRole("region", { name: "Steps" });
          await expect(steps.getByTestId("lower-bound")).toContainText("met");
          await expect(steps.getByTestId("policy-shardy")).toBeVisible();
          await steps.getByRole("button", { name: "Run without this step" }).tap();
          await expect(page.getByTestId("run-verdict")).toHaveAttribute(
            "data-verdict",
            "different",
          );
          await page.getByRole("button", { name: /^Show h on device/ }).tap();
          await expect(page.getByTestId("tensor-h")).toHaveAttribute("aria-pressed", "true");
          await expect(page.getByTestId("tensor-h")).toBeFocused();
          await expect(page.getByTestId("tensor-h")).toBeInViewport();
          await expect(page.getByText(/^Device \d holds b 0…255, f /)).toBeVisible();
        },

      "the whole plan is run from below its list": async ({ page }) => {
        const plan = planPage(page);
        await plan.open(firstExample);
        await page.getByTestId("run-preview").tap();
        await expect(page.getByTestId("run-verdict")).toContainText("bit for bit");
      },
    }),
  );
});
