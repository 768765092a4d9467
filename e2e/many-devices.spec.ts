import { expect, type Page, test } from "@playwright/test";
import { planPage, watchNoise } from "./plan-page.ts";

/** The most elements that any page may have. */
const mostElements = 20_000;

/** Twenty matmuls on a mesh of two axes. */
function chain(dp: number, mp: number): string {
  const layers = Array.from({ length: 20 }, (_, at) => [
    `h${at + 1} = matmul(h${at}, Parameter((8192, 8192)))`,
    `strategy(h${at + 1}, m="dp", ${at % 2 === 0 ? 'n="mp"' : 'k="mp"'})`,
  ]);
  return [
    `mesh = Mesh(dp=${dp}, mp=${mp})`,
    "h0 = Tensor((8192, 8192))",
    ...layers.flat(),
    "",
  ].join("\n");
}

/** One axis over all devices, which cuts a reduced dim and is then gathered. */
function oneAxis(devices: number): string {
  return `mesh = Mesh(d=${devices})
h0 = Tensor((65536, 65536))
h1 = matmul(h0, Parameter((65536, 65536)))
strategy(h1, k="d")
h2 = gelu(h1)
place(h2, layout("d", "None"))
h3 = softmax(h2)
place(h3, layout("None", "None"))
`;
}

const axes = [..."abcdefghijkl"];
const rank24 = `mesh = Mesh(${axes.map((axis) => `${axis}=2`).join(", ")})
h0 = Tensor((2,) * 24)
place(h0, layout(${axes.map((axis) => `"${axis}"`).join(", ")}, *["None"] * 12))
h1 = gelu(h0)
`;

const elements = (page: Page) => page.evaluate(() => document.querySelectorAll("*").length);

test.describe.configure({ timeout: 240_000 });

for (const [title, devices, text] of [
  ["4,096 devices on two axes", 4_096, chain(64, 64)],
  ["65,536 devices on two axes", 65_536, chain(256, 256)],
  ["4,096 devices on one axis", 4_096, oneAxis(4_096)],
  ["65,536 devices on one axis", 65_536, oneAxis(65_536)],
  ["rank 24 on 4,096 devices", 4_096, rank24],
] as const) {
  test(`${title}: at most 20,000 elements, whatever is looked at`, async ({ page }) => {
    const noise = watchNoise(page);
    const plan = planPage(page);
    await plan.open();
    await plan.selectProgram();
    await plan.paste(text);
    await expect(page.locator("main").getByTestId("tensor-h1").first()).toBeVisible();
    expect(await elements(page)).toBeLessThanOrEqual(mostElements);

    await page.locator("main").getByTestId("tensor-h1").first().click();
    await plan.settle();
    const table = page.getByTestId("table-h1");
    await expect(table.locator("caption")).toContainText(`of ${devices}`);
    const rows = await table.locator("tr[data-device]").count();
    expect(rows).toBeGreaterThan(300);
    expect(await elements(page)).toBeLessThanOrEqual(mostElements);
    await expect(page.locator(".hidden-tables")).toContainText("too many rows for one page");

    const next = page.getByTestId("step-next");
    for (let step = 0; step < 3 && (await next.isEnabled()); step += 1) await next.click();
    await plan.settle();
    expect(await elements(page)).toBeLessThanOrEqual(mostElements);
    await page.setViewportSize({ width: 390, height: 844 });
    await plan.settle();
    expect(await elements(page)).toBeLessThanOrEqual(mostElements);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(noise).toEqual([]);
  });
}
