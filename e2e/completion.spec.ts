import { expect, type Page, test } from "@playwright/test";
import { onOnePage } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

const program = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 4))
w = Parameter((4, 6))
y = matmul(x, w)
`;

const suggestions = (page: Page) => page.locator(".suggest-widget.visible .monaco-list-row");

/** Opens the program with the caret behind its last line. */
async function atEnd(page: Page) {
  const plan = planPage(page);
  await plan.open(`/#src=${encodeURIComponent(program)}`);
  await plan.selectProgram();
  await page.keyboard.press("Control+End");
  return plan;
}

test(
  "the editor closes, offers and takes",
  onOnePage({
    "brackets and quotes close, are typed over, and go together": async ({ page }) => {
      const plan = await atEnd(page);
      await page.keyboard.type('place(x, layout("');
      await page.keyboard.press("Escape");
      await expect.poll(() => lastLine(page)).toBe('place(x, layout(""))');
      await page.keyboard.type('dp"))');
      await plan.settle();
      await page.keyboard.press("Escape");
      await expect.poll(() => lastLine(page)).toBe('place(x, layout("dp"))');
      await page.keyboard.press("Enter");
      await page.keyboard.type("(");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Backspace");
      await expect.poll(() => lastLine(page)).toBe("");
    },

    "behind k= its values are offered, and taking one breaks nothing": async ({ page }) => {
      const plan = await atEnd(page);
      await page.keyboard.type("strategy(y, ");
      await expect(suggestions(page).filter({ hasText: "k=" })).toBeVisible();
      await page.keyboard.type("k");
      await expect(suggestions(page).first()).toContainText("k=");
      await page.keyboard.press("Enter");
      const value = suggestions(page).filter({ hasText: /^mp/ });
      await expect(value).toBeVisible();
      await value.click();
      await expect.poll(() => lastLine(page)).toBe('strategy(y, k="mp")');
      await plan.settle();
      await expect(page.getByTestId("problems").locator("[data-severity=error]")).toHaveCount(0);
    },

    "a value that is accepted leaves the bracket behind it": async ({ page }) => {
      const plan = await atEnd(page);
      await page.keyboard.type("strategy(y, m=N)");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Backspace");
      await page.keyboard.type('"');
      const none = suggestions(page).filter({ hasText: "None" });
      await expect(none).toBeVisible();
      await none.click();
      await plan.settle();
      await expect.poll(() => lastLine(page)).toBe('strategy(y, m="None")');
    },
  }),
);

test.describe("by touch", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the editor for fingers closes brackets and offers the values behind k=", async ({
    page,
  }) => {
    const plan = planPage(page);
    await plan.open(`/#src=${encodeURIComponent(program)}`);
    await page.getByRole("tab", { name: "Program" }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("strategy(y, k");
    const offered = page.locator(".cm-tooltip-autocomplete li");
    await expect(offered.filter({ hasText: "k=" })).toBeVisible();
    await offered.filter({ hasText: "k=" }).click();
    await expect(offered.filter({ hasText: /^mp/ })).toBeVisible();
    await offered.filter({ hasText: /^mp/ }).click();
    await expect(page.locator(".cm-content")).toContainText('strategy(y, k="mp")');
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("[");
    await expect(page.locator(".cm-line").last()).toHaveText("[]");
    await page.keyboard.press("Backspace");
    await expect(page.locator(".cm-line").last()).toHaveText("");
  });
});

/** The last line of the editor, without the text of hints. */
async function lastLine(page: Page): Promise<string> {
  return page.evaluate(() => {
    const lines = [...document.querySelectorAll<HTMLElement>(".view-line")].sort(
      (a, b) => a.offsetTop - b.offsetTop,
    );
    const text = lines.at(-1)?.textContent ?? "";
    return text.replaceAll("\u00a0", " ").trimEnd();
  });
}
