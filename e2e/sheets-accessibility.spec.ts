import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { planPage } from "./plan-page.ts";

/** What opens over the page, and how. */
const sheets = {
  palette: (page: Page) => page.keyboard.press("Control+k"),
  shortcuts: (page: Page) => page.keyboard.press("?"),
  settings: (page: Page) => page.getByRole("button", { name: "Settings" }).click(),
  "cost table": (page: Page) => page.getByTestId("hud-time").getByRole("button").click(),
  "share popover": (page: Page) => page.getByTestId("share-link").click(),
} as const;

for (const theme of ["light", "dark"] as const) {
  for (const [name, show] of Object.entries(sheets)) {
    test(`axe finds nothing serious in the ${name} in the ${theme} theme`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: theme });
      const plan = planPage(page);
      await plan.open();
      await show(page);
      const opened = page.getByRole("dialog").or(page.getByTestId("cost-table"));
      await expect(opened.first()).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join("; ")}`);
      expect(serious).toEqual([]);
    });
  }
}
