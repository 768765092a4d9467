import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { planPage } from "./plan-page.ts";

const sizes = { desk: [1440, 900], tablet: [834, 1112], phone: [390, 844] } as const;

for (const theme of ["light", "dark"] as const) {
  for (const [name, [width, height]] of Object.entries(sizes)) {
    test(`axe finds nothing serious on a ${name} in the ${theme} theme`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme });
      const plan = planPage(page);
      await plan.open();
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join("; ")}`);
      expect(serious).toEqual([]);
    });
  }
}
