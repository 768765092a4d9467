import { expect, type Locator, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { middleOf, type PlanPage, planPage } from "./plan-page.ts";

/** A net of two equal blocks, each of which calls a module. */
const net = `import torch.nn as nn
import torch.nn.functional as F
mesh = Mesh(dp=2, tp=2)
class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(16, 64, bias=False)
        self.out = nn.Linear(64, 16, bias=False)
    def forward(self, x):
        h = F.gelu(self.fc(x))
        return self.out(h)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(16)
        self.mlp = Mlp()
    def forward(self, x):
        return x + self.mlp(self.norm(x))
first, second = Block(), Block()
x = Tensor((8, 16))
a = first(x)
b = second(a)
c = b.view(4, 2, 16).sum(1)
`;

async function openNet(page: Page): Promise<PlanPage> {
  const plan = planPage(page);
  await plan.open("/#new");
  await plan.selectProgram();
  await plan.paste(net);
  await page.getByRole("radio", { name: "Graph" }).check({ force: true });
  await plan.settle();
  await page.getByRole("button", { name: "Fit" }).first().click();
  await expect(page.locator(".view-line .inl-gap").first()).toBeVisible();
  return plan;
}

/** The middle of a word on a line of the editor. */
async function wordOn(page: Page, line: string, word: string): Promise<{ x: number; y: number }> {
  return page.locator(".view-lines, .cm-content").evaluate(
    (lines, [text, inside]) => {
      for (const each of lines.querySelectorAll(".view-line, .cm-line")) {
        const all = (each.textContent ?? "").replaceAll("\u00a0", " ");
        if (!all.trim().startsWith(text ?? "")) continue;
        let at = all.indexOf(inside ?? "");
        const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
          const { length } = node.textContent ?? "";
          if (at < length) {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const { x, y, width, height } = range.getBoundingClientRect();
            return { x: x + width / 2, y: y + height / 2 };
          }
          at -= length;
        }
      }
      throw new Error(`no line ${text}`);
    },
    [line, word] as const,
  );
}

const lit = (page: Page): Locator => page.locator(".light.on [data-testid^=operator-]");

/** The names of the highlighted operators. */
async function litNames(page: Page): Promise<readonly string[]> {
  const ids = await lit(page).evaluateAll((all) =>
    all.map((each) => each.getAttribute("data-testid")?.replace("operator-", "") ?? ""),
  );
  return ids.toSorted();
}

/** The numbers of the lines that have a class. */
async function markedLines(page: Page, name: string): Promise<readonly number[]> {
  const numbers = await page
    .locator(`.line-numbers.number-${name}`)
    .evaluateAll((all) => all.map((each) => Number(each.textContent)));
  // The further rows of a wrapped line have no number.
  return numbers.filter((each) => each > 0).toSorted((a, b) => a - b);
}

test(
  "text and canvas are one",
  onOnePage({
    "resting on a word lights what it made in every layer, and the rest stands back": async ({
      page,
    }) => {
      await openNet(page);
      const at = await wordOn(page, "return x + self.mlp", "mlp");
      await page.mouse.move(at.x, at.y);
      const made = ["first", "second"].flatMap((block) =>
        ["gelu", "linear_1", "linear_2"].map((name) => `${block}.${name}`),
      );
      await expect.poll(() => litNames(page)).toHaveLength(made.length);
      await expect(page.locator(".light.off").first()).toBeAttached();
      await expect(page.locator(".word-pointed").first()).toBeVisible();
      await expect(page.getByTestId("linked")).toContainText("6 operators");
      await page.mouse.move(0, 0);
      await expect(lit(page)).toHaveCount(0);
      await expect(page.locator(".light.off")).toHaveCount(0);
    },

    "drawn by rows, a word lights its cards and a card marks its lines": async ({ page }) => {
      await openNet(page);
      await page.getByRole("radio", { name: "Rows" }).check({ force: true });
      const at = await wordOn(page, "return x + self.mlp", "mlp");
      await page.mouse.move(at.x, at.y);
      await expect(page.locator(".bcard.lit").first()).toBeVisible();
      await expect(page.locator(".bcard.unlit").first()).toBeVisible();
      await page.mouse.move(0, 0);
      await expect(page.locator(".bcard.lit, .bcard.unlit")).toHaveCount(0);
      await page.locator(".bcard.operator").first().hover();
      await expect.poll(() => markedLines(page, "pointed")).not.toEqual([]);
      await page.locator(".bcard.operator").first().click();
      await expect.poll(() => markedLines(page, "selected")).not.toEqual([]);
    },

    "the caret in a line lights all that the line made; typing, Escape and leaving end it": async ({
      page,
    }) => {
      const plan = await openNet(page);
      const at = await wordOn(page, "return x + self.mlp", "return");
      await page.mouse.click(at.x, at.y);
      await page.mouse.move(0, 0);
      await expect.poll(() => litNames(page)).toHaveLength(10);
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      await expect.poll(() => litNames(page)).toHaveLength(2);
      await page.keyboard.press("Escape");
      await expect(lit(page)).toHaveCount(0);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowUp");
      await expect.poll(() => litNames(page)).toHaveLength(2);
      await page.keyboard.press("End");
      await page.keyboard.type("  # a note");
      await plan.settle();
      await expect(lit(page)).toHaveCount(0);
      await expect(page.locator(".light.off")).toHaveCount(0);
    },

    "what is picked on the canvas marks its line and the calls that led there": async ({
      page,
    }) => {
      await openNet(page);
      const gelu = page.getByTestId("operator-second.h");
      await gelu.hover();
      await expect.poll(() => markedLines(page, "pointed")).toEqual([10, 18, 22]);
      await expect(page.getByTestId("linked")).toContainText("lines 10, 18, 22");
      await gelu.click();
      await page.mouse.move(0, 0);
      await expect.poll(() => markedLines(page, "selected")).toEqual([10, 18, 22]);
      await expect(page.locator(".bar-selected").first()).toBeVisible();
      await expect(page.locator(".monaco-editor.focused")).toHaveCount(0);
    },

    "what is picked in the outline marks its line when the text is shown again": async ({
      page,
    }) => {
      await openNet(page);
      await page.getByRole("tab", { name: "Outline" }).click();
      await page.getByRole("treeitem").filter({ hasText: /^c = / }).first().click();
      await page.getByRole("tab", { name: "Program" }).click();
      await expect.poll(() => markedLines(page, "selected")).toEqual([23]);
    },

    "a hint is of the value that the line's name holds": async ({ page }) => {
      await openNet(page);
      const line = page.locator(".view-line", { hasText: "sum(1)" });
      await expect(line.locator(".inl")).toHaveText(/^\[\w+,\s\w+\]$/);
    },

    "a gesture's line is scrolled to, flashes and keeps a bar, with a way back": async ({
      page,
    }) => {
      const plan = await openNet(page);
      await page.getByTestId("tensor-a").click();
      await page.getByTestId("dim-a-0").focus();
      await page.keyboard.press("1");
      await plan.settle();
      await expect(page.locator(".bar-wrote")).toHaveCount(1);
      const note = page.locator(".wrote-note");
      await expect(note).toContainText("just written");
      await note.getByRole("button").click();
      await plan.settle();
      await expect(page.locator(".bar-wrote")).toHaveCount(0);
      await expect(note).toHaveCount(0);
    },

    "a problem marks its line and what it concerns on the canvas": async ({ page }) => {
      const plan = await openNet(page);
      await page.getByTestId("program").getByRole("textbox").press("Control+End");
      await page.keyboard.type("d = mystery(c)\n");
      await plan.settle();
      await expect(page.locator("[data-testid=operator-d] .fault-mark")).toBeAttached();
      await page.keyboard.press("F8");
      await expect.poll(() => litNames(page)).toEqual(["d"]);
    },

    "the program folds away by a key and a button, and a place of the text brings it back": async ({
      page,
    }) => {
      await openNet(page);
      const program = page.getByRole("region", { name: "Program" });
      const before = (await page.locator(".canvas").boundingBox())?.width ?? 0;
      await page.keyboard.press("Control+B");
      await expect(program).toHaveCount(0);
      const show = page.locator(".top").getByRole("button", { name: "Program" });
      await expect(show).toBeFocused();
      const after = (await page.locator(".canvas").boundingBox())?.width ?? 0;
      expect(after - before).toBeGreaterThan(300);
      await page.reload();
      await expect(show).toBeVisible();
      await show.press("Enter");
      await expect(program).toBeVisible();
      await expect(page.getByRole("button", { name: /Fold the program away/ })).toBeFocused();
      const edge = page.getByRole("separator", { name: "Edge of Program" });
      const from = await middleOf(edge);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(700, from.y, { steps: 4 });
      await page.mouse.up();
      expect((await program.boundingBox())?.width).toBeGreaterThan(690);
      await edge.dblclick();
    },
  }),
);

test.describe("with fingers", () => {
  test.use({ viewport: { width: 834, height: 1112 }, hasTouch: true, isMobile: true });

  test("a tap in a line lights what it made, a tap on the canvas marks its line", async ({
    page,
  }) => {
    const plan = planPage(page);
    await plan.open(firstExample);
    await page.getByRole("tab", { name: "Program" }).tap();
    const editor = page.getByTestId("program").getByRole("textbox", { name: "Program" });
    await expect(editor).toBeVisible();
    await expect(page.locator(".cm-line .inl").first()).toBeVisible();
    const line = page.locator(".cm-line:has(.inl)").first();
    await line.tap({ position: { x: 40, y: 10 } });
    await expect(page.locator(".light.off").first()).toBeAttached();
    const card = page.locator("[data-testid^=operator-]").first();
    await card.tap();
    await expect(page.locator(".cm-line.line-selected").first()).toBeVisible();
    await expect(page.locator(".light.off")).toHaveCount(0);
  });
});
