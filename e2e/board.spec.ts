import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { onOnePage } from "./one-page.ts";
import { boxOf, planPage, watchNoise } from "./plan-page.ts";

/** A GPT as it is published, trained, with its blocks split as Megatron does. */
const model = `${readFileSync("e2e/texts/gpt.py", "utf8")}
train(logits.sum(), optimizer="adamw")
place("blocks[*].attention.qkv.weight", layout("tp", "None"))
place("blocks[*].attention.out.weight", layout("None", "tp"))
place("blocks[*].up.weight", layout("tp", "None"))
place("blocks[*].down.weight", layout("None", "tp"))
`;
const address = `/#src=${encodeURIComponent(model)}`;

/** Runs in the page: the names on the board, and which of them are covered or cut off. */
function names(): { readonly all: readonly string[]; readonly cut: readonly string[] } {
  const found = [...document.querySelectorAll<HTMLElement>(".board .bt-name")];
  const textOf = (element: HTMLElement) => element.textContent ?? "";
  const isCut = (element: HTMLElement) => element.scrollWidth > element.clientWidth + 1;
  return { all: found.map(textOf), cut: found.filter(isCut).map(textOf) };
}

/** Runs in the page: whether all of the board is in sight. */
function isWhole(): boolean {
  const box = document.querySelector(".board .bscroll");
  return box !== null && box.scrollHeight <= box.clientHeight + 1;
}

/** Runs in the page: the distance of the board's foot from the edges of its room. */
function edgesOfFoot(): { readonly left: number; readonly right: number; readonly bottom: number } {
  const [room, foot] = [".board", ".bfoot"].map((selector) =>
    document.querySelector(selector)?.getBoundingClientRect(),
  );
  if (room === undefined || foot === undefined) throw new Error("no board");
  const { left, right, bottom } = foot;
  return { left: left - room.left, right: room.right - right, bottom: room.bottom - bottom };
}

function focusedNode(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute("data-node"));
}

/** The layers of the net: open if their rows have room, else folded. */
const layers = (page: Page) => page.getByTestId(/^(frame|module)-blocks\[\*\]$/u);

/** Opens the layers where they are folded. */
async function openLayers(page: Page): Promise<void> {
  const folded = page.getByTestId("module-blocks[*]");
  await expect(layers(page)).toBeVisible();
  if (await folded.isVisible()) await folded.click();
  await expect(page.getByTestId("frame-blocks[*]")).toBeVisible();
}

test(
  "a net by rows",
  onOnePage({
    "a GPT opens by rows: its layers once, in the words of its text": async ({ page }) => {
      test.slow();
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open(address);
      const board = page.getByRole("region", { name: "Board" });
      await expect(layers(page)).toContainText("×12");
      const { all, cut } = await page.evaluate(names);
      expect(all).toContain("blocks");
      expect(all.filter((name) => /^∂?(linear|layer_norm|gelu|add)_\d+$/u.test(name))).toEqual([]);
      expect(cut).toEqual([]);
      expect(await page.evaluate(isWhole)).toBe(true);
      await expect(board.getByText("Gradients ↑")).toBeVisible();
      await expect(board.getByTestId("update-adamw")).toBeVisible();
      expect(noise).toEqual([]);
    },

    "keys open and fold a module, and F shows all again": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(address);
      await openLayers(page);
      const head = page.getByTestId("frame-blocks[*]");
      await head.focus();
      await page.keyboard.press("Enter");
      const folded = page.getByTestId("module-blocks[*]");
      await expect(folded).toBeFocused();
      await expect(folded).toContainText("×12");
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => focusedNode(page)).not.toBe("module-blocks[*]");
      await folded.focus();
      await page.keyboard.press("Enter");
      await expect(head).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(folded).toBeVisible();
      await page.keyboard.press("f");
      await expect(layers(page)).toBeVisible();
      expect(await page.evaluate(isWhole)).toBe(true);
    },

    "a pill shows its steps, and a layer that is picked elsewhere takes the place of the first":
      async ({ page }) => {
        const plan = planPage(page);
        await plan.open(address);
        await openLayers(page);
        const pill = page.locator(".board .bpill").first();
        await pill.click();
        await expect(pill).toHaveAttribute("aria-pressed", "true");
        await expect(page.getByRole("region", { name: /^(Redistribution|Steps)/u })).toBeVisible();
        await page.keyboard.press("Control+K");
        await page.getByTestId("palette-query").fill("blocks[7].up operator");
        await page.keyboard.press("Enter");
        await plan.settle();
        await expect(page.getByTestId("frame-blocks[*]")).toContainText("number 7 shown");
        await expect(page.locator(".board .bcard.operator.sel")).toHaveCount(1);
      },

    "a note on the text stands above the board, and its cross in its corner": async ({ page }) => {
      const plan = planPage(page);
      await plan.openAnew(address);
      await plan.selectProgram();
      await page.keyboard.press("Control+End");
      await page.keyboard.insertText("# edited");
      await plan.settle();
      await plan.openAnew(address);
      const line = page.getByTestId("text-note-edited-link");
      const [note, cross, head] = [
        await boxOf(line),
        await boxOf(line.getByRole("button", { name: "Dismiss" })),
        await boxOf(page.locator(".board .bt-head").first()),
      ];
      expect(note.y + note.height).toBeLessThanOrEqual(head.y);
      expect(cross.y - note.y).toBeLessThan(8);
      expect(note.x + note.width - cross.x - cross.width).toBeLessThan(8);
    },

    "views are counted and can be shown; the graph is one switch away": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(address);
      await page.getByRole("button", { name: /views hidden/u }).click();
      await expect(page.getByRole("button", { name: "Hide views" })).toBeVisible();
      await page.getByRole("button", { name: "Hide views" }).click();
      await page.getByRole("radio", { name: "Graph" }).check({ force: true });
      await expect(page.getByRole("button", { name: "Fit the graph" })).toBeVisible();
      await page.getByRole("radio", { name: "Rows" }).check({ force: true });
      await expect(layers(page)).toBeVisible();
      await plan.open("/#example=two-matmuls");
      await expect(page.getByRole("region", { name: "Graph" })).toBeVisible();
    },
  }),
);

test.describe("with fingers on a tablet", () => {
  test.use({ viewport: { width: 834, height: 1112 }, hasTouch: true });

  test("the board takes the upper half, and a tap folds a module", async ({ page }) => {
    const plan = planPage(page);
    await plan.open(address);
    await openLayers(page);
    await page.getByTestId("frame-blocks[*]").tap();
    await expect(page.getByTestId("module-blocks[*]")).toContainText("×12");
    await page.getByTestId("module-blocks[*]").tap();
    await expect(page.getByTestId("frame-blocks[*]")).toBeVisible();
    const { cut } = await page.evaluate(names);
    expect(cut).toEqual([]);

    await page.getByRole("tab", { name: "Program" }).tap();
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("\nx = (");
    const note = await boxOf(page.getByTestId("stale"));
    const head = await boxOf(page.locator(".board .bt-head").first());
    expect(note.y + note.height).toBeLessThanOrEqual(head.y);
  });

  test("a step on a tensor of a long name leaves the button that runs in sight", async ({
    page,
  }) => {
    const plan = planPage(page);
    const weight = "the_weight_of_the_first_projection_of_the_block";
    const text = `mesh = Mesh(dp=2, tp=2)
x = Tensor((8, 16))
${weight} = Parameter((16, 16))
y = matmul(x, ${weight})
strategy(y, m="dp", k="tp")
train(y.sum(), optimizer="adamw")
`;
    await plan.open(`/#src=${encodeURIComponent(text)}`);
    const name = page.locator(".stepbar .step-tensor");
    for (const before of ["y", "sum_1"]) {
      await expect(name).toHaveText(before);
      await page.keyboard.press("]");
    }
    await expect(name).toContainText(weight);
    const run = await boxOf(page.locator(".stepbar .run-btn"));
    expect(run.x + run.width).toBeLessThanOrEqual(834);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the list says the words of the text too", async ({ page }) => {
    const plan = planPage(page);
    await plan.open(address);
    await expect(page.getByTestId("tensor-logits")).toContainText("head");
    await page.getByTestId("module-blocks[*]").tap();
    await expect(page.locator(".nm-head", { hasText: /^norm_1$/u }).first()).toBeVisible();
    await expect(page.locator(".nm-head", { hasText: /linear_/u })).toHaveCount(0);
  });
});

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 834, height: 1112 },
]) {
  test.describe(`finding one's way, ${viewport.width} wide`, () => {
    test.use({ viewport });

    test("the bars change and are remembered, the minimap scrolls, and the palette goes anywhere", async ({
      page,
    }) => {
      test.slow();
      const plan = planPage(page);
      await plan.open(address);
      const bars = page.getByRole("combobox", { name: "Bars of the cards" });
      await bars.selectOption("memory");
      await expect(page.locator(".blegend label")).toContainText(/full = [\d.]+ [kMGT]?B/u);
      await plan.open(address);
      await expect(bars).toHaveValue("memory");
      await bars.selectOption("time");
      await expect(page.locator(".blegend label")).toContainText(/full = [\d.]+ [mµ]?s/u);

      const map = page.getByTestId("board-minimap");
      await expect(map).toHaveCount(0);
      const scroller = page.locator(".bscroll");
      await openLayers(page);
      await page.getByRole("button", { name: /views hidden/u }).click();
      await expect(map).toBeVisible();
      const { width = 0, height = 0 } = (await map.boundingBox()) ?? {};
      await map.click({ position: { x: width / 2, y: height - 3 } });
      await expect.poll(() => scroller.evaluate((box) => box.scrollTop)).toBeGreaterThan(0);
      expect(await page.evaluate(edgesOfFoot)).toEqual({ left: 0, right: 0, bottom: 0 });

      await page.keyboard.press("Control+K");
      await page.getByTestId("palette-query").fill("blocks[7] module");
      await page.keyboard.press("Enter");
      await plan.settle();
      await expect(page.getByTestId("frame-blocks[*]")).toContainText("number 7 shown");
      await expect(page.locator(".board .bcard.sel").first()).toBeInViewport();
    });
  });
}
