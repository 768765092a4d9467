import { expect, type Locator, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { asGraph, boxOf, isWhole, planPage, watchNoise } from "./plan-page.ts";

const stack = "/#example=transformer-stack";

/** Matmuls of different sizes, so that none equals another. */
function chain(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const [from, to] = [64 + 16 * at, 64 + 16 * (at + 1)];
    const cut = at % 2 === 0 ? 'n="mp"' : 'k="mp"';
    return `h${at + 1} = matmul(h${at}, Parameter((${from}, ${to})))\nstrategy(h${at + 1}, ${cut})`;
  });
  return ["mesh = Mesh(dp=2, mp=4)", "h0 = Tensor((64, 64))", ...lines, ""].join("\n");
}

async function topOf(box: Locator): Promise<number> {
  return (await boxOf(box)).y;
}

function focusedLabel(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
}

test(
  "blocks are folded, opened and walked",
  onOnePage({
    "24 equal layers are one card, which opens where it stands and folds again": async ({
      page,
    }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open(stack);
      await asGraph(page);
      const card = page.getByTestId("block-layers[0…23]");
      await expect(card).toContainText("×24");
      await expect(card).toContainText("5 operators, 1 redistribution each");
      await expect(page.getByTestId("operator-layers[0].h")).toHaveCount(0);
      const before = await topOf(card);

      await card.getByRole("button").click();
      const head = page.getByTestId("block-layers[0]");
      await expect(page.getByTestId("operator-layers[0].h")).toBeVisible();
      await expect(page.getByTestId("block-layers[1…23]")).toContainText("×23");
      await expect(page.getByTestId("operator-layers[1].h")).toHaveCount(0);
      await plan.settle();
      expect(Math.abs((await topOf(head)) - before)).toBeLessThan(2);

      await head.getByRole("button").click();
      await expect(card).toContainText("×24");
      await plan.settle();
      expect(Math.abs((await topOf(card)) - before)).toBeLessThan(2);
      await test.step("a double click opens a block and does not fold it again", async () => {
        await page.getByTestId("block-layers[0…23]").getByText("layers[0…23]").dblclick();
        await expect(page.getByTestId("operator-layers[0].h")).toBeVisible();
        await page.keyboard.press("f");
        await page.getByTestId("block-layers[1…23]").getByRole("button").dblclick();
        await expect(page.getByTestId("block-layers[2…23]")).toBeAttached();
      });
      expect(noise).toEqual([]);
    },

    "a search finds a member of a folded block, and opens its layer alone": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(stack);
      await asGraph(page);
      await page.keyboard.press("/");
      await page.getByTestId("palette-query").fill("layers[7].o operator");
      await page.keyboard.press("Enter");
      await plan.settle();
      const found = page.getByTestId("operator-layers[7].o");
      await expect(found).toBeInViewport();
      await expect(found).toHaveAttribute("aria-pressed", "true");
      await expect(page.getByTestId("block-layers[0…6]")).toContainText("×7");
      await expect(page.getByTestId("block-layers[8…23]")).toContainText("×16");
    },

    "the next redistribution opens the layer that it belongs to": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(stack);
      await asGraph(page);
      await isWhole(page);
      await page
        .locator("main")
        .getByRole("button", { name: /equal blocks/u })
        .focus();
      await page.keyboard.press("]");
      await plan.settle();
      const badges = page.locator("main [data-testid^='redist-']");
      await expect(badges).toHaveCount(1);
      await expect(badges).toHaveAttribute("aria-pressed", "true");
    },

    "keys alone open a block, walk into it and fold it": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(stack);
      await asGraph(page);
      await page.locator("main [data-node][tabindex='0']").focus();
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => focusedLabel(page)).toContain("24 equal blocks");
      await page.keyboard.press("Enter");
      await expect.poll(() => focusedLabel(page)).toContain("1 of 24 equal blocks");
      await page.keyboard.press("ArrowDown");
      await expect(page.locator(":focus")).toHaveAttribute("data-node", /layers\[0\]/u);
      await page.keyboard.press("g");
      await expect(page.getByTestId("block-layers[0…23]")).toBeVisible();
      await page.keyboard.press("g");
      await expect(page.getByTestId("operator-layers[0].h")).toBeVisible();
    },

    "the outline folds and opens the same blocks by the arrow keys": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(stack);
      await asGraph(page);
      await page.getByRole("tab", { name: "Outline" }).click();
      const folded = page.getByRole("treeitem", { name: /^▸? ?layers\[0…23\], 24 equal blocks/u });
      await expect(folded).toHaveAttribute("aria-expanded", "false");
      await folded.focus();
      await page.keyboard.press("ArrowRight");
      await expect(page.getByTestId("operator-layers[0].h")).toBeVisible();
      const open = page.getByRole("treeitem", { name: /layers\[0\], 1 of 24/u });
      await expect(open).toBeFocused();
      await page.keyboard.press("ArrowDown");
      await expect(page.locator(":focus")).toContainText("layers[0].n");
      await page.keyboard.press("ArrowLeft");
      await expect(folded).toBeFocused();
      await expect(page.getByTestId("operator-layers[0].h")).toHaveCount(0);
    },
  }),
);

/** Runs in the page: the place of a box on the canvas. */
function boxOffset(testId: string): { readonly x: number; readonly y: number } {
  const node = document.querySelector(`[data-testid="${testId}"]`)?.closest(".box");
  const { e, f } = new DOMMatrix(getComputedStyle(node ?? document.body).transform);
  return { x: e, y: f };
}

/** Runs in the page: the visible part of the canvas. */
function viewport(): { readonly x: number; readonly y: number; readonly zoom: number } {
  const node = document.querySelector(".react-flow__viewport");
  const { a, e, f } = new DOMMatrix(getComputedStyle(node ?? document.body).transform);
  return { x: e, y: f, zoom: a };
}

test(
  "a large graph",
  onOnePage({
    "the Tab key stops at most three times on the canvas, however large the graph": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(`/#src=${encodeURIComponent(chain(80))}`);
      await asGraph(page);
      const stops = page
        .getByRole("region", { name: "Graph" })
        .locator("[tabindex='0'], button:not([tabindex])");
      await expect(page.getByTestId("operator-h1")).toBeVisible();
      expect(await stops.count()).toBeLessThanOrEqual(3);
    },

    "from afar a large graph is one picture, and what is pointed at can be pressed": async ({
      page,
    }) => {
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open(`/#src=${encodeURIComponent(chain(120))}`);
      await asGraph(page);
      const boxes = page.locator(".canvas .box");
      await expect.poll(() => boxes.count()).toBeGreaterThan(8);
      expect(await boxes.count()).toBeLessThan(120);
      const place = await page.evaluate(boxOffset, "operator-h3");
      const pane = page.locator(".react-flow__pane");
      const { x, y } = await boxOf(pane);
      await page.mouse.move(x + 300, y + 120);
      for (let at = 0; at < 3; at += 1) await page.mouse.wheel(0, 300);
      await expect.poll(() => boxes.count()).toBeLessThan(5);
      await expect(page.getByTestId("operator-h3")).toHaveCount(0);

      await boxOf(page.locator(".react-flow__viewport"));
      const view = await page.evaluate(viewport);
      expect(view.zoom).toBeLessThan(0.5);
      await page.mouse.move(
        x + view.x + (place.x + 40) * view.zoom,
        y + view.y + (place.y + 20) * view.zoom,
      );
      const card = page.getByTestId("operator-h3");
      await expect(card).toHaveCount(1);
      await page.mouse.down();
      await page.mouse.up();
      await expect(card).toHaveAttribute("aria-pressed", "true");
      expect(noise).toEqual([]);
    },

    "the minimap goes to where it is pressed, and F back to the whole": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(`/#src=${encodeURIComponent(chain(120))}`);
      await asGraph(page);
      await expect(page.getByTestId("operator-h1")).toBeInViewport();
      const minimap = page.getByRole("img", { name: "Minimap" });
      await minimap.click({ position: { x: 60, y: 64 } });
      await expect(page.getByTestId("operator-h1")).not.toBeInViewport();
      await page.keyboard.press("f");
      await expect(page.getByTestId("operator-h1")).toBeInViewport();
      const zoom = page.getByRole("toolbar", { name: "Zoom" });
      const fitted = (await zoom.textContent()) ?? "";
      await page.keyboard.press("+");
      await expect(zoom).not.toHaveText(fitted);
      await page.keyboard.press("-");
      await expect(zoom).toHaveText(fitted);
    },

    "a change of the plan leaves what is in sight where it is": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const card = page.getByTestId("operator-y");
      await page.getByTestId("tensor-w2").click();
      const { x, y } = await boxOf(page.getByTestId("operator-h"));
      const told = await page
        .getByRole("img", { name: "Minimap", includeHidden: true })
        .evaluateHandle((minimap) => {
          const attributes: (string | null)[] = [];
          const note = (changes: readonly MutationRecord[]) =>
            attributes.push(...changes.map(({ attributeName }) => attributeName));
          new MutationObserver(note).observe(minimap, { attributes: true });
          return attributes;
        });
      await page.keyboard.press("Control+k");
      await page.getByTestId("palette-query").fill("split w2.k mp");
      await page.keyboard.press("Enter");
      await plan.settle();
      await expect(card).toBeVisible();
      const after = await boxOf(page.getByTestId("operator-h"));
      expect(Math.abs(after.x - x)).toBeLessThan(30);
      expect(Math.abs(after.y - y)).toBeLessThan(30);
      await test.step("the minimap stays hidden without being told so again", async () => {
        expect((await told.jsonValue()).filter((name) => name === "hidden")).toEqual([]);
      });
    },
  }),
);

test.describe("with fingers on a tablet", () => {
  test.use({ viewport: { width: 834, height: 1112 }, hasTouch: true });

  test("a tap opens a block and another folds it", async ({ page }) => {
    const plan = planPage(page);
    await plan.open(stack);
    await asGraph(page);
    await page.getByTestId("block-layers[0…23]").getByRole("button").tap();
    await expect(page.getByTestId("operator-layers[0].h")).toBeVisible();
    await page.getByTestId("block-layers[0]").getByRole("button").tap();
    await expect(page.getByTestId("block-layers[0…23]")).toContainText("×24");
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("equal layers are one row of the list, and a tap writes the first one out", async ({
    page,
  }) => {
    const plan = planPage(page);
    await plan.open(stack);
    const row = page.locator("[data-testid^='module-layers']");
    await expect(row).toContainText("×24");
    await expect(page.getByTestId("operator-layers[0].h")).toHaveCount(0);
    await row.tap();
    await expect(page.getByTestId("operator-layers[0].h")).toBeVisible();
    await row.tap();
    await expect(page.getByTestId("operator-layers[0].h")).toHaveCount(0);
  });
});
