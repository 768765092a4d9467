import { expect, type Page, test } from "@playwright/test";
import { findingsIn } from "./page-states.ts";
import { watchNoise } from "./plan-page.ts";
import { addressOf, runPage, small } from "./run-page.ts";

/** Two sums; without the first, every value computed after it is wrong. */
const two = `${small}u = Parameter((4, 8))
v = matmul(z, u)
strategy(v, m="dp", k="mp")
`;

/** The live region of the run, if there is one. */
const heard = (page: Page) => page.locator("[aria-live=polite][data-testid=status]");

test("a verdict is read out as it stands: equal, different, still equal, refused", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(two));
  await plan.run();
  await expect(heard(page)).toContainText(
    /Equals the unsharded program: 6 tensors, 4 devices, bit for bit\./,
  );
  await plan.details();
  await page.getByTestId("run-broken").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "different");
  await expect(heard(page)).toContainText(
    /Without this all-reduce, device \d has .+ at y\[\d+, \d+\], where the unsharded program has/,
  );
  await page.getByLabel("Fault").selectOption("swap");
  await page.getByTestId("run-broken").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect(heard(page)).toContainText(
    "It cannot show: a sum is the same in every order. “Leave out” can.",
  );
  expect(await findingsIn(page, "[data-testid=run-panel]")).toEqual([]);
  await page.getByTestId("run-instead").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "different");
  await plan.open(addressOf(two.replace("(8, 4)", "(7, 4)")));
  await page.getByTestId("run-preview").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "refused");
  await expect(heard(page)).toContainText(/The text has an error: /);
});

test("a fault is coloured in its cells and on its tensors, with the step that went wrong first", async ({
  page,
}) => {
  const noise = watchNoise(page);
  const plan = runPage(page);
  await plan.open(addressOf(two));
  await plan.details();
  await page.getByTestId("run-broken").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "different");
  const named = page.getByTestId("run-break");
  await expect(named).toHaveAttribute("data-step", "1");
  await expect(named).toContainText("First wrong in step 2, all-reduce mp of y.");

  await test.step("the cards of what is wrong are marked, the first with its cell and step", async () => {
    const mark = (tensor: string) => page.getByTestId(`tensor-${tensor}`).locator(".fault-mark");
    await expect(mark("y")).toHaveAttribute("data-severity", "error");
    await expect(mark("y")).toContainText(
      /\d+ cells are wrong in the last run, the first of all at \[\d+, \d+\] on device \d, made in step 2/,
    );
    await expect(mark("v")).toContainText(/\d+ cells are wrong in the last run$/);
    await expect(mark("x")).toHaveCount(0);
    const [icon, plain] = await Promise.all([
      mark("y")
        .locator("svg")
        .evaluate((it) => getComputedStyle(it).color),
      page.getByTestId("tensor-x").evaluate((it) => getComputedStyle(it).color),
    ]);
    expect(icon).not.toBe(plain);
  });

  await test.step("the wrong cells of the step have a colour of their own", async () => {
    await plan.details();
    await named.getByRole("button").click();
    const after = page.getByTestId("step-values").getByRole("region", { name: "After" });
    const wrong = after.locator("td.wrong");
    await expect(wrong.first()).toBeVisible();
    const counts = await after
      .locator("figure")
      .evaluateAll((figures) =>
        figures.map((each) => [
          Number(each.getAttribute("data-wrong")),
          each.querySelectorAll("td.wrong").length,
        ]),
      );
    for (const [told, drawn] of counts) expect(drawn).toBe(told);
    const before = page.getByTestId("step-values").getByRole("region", { name: "Before" });
    const look = (cell: Element) => {
      const { backgroundColor, outlineColor, boxShadow } = getComputedStyle(cell);
      return [backgroundColor, outlineColor, boxShadow].join(" ");
    };
    const own = await wrong.first().evaluate(look);
    expect(await before.locator("td").first().evaluate(look)).not.toBe(own);
  });

  await test.step("put back, nothing is marked any more", async () => {
    await plan.details();
    await page.getByTestId("run-put-back").click();
    await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
    await expect(page.locator(".glyph-wrong")).toHaveCount(0);
    await expect(page.locator(".fault-mark")).toHaveCount(0);
  });
  expect(noise).toEqual([]);
});

test("blocks that a run found wrong are coloured in the drawings of their tensor, and said", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(two));
  await plan.details();
  await page.getByTestId("run-broken").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "different");
  const card = (tensor: string) => page.getByTestId(`tensor-${tensor}`);
  const blocks = card("y").locator(".glyph-wrong path");
  expect(await blocks.count()).toBeGreaterThan(0);
  await expect(card("x").locator(".glyph-wrong")).toHaveCount(0);
  const colours = await blocks.first().evaluate((it) => {
    const probe = document.createElement("i");
    probe.style.color = "var(--danger)";
    it.closest("button")?.append(probe);
    const danger = getComputedStyle(probe).color;
    probe.remove();
    return { danger, fill: getComputedStyle(it).fill, stroke: getComputedStyle(it).stroke };
  });
  expect([colours.fill, colours.stroke]).toEqual([colours.danger, colours.danger]);
  const sentence =
    /Wrong in the last run on devices? \d(, \d)*: (its|their) blocks are crossed out\./;
  await expect(card("y").locator(".vh").first()).toHaveText(sentence);
  await page.getByText("Rows", { exact: true }).click();
  const row = page.locator(".bcard", { hasText: "Wrong in the last run" }).first();
  await expect(row).toContainText(sentence);
  await expect(row.locator(".glyph-wrong")).toHaveCount(1);
  await page.getByText("Graph", { exact: true }).click();
  await card("y").click();
  await page.getByRole("tab", { name: "Mesh and tensor" }).click();
  await expect(page.getByTestId("views-wrong")).toHaveText(sentence);
  const views = page.locator(".views");
  expect(await views.locator(".glyph-wrong path").count()).toBeGreaterThan(1);
  const told = (await page.getByTestId("views-wrong").textContent())?.match(/\d/g) ?? [];
  const tiles = views.getByRole("button", { name: /, wrong in the last run$/ });
  await expect(tiles).toHaveCount(told.length);
  await expect(tiles.first().locator(".glyph-wrong")).toHaveCount(1);
  expect(await findingsIn(page, ".views")).toEqual([]);
  await page.getByRole("tab", { name: "Run", exact: true }).click();
  await page.getByTestId("run-put-back").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await page.getByRole("tab", { name: "Mesh and tensor" }).click();
  await expect(page.getByRole("heading", { name: "Whole view" })).toBeVisible();
  await expect(page.locator(".glyph-wrong, .views-wrong")).toHaveCount(0);
});

/** The link that the panel makes for the chosen fault. */
async function linkToFault(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Link to this fault" }).click();
  return page.getByTestId("share-url").inputValue();
}

test("a fault is a link: it opens with the fault planted and named, runs nothing, and finds it when run", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(two));
  await plan.details();
  await page.getByLabel("Fault").selectOption("scale");
  const collective = page.getByLabel("Collective");
  const option = collective.locator("option", { hasText: "all-reduce mp of v" });
  const label = (await option.textContent()) ?? "";
  const place = await option.getAttribute("value");
  await collective.selectOption({ label });
  const link = await linkToFault(page);
  expect(link).toContain(`f:scale.${place}.all-reduce.v`);

  await plan.openAnew(link);
  await expect(page.getByTestId("run-panel")).toBeVisible();
  await expect(page.getByTestId("run-planted")).toContainText(
    `Planted: missing scale, step ${label}.`,
  );
  await expect(plan.verdict).toHaveCount(0);
  await page.getByTestId("run-broken").focus();
  await page.keyboard.press("Enter");
  await expect(plan.verdict).toHaveAttribute("data-verdict", "different");
  await expect(heard(page)).toContainText("With the scale of this all-reduce missing");
  await expect(page.getByTestId("run-break")).toHaveAttribute("data-step", place ?? "");

  await test.step("of a place that the plan does not have it is said, not put elsewhere", async () => {
    await plan.openAnew(link.replace("all-reduce.v", "all-reduce.gone"));
    await expect(page.getByTestId("run-fault-gone")).toContainText(
      "The fault of the link was in all-reduce of gone, which this plan does not have.",
    );
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a link to a fault opens the sheet of runs with it, and one tap finds it", async ({
    page,
  }) => {
    const plan = runPage(page);
    await plan.open(addressOf(two));
    await page.getByRole("tab", { name: "Run" }).tap();
    await page.getByLabel("Fault").selectOption("cut");
    await page.getByLabel("Tensor that is cut").selectOption({ label: "w" });
    await expect(page.getByTestId("run-planted")).toContainText("Planted: cut wrong dim, w.");
    const link = await linkToFault(page);
    await plan.openAnew(link);
    await expect(page.getByRole("tab", { name: "Run" })).toHaveAttribute("aria-selected", "true");
    await expect(page.getByTestId("run-planted")).toBeInViewport();
    await page.getByTestId("run-broken").tap();
    await expect(plan.verdict).toContainText("With w cut along the wrong dim");
    await expect(heard(page)).toContainText("With w cut along the wrong dim");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
  });
});
