import { expect, type Locator, type Page, test } from "@playwright/test";
import { onOnePage } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

async function openProgram(page: Page) {
  const plan = planPage(page);
  await plan.open();
  await page.getByRole("tab", { name: "Program" }).tap();
  const editor = page.getByTestId("program").locator(".cm-content");
  await expect(editor).toBeVisible();
  return { plan, editor };
}

/** Replaces the editor's text by selecting all of it and typing. */
async function write(editor: Locator, text: string): Promise<void> {
  await editor.press("Control+a");
  await editor.page().keyboard.insertText(text);
}

/** The text of the editor, without the labels at the ends of lines. */
function textOf(page: Page): Promise<string> {
  return page.locator(".cm-content").evaluate((content) => {
    const lines = [...content.querySelectorAll(".cm-line")].map((line) => {
      const copy = line.cloneNode(true) as Element;
      for (const label of copy.querySelectorAll(".inl")) label.remove();
      return copy.textContent;
    });
    return lines.join("\n");
  });
}

test(
  "the editor for fingers",
  onOnePage({
    "the same program stands in the touch editor, in its colours, without Monaco": async ({
      page,
    }) => {
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await openProgram(page);
      await expect(page.locator(".cm-line .t-axis.a1").first()).toHaveText("dp");
      await expect(page.locator(".cm-line .t-cut.a2").first()).toHaveText("f");
      await expect(page.locator(".cm-line .inl").first()).toHaveText("[b@dp, f@mp]");
      expect(asked.filter((url) => url.includes("Monaco"))).toEqual([]);
    },

    "a tap says what a word means, and renames an axis everywhere": async ({ page }) => {
      const { plan } = await openProgram(page);
      await page.locator(".cm-line .t-axis", { hasText: "mp" }).last().tap();
      const card = page.locator(".tap-card");
      await expect(card).toContainText("mesh axis mp = 2");
      await card.getByRole("button", { name: "Rename" }).tap();
      const dialog = page.getByRole("dialog", { name: "Rename mesh axis mp" });
      await dialog.getByRole("textbox").fill("cols");
      await dialog.getByRole("button", { name: "Rename" }).tap();
      await plan.settle();
      await expect.poll(() => textOf(page)).toContain("mesh = Mesh(dp=2, cols=2)");
      expect(await textOf(page)).toContain('strategy(h, b="dp", f="cols")');
    },

    "axes are offered while typing, and a tap takes one": async ({ page }) => {
      const { plan, editor } = await openProgram(page);
      await editor.press("Control+End");
      await page.keyboard.type('strategy(y, k="');
      const option = page.locator(".cm-tooltip-autocomplete li", { hasText: /^mp/ });
      await expect(option).toBeVisible();
      await option.tap();
      await plan.settle();
      await expect.poll(() => textOf(page)).toContain('strategy(y, k="mp")');
      await expect(page.getByTestId("problems").getByRole("status")).toHaveText("None");
    },

    "a tap on a fault offers its fix": async ({ page }) => {
      const { plan, editor } = await openProgram(page);
      await write(editor, 'mesh = Mesh(dp=2)\nx = Tensor()\ny = relu(x)\nstrategy(y, b="dp")\n');
      await plan.settle();
      await page.locator(".cm-lintRange").first().tap();
      const card = page.locator(".tap-card");
      await expect(card.locator(".help")).toHaveAttribute("href", /^diagnostics\.html#/);
      await card.getByRole("button").first().tap();
      await plan.settle();
      await expect.poll(() => textOf(page)).toMatch(/shapes\(x=\(\d+, \d+\)\)/);
    },

    "a fault in the middle keeps everything before and after on screen": async ({ page }) => {
      const { plan, editor } = await openProgram(page);
      const before = await textOf(page);
      await write(editor, before.replace("w2 = ", "w2 = = "));
      await plan.settle();
      await expect(page.locator(".cm-line .t-axis").first()).toHaveText("dp");
      await page.getByRole("tab", { name: "Plan" }).tap();
      await expect(page.getByTestId("tensor-h")).toBeVisible();
      await expect(page.getByTestId("tensor-y")).toBeVisible();
    },

    "a tap beside a block folds it, and another unfolds it": async ({ page }) => {
      const { plan, editor } = await openProgram(page);
      await write(
        editor,

        "mesh = Mesh(dp=2)\nx = Tensor((8, 4))\nfor i in range(2):\n    x = relu(x)\n    x = exp(x)\ny = x\n",
      );
      await plan.settle();
      const mark = page.locator(".cm-foldGutter .fold-mark:visible");
      await expect(mark).toHaveCount(1);
      await mark.tap();
      await expect(page.locator(".cm-foldPlaceholder")).toBeVisible();
      await expect(page.locator(".cm-line", { hasText: "relu" })).toHaveCount(0);
      await expect(page.locator(".cm-line", { hasText: "y = x" })).toBeVisible();
      await mark.tap();
      await expect(page.locator(".cm-line", { hasText: "relu" })).toBeVisible();
      await expect(page.getByTestId("problems").getByRole("status")).toHaveText("None");
    },

    "a tap where a redistribution stands offers edits that do without it": async ({ page }) => {
      const { plan, editor } = await openProgram(page);
      await write(
        editor,

        'mesh = Mesh(dp=2, mp=4)\nx = Tensor((8, 16))\nw = Parameter((16, 32))\nh = matmul(x, w)\ny = gelu(h)\nstrategy(h, n="mp")\nstrategy(y, a="dp")\n',
      );
      await plan.settle();
      await page.locator(".cm-line", { hasText: "gelu" }).tap({ position: { x: 50, y: 10 } });
      const action = page.locator(".tap-card button", { hasText: "Split both sides" }).first();
      await expect(action).toContainText("sent)");
      await action.tap();
      await plan.settle();
      await expect(page.getByTestId("outline").getByText("Redistribution of h")).toHaveCount(0);
    },
  }),
);

test("a list opens for the last letter though the answer about an earlier one is late", async ({
  page,
}) => {
  // The worker receives each question later than the next letter is typed.
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message: unknown) {
      setTimeout(() => post.call(this, message), 400);
    };
  });
  const { editor } = await openProgram(page);
  await editor.press("Control+End");
  await page.keyboard.type('strategy(y, k="', { delay: 200 });
  await expect(page.locator(".cm-tooltip-autocomplete li", { hasText: /^mp/ })).toBeVisible();
});
