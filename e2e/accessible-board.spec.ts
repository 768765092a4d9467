import { readFileSync } from "node:fs";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { type Size, seriousFindings, seriousFindingsAsShown, sizes } from "./page-states.ts";
import { isWhole, nextFrame, type PlanPage, planPage, watchNoise } from "./plan-page.ts";

/** A GPT of 24 layers that is trained, with the plan that the planner wrote into it. */
const planned = readFileSync("e2e/texts/gpt-24.planned.py", "utf8");
const address = `/#src=${encodeURIComponent(planned)}`;

/** Opens the net and waits for all of the page. */
async function openNet(page: Page): Promise<PlanPage> {
  const plan = planPage(page);
  await plan.open(address);
  await isWhole(page);
  return plan;
}

/** Redistributions on the board, or in the list of a phone. */
const pills = (page: Page) => page.locator("main [data-testid^='redist-']:visible");

for (const size of ["desk", "tablet", "phone"] satisfies readonly Size[]) {
  test(`axe finds nothing serious in a net of 24 layers, ${size}, both themes`, async ({
    page,
  }) => {
    test.slow();
    const [width, height] = sizes[size];
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await openNet(page);
    expect(await seriousFindings(page), "as it opens").toEqual([]);
    await pills(page).first().click();
    await isWhole(page);
    expect(await seriousFindings(page), "with its first redistribution open").toEqual([]);
  });
}

/** The number of colours inside an element. */
async function coloursIn(page: Page, target: Locator): Promise<number> {
  const picture = (await target.screenshot()).toString("base64");
  return page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    if (pen === null) return 0;
    pen.drawImage(image, 0, 0);
    const inside = pen.getImageData(2, 2, image.width - 4, image.height - 4).data;
    return new Set(new Uint32Array(inside.buffer)).size;
  }, picture);
}

test("with forced colours what is exposed, picked, timed and bounded keeps its mark", async ({
  page,
}) => {
  test.slow();
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  const plan = await openNet(page);
  const hatch = page.locator(".bpill .bswatch").first();
  expect(await coloursIn(page, hatch), "the hatch of what is exposed").toBeGreaterThan(1);
  const heat = page.locator(".bcard.operator .bheat").first();
  const grounds = await heat.evaluate((bar) =>
    [bar, bar.parentElement ?? bar].map((each) => getComputedStyle(each).backgroundColor),
  );
  expect(new Set(grounds).size, "the bar of an operator's time").toBe(2);
  for (const target of [page.locator(".bcard.operator").first(), pills(page).first()]) {
    await page.mouse.move(0, 0);
    const before = await target.screenshot();
    await target.click();
    await page.mouse.move(0, 0);
    await plan.settle();
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    await expect(target).toHaveAttribute("aria-pressed", "true");
    expect((await target.screenshot()).equals(before), "what is picked looks as before").toBe(
      false,
    );
  }
  const bounds = await page
    .locator(".icicle .cell")
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).borderTopWidth));
  expect(bounds.filter((width) => width === "0px")).toEqual([]);
  expect(await seriousFindingsAsShown(page)).toEqual([]);
});

test("with reduced motion nothing moves by itself as modules open and steps are shown", async ({
  page,
}) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openNet(page);
  const moving = () =>
    page.evaluate(() => document.getAnimations().map(({ effect }) => `${effect}`).length);
  await page.locator(".bcard.module, .bcard.group, .bhead.outer").first().click();
  expect(await moving()).toBe(0);
  await pills(page).first().click();
  expect(await moving()).toBe(0);
  await page.getByTestId("step-next").click();
  expect(await moving()).toBe(0);
});

test.describe("at 200 % zoom", () => {
  test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });

  test("no name on the board is cut, and each panel has room", async ({ page }) => {
    test.slow();
    const plan = await openNet(page);
    const cut = await page
      .locator(".board .bt-name")
      .evaluateAll((names) =>
        names
          .filter((name) => name.scrollWidth > name.clientWidth + 1)
          .map((name) => name.textContent),
      );
    expect(cut).toEqual([]);
    const board = page.getByRole("region", { name: "Board" });
    expect((await board.boundingBox())?.height ?? 0).toBeGreaterThan(200);
    for (const tab of await page.getByRole("tablist", { name: "Panels" }).getByRole("tab").all()) {
      await tab.click();
      await plan.settle();
      const { wide, tall } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth - innerWidth,
        tall: document.querySelector(".sheet-body")?.clientHeight ?? 0,
      }));
      expect(wide, "wider than the window").toBeLessThanOrEqual(0);
      expect(tall, "room below the board").toBeGreaterThan(80);
    }
  });
});

/** The focused element, as the page names it. */
function focused(page: Page): Promise<{
  readonly node: string;
  readonly inEditor: boolean;
  readonly inSteps: boolean;
}> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return {
      node: element?.getAttribute("data-node") ?? "",
      inEditor: (element?.closest(".monaco-editor") ?? null) !== null,
      inSteps: element?.getAttribute("role") === "slider" || element?.matches(".scrub") === true,
    };
  });
}

/** Presses a key until the wanted element has the focus. */
async function pressUntil(
  page: Page,
  key: string,
  isThere: (at: Awaited<ReturnType<typeof focused>>) => boolean,
): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key);
    await nextFrame(page);
    const at = await focused(page);
    if (isThere(at)) return;
    passed.push(at.node);
  }
  throw new Error(`${key} does not lead there, but to ${passed.join(", ")}`);
}

test("by keys alone: from the top of the page to a card, into a module, to the steps of a pill", async ({
  page,
}) => {
  test.slow();
  const noise = watchNoise(page);
  await openNet(page);
  const board = page.getByRole("region", { name: "Board" });
  await test.step("the board takes at most three stops of the Tab key", async () => {
    const stops = await board
      .locator("button, input, a[href], [tabindex]")
      .evaluateAll((all) =>
        all.filter((each) => each instanceof HTMLElement && each.tabIndex >= 0),
      );
    expect(stops.length).toBeLessThanOrEqual(3);
  });
  await test.step("each card of a tensor says how it lies", async () => {
    const said = await board
      .locator(":is(.bcard.operator, .bcard.weight, .bcard.input) > .vh")
      .evaluateAll((names) => names.map((name) => name.textContent ?? ""));
    expect(said.length).toBeGreaterThan(10);
    // The box that stands for a folded module's weights is no tensor.
    const ofTensors = said.filter((each) => !/^\d+ weights\.$/u.test(each));
    expect(ofTensors.filter((each) => !/(split|whole|copies)/u.test(each))).toEqual([]);
  });
  await test.step("the editor, whose tab says which key lets go of it, is no trap", async () => {
    await pressUntil(page, "Tab", ({ inEditor }) => inEditor);
    await expect(page.getByText("Esc frees Tab")).toBeVisible();
  });
  await pressUntil(page, "Tab", ({ node }) => node !== "");
  await test.step("Tab comes to the board however far it was scrolled", async () => {
    const { node } = await focused(page);
    await page.keyboard.press("Tab");
    await board.locator(".bscroll").evaluate((element) => element.scrollTo(0, 1e6));
    await nextFrame(page);
    await page.keyboard.press("Shift+Tab");
    expect(await focused(page)).toMatchObject({ node });
  });
  await test.step("a module opens, and its neighbour layers are shown", async () => {
    await pressUntil(page, "ArrowDown", ({ node }) => node.endsWith("-blocks[*]"));
    if ((await focused(page)).node.startsWith("module-")) await page.keyboard.press("Enter");
    const head = page.getByTestId("frame-blocks[*]");
    await expect(head).toBeFocused();
    const before = await head.textContent();
    await pressUntil(page, "ArrowRight", ({ node }) => node === "frame-blocks[*] next");
    await page.keyboard.press("Enter");
    await expect(head).not.toHaveText(before ?? "");
    await expect(board.getByRole("button", { name: "The next layer" })).toBeFocused();
  });
  await test.step("a pill shows its steps, and keys go through them", async () => {
    await pressUntil(page, "ArrowDown", ({ node }) => node.startsWith("redist-"));
    await page.keyboard.press("Enter");
    await expect(board.locator(".bpill:focus")).toHaveAttribute("aria-pressed", "true");
    await pressUntil(page, "Tab", ({ inSteps }) => inSteps);
    const slider = page.locator(":focus");
    const before = await slider.getAttribute("aria-valuetext");
    await page.keyboard.press("ArrowRight");
    await expect(slider).not.toHaveAttribute("aria-valuetext", before ?? "");
  });
  expect(noise).toEqual([]);
});
