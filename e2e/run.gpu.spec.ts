import { expect, type Page, test } from "@playwright/test";
import { gptBlock } from "../src/execute/webgpu/gpt-block.testing.ts";
import { boxOf, isWhole, watchNoise } from "./plan-page.ts";
import { addressOf, huge, runPage, small, training } from "./run-page.ts";

const dispatches = (page: Page) =>
  page
    .getByTestId("run-verdict")
    .getAttribute("data-dispatches")
    .then((text) => Number(text));

test("a plan runs on the GPU by its name; more program takes more dispatches", async ({ page }) => {
  const noise = watchNoise(page);
  const plan = runPage(page);
  await plan.open(addressOf(small));
  await expect(plan.verdict).toHaveCount(0);
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect(plan.verdict).toHaveAttribute("data-engine", "webgpu");
  await expect(plan.verdict).toContainText(/GPU .*swiftshader/i);
  await expect(plan.verdict).toContainText("4 tensors, 4 devices, bit for bit");
  const few = await dispatches(page);
  expect(few).toBeGreaterThan(1);
  await plan.open(addressOf(training));
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  expect(await dispatches(page)).toBeGreaterThan(few);
  await plan.details();
  const tensors = page.getByTestId("run-tensors");
  for (const part of ["Forward", "Backward: gradients", "Update: new parameters"]) {
    await expect(tensors).toContainText(part);
  }
  await tensors.getByRole("button", { name: "w.new" }).click();
  await expect(tensors.locator("tr[data-device]")).toHaveCount(4);
  await page.getByTestId("run-steps").locator("summary").click();
  await expect(page.getByTestId("run-steps")).toContainText("measured here");
  await expect(page.getByRole("columnheader", { name: "model", exact: true })).toBeVisible();
  expect(noise).toEqual([]);
});

test("steps are gone through by their numbers, and other inputs make other ones", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(small));
  await plan.run();
  const line = await boxOf(page.locator(".frame-foot"));
  const choice = await boxOf(page.locator(".stills-foot .seg"));
  const ends = await page
    .locator(".frame-foot > *")
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().right));
  expect(choice.y).toBeLessThan(line.y + line.height);
  expect(Math.max(...ends)).toBeLessThanOrEqual(choice.x);
  await page.getByRole("radio", { name: "Values" }).check({ force: true });
  const values = page.getByTestId("step-values");
  await expect(values.locator("figure")).toHaveCount(8);
  const reduced = await values.getByRole("region", { name: "After" }).textContent();
  await page.getByTestId("step-next").click();
  await page.getByTestId("step-next").click();
  await expect(values.getByRole("region", { name: "Before" })).toHaveText(/y/);
  const first = await plan.numbers();
  await page.getByTestId("step-prev").click();
  await expect
    .poll(() => values.getByRole("region", { name: "After" }).textContent())
    .toBe(reduced);
  await page.getByTestId("step-next").click();
  await plan.details();
  await page.getByRole("spinbutton", { name: "Seed" }).fill("2");
  await page.getByTestId("run-again").click();
  await expect(plan.verdict).toContainText("seed 2");
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect.poll(() => plan.numbers()).not.toEqual(first);
  await page.getByRole("radio", { name: "Floats" }).check({ force: true });
  await page.getByTestId("run-again").click();
  await expect(plan.verdict).toContainText("within the rounding of floats");
  await expect.poll(async () => (await plan.numbers()).join(" ")).toContain(".");
});

test("a program in bf16 runs on floats of its own types, or of the engine's", async ({ page }) => {
  const plan = runPage(page);
  await plan.open(addressOf(small.replace(/(\d\))\)/g, '$1, "bf16")')));
  await plan.run();
  await plan.details();
  const precision = page.getByRole("group", { name: "Precision" });
  await expect(precision).toHaveCount(0);
  await page.getByRole("radio", { name: "Floats" }).check({ force: true });
  await page.getByTestId("run-again").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect(plan.verdict).toHaveAttribute("data-engine", "webgpu");
  await expect(plan.verdict).toContainText("each result rounded to bf16, as f32 computes it");
  await precision.getByRole("radio", { name: "Full" }).check({ force: true });
  await page.getByTestId("run-again").click();
  await expect(plan.verdict).not.toContainText("rounded to bf16");
  await expect(plan.verdict).toContainText("within the rounding of floats");
});

test("a tensor is given numbers of one's own; numbers it does not take are refused", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(small));
  await plan.details();
  const own = page.getByTestId("run-own");
  await own.locator("summary").click();
  await own
    .getByRole("combobox", { name: "Tensor that is given" })
    .selectOption({ label: "x, 4×8" });
  const field = own.getByRole("textbox", { name: "Numbers of x" });
  await field.fill("1 2 three");
  await expect(own).toContainText("“three” is no number");
  await field.fill("1 2 3");
  await expect(own).toContainText("3 of 32 numbers, row by row: drawn from the seed until all");
  await field.fill(Array.from({ length: 32 }, (_, at) => at).join(", "));
  await expect(own.locator("summary")).toContainText("x");
  await page.getByTestId("run-again").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect(plan.verdict).toContainText("x as given");
  await page.getByRole("radio", { name: "Values" }).check({ force: true });
  await expect(
    page.getByTestId("step-values").getByRole("region", { name: "Before" }).first(),
  ).toContainText(/−?\d{3}/);
  await field.fill(Array.from({ length: 32 }, () => 0.5).join(" "));
  await page.getByTestId("run-again").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "refused");
  await expect(plan.verdict).toContainText(
    '"x" cannot be given the number 0.5: the run is on integers',
  );
});

test("a fault that is put in is found in its step, on a device, in a cell, and put back", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(small));
  await plan.details();
  await page.getByTestId("run-broken").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "different");
  await expect(plan.verdict).toContainText(
    /Without this all-reduce, device \d has .* at y\[\d, \d\]/,
  );
  await expect(page.getByTestId("run-break")).toContainText("First wrong in step 2");
  await page.getByRole("button", { name: "all-reduce mp of y", exact: true }).click();
  const wrong = page.getByTestId("step-values").getByRole("region", { name: "After" });
  await expect(wrong.locator("td.wrong").first()).toBeVisible();
  await page.getByTestId("run-put-back").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect(page.locator("td.wrong")).toHaveCount(0);
  await page.getByRole("combobox", { name: "Fault" }).selectOption("cut");
  await page.getByRole("combobox", { name: "Tensor that is cut" }).selectOption({ label: "w" });
  await page.getByTestId("run-broken").click();
  await expect(plan.verdict).toContainText("With w cut along the wrong dim");
  await expect(plan.verdict).toHaveAttribute("data-engine", "webgpu");
});

test("sizes beyond the limits are refused with their numbers; one press takes those that fit", async ({
  page,
}) => {
  const plan = runPage(page);
  await plan.open(addressOf(huge));
  await plan.details();
  await page.getByRole("radio", { name: "As written" }).check({ force: true });
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "refused");
  await expect(plan.verdict).toContainText(/at the pace that was measured here .* about \d{4,} s/);
  await expect(plan.verdict).toContainText(/x as \d+×\d+/);
  await page.getByTestId("run-fit").click();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect(plan.verdict).toHaveAttribute("data-engine", "webgpu");
});

/** Long enough to be cancelled before its end. */
const long = `mesh = Mesh(dp=2, mp=2)
x = Tensor((256, 256))
w = Parameter((256, 256))
h = matmul(x, w)
strategy(h, m="dp", n="mp")
y = matmul(h, w)
`;

test("a run is cancelled before its end, and another one goes through", async ({ page }) => {
  const plan = runPage(page);
  await plan.open(addressOf(long));
  await plan.details();
  await page.getByRole("radio", { name: "As written" }).check({ force: true });
  await page.getByTestId("run-preview").click();
  await expect(page.getByTestId("run-preview")).toHaveText("Cancel");
  await page.getByTestId("run-preview").click();
  await expect(plan.verdict).toHaveCount(0);
  await expect(page.getByTestId("status")).toContainText("cancelled");
  await page.getByRole("radio", { name: "What fits" }).check({ force: true });
  await plan.run();
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
});

/** A block of GPT on 64 devices. */
const gpt = gptBlock({ dp: 8, tp: 8, batch: 16, heads: 8, width: 8 });

/** Milliseconds by which the page is late, sampled from now on. */
async function watchLateness(page: Page): Promise<void> {
  await page.evaluate(() => {
    const late: number[] = [];
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      late.push(now - last - 20);
      last = now;
    }, 20);
    Object.assign(window, { late });
  });
}

test("a block of GPT runs on 64 devices, and the page is not held meanwhile", async ({ page }) => {
  const plan = runPage(page);
  await plan.open(addressOf(gpt));
  await isWhole(page);
  await watchLateness(page);
  const from = Date.now();
  await plan.run();
  const milliseconds = Date.now() - from;
  const late: readonly number[] = await page.evaluate("late");
  await expect(plan.verdict).toHaveAttribute("data-verdict", "equal");
  await expect(plan.verdict).toContainText("64 devices");
  await expect(plan.verdict).toHaveAttribute("data-engine", "webgpu");
  // On a busy machine single samples are late; a blocked page is late for the whole run.
  const held = late.filter((each) => each > 100).reduce((sum, each) => sum + each, 0);
  expect(held).toBeLessThan(milliseconds / 2);
});
