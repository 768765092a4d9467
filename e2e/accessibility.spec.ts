import { expect, type Page, test } from "@playwright/test";
import { onOnePage, perCase } from "./one-page.ts";
import {
  bringInto,
  overlays,
  pageStates,
  type Size,
  seriousFindings,
  seriousFindingsAsShown,
  sizes,
} from "./page-states.ts";
import { isWhole, nextFrame, planPage } from "./plan-page.ts";

for (const size of ["desk", "tablet", "phone"] satisfies readonly Size[]) {
  test(
    `axe finds nothing serious in any state, ${size}, both themes`,
    onOnePage({
      "the example and what is laid over it": ({ page }) => looksAtOverlays(page, size),
      ...perCase(
        Object.keys(pageStates),
        (state) => state,
        async ({ page }, state) => {
          await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
          await bringInto(page, state, size);
          await isWhole(page);
          expect(await seriousFindings(page), state).toEqual([]);
        },
      ),
    }),
  );
}

/** Checks the example and its overlays, each overlay without the page below it. */
async function looksAtOverlays(page: Page, size: Size): Promise<void> {
  const [width, height] = sizes[size];
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await planPage(page).open();
  await isWhole(page);
  expect(await seriousFindings(page), "example").toEqual([]);
  for (const [name, { enter, part }] of Object.entries(overlays)) {
    await test.step(name, async () => {
      await enter(page);
      await expect(page.locator(part)).toBeVisible();
      expect(await seriousFindings(page, part), name).toEqual([]);
      await page.keyboard.press("Escape");
      await expect(page.locator(part)).toHaveCount(0);
    });
  }
}

test("the editor takes the colours of the theme each time that the system changes it", async ({
  page,
}) => {
  await planPage(page).open();
  await isWhole(page);
  const editor = page.locator(".monaco-editor").first();
  for (let times = 0; times < 12; times += 1) {
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      // Meanwhile the page is compiling.
      await planPage(page).open(times % 2 === 0 ? "/#example=megatron-mlp" : "/#new");
      await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
      const surface = await page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = "var(--surface)";
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      });
      await expect(editor).toHaveCSS("background-color", surface, { timeout: 3_000 });
    }
  }
});

test("at 200 % zoom the page is usable and never wider than the window", async ({ page }) => {
  const [width, height] = sizes.desk;
  await page.setViewportSize({ width: width / 2, height: height / 2 });
  const plan = planPage(page);
  await plan.open();
  await expect(page.getByRole("tab", { name: "Program" })).toBeVisible();
  const graph = page.getByRole("region", { name: "Graph" });
  expect((await graph.boundingBox())?.height ?? 0).toBeGreaterThan(300);
  for (const name of ["Mesh", "Costs", "Program"]) {
    await page.getByRole("tab", { name }).click();
    await isWhole(page);
    await plan.settle();
    const { wide, tall } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth - innerWidth,
      tall: document.querySelector("[role=tabpanel], main")?.clientHeight ?? 0,
    }));
    expect(wide, `${name} is wider than the window`).toBeLessThanOrEqual(0);
    expect(tall, `${name} has no room`).toBeGreaterThan(120);
  }
  await page.getByTestId("share-link").click();
  await expect(page.getByTestId("share-url")).toBeInViewport();
});

test("with forced colours chips, cards, focus and the cuts of drawings keep their lines", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  const plan = planPage(page);
  await plan.open();
  const bordered = ["mesh-axis-dp", "operator-h", "device-0"];
  for (const testId of bordered) {
    const lines = await page.getByTestId(testId).evaluate((element) => {
      const boxes = [element, ...element.querySelectorAll("*"), element.parentElement ?? element];
      return boxes.some((box) => Number.parseFloat(getComputedStyle(box).borderTopWidth) > 0);
    });
    expect(lines, `${testId} has a bound`).toBe(true);
  }
  const grounds = await page
    .getByRole("group", { name: "Drawing of tensors" })
    .locator("label")
    .evaluateAll((labels) => labels.map((label) => getComputedStyle(label).backgroundColor));
  expect(new Set(grounds).size, "what is chosen has a ground of its own").toBe(2);
  await page.keyboard.press("Tab");
  await nextFrame(page);
  const outline = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(
      document.activeElement ?? document.body,
    );
    return { outlineStyle, width: Number.parseFloat(outlineWidth) };
  });
  expect(outline.outlineStyle).not.toBe("none");
  expect(outline.width).toBeGreaterThanOrEqual(1);
  await isWhole(page);
  expect(await seriousFindingsAsShown(page)).toEqual([]);
});
