import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { dropFile } from "./drop-file.ts";
import { planPage, watchNoise } from "./plan-page.ts";

const gpt = readFileSync(new URL("./texts/gpt-24.py", import.meta.url), "utf8");
const llama = "/#example=llama3-70b";

const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).first().boundingBox();
  if (found === null) throw new Error(`${selector} is not drawn`);
  return found;
};

test("from a step of a large net the next ones follow in the same place", async ({ page }) => {
  const noise = watchNoise(page);
  const plan = planPage(page);
  await plan.open(llama);
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  await expect(tab("One step")).toHaveAttribute("aria-selected", "true");
  await page.getByTestId("redist-0").click();
  for (let press = 0; press < 5; press += 1) {
    await page.getByTestId("step-next").click();
    await plan.settle();
    await expect(tab("Steps")).toHaveAttribute("aria-selected", "true");
  }
  await expect(page.getByTestId("step-next")).toBeFocused();
  await page.getByTestId("operator-loss").click();
  await expect(tab("Steps")).toHaveAttribute("aria-selected", "true");
  expect(noise).toEqual([]);
});

test("what is read below the step in time ends before its edge, with the way to what runs", async ({
  page,
}) => {
  const plan = planPage(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await plan.open(llama);
  await page.getByTestId("timeline-readout").waitFor();
  const [line, button] = [await box(page, ".readout"), await box(page, ".readout .lk")];
  expect(button.y + button.height).toBeLessThanOrEqual(line.y + line.height + 4);
  expect(button.x + button.width).toBeLessThanOrEqual(line.x + line.width + 1);
});

test("a plan of which a part is left out is told, weighed and called by what the rest takes", async ({
  page,
}) => {
  test.slow();
  const plan = planPage(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await plan.open(`/#src=${encodeURIComponent(gpt)}`);
  await page.getByTestId("plan-start").click();
  const parts = page.getByTestId("plan-parts");
  await expect(parts).toHaveAttribute("aria-busy", "false", { timeout: 90_000 });
  const region = page.getByRole("region", { name: "Planner" });
  await expect(page.getByTestId("plan-sentences")).toContainText("HSDP over dp, tp in blocks");
  const mlp = page.locator('[data-testid="plan-part"][data-key="blocks[*].mlp"]');
  await mlp.getByRole("checkbox").uncheck();
  await expect(page.getByTestId("plan-sentences")).toContainText("of 2.02 s", { timeout: 60_000 });
  await expect(page.getByTestId("plan-sentences")).not.toContainText("HSDP");
  await expect(page.getByTestId("plan-gap")).toContainText(
    "With all of its parts it takes 53.2 ms",
  );
  await expect(region).toContainText("The fullest device holds 121 GB");
  await page.getByTestId("plan-apply").click();
  await plan.settle();
  await expect(page.getByTestId("hud-memory")).toContainText("121 GB");
  await expect(page.getByTestId("hud-delta")).toContainText("Part of a plan of 2.02 s");
});

for (const [width, height] of [
  [834, 1112],
  [720, 450],
] as const) {
  test(`nothing of the bar at ${width} touches its neighbour`, async ({ page }) => {
    const plan = planPage(page);
    await page.setViewportSize({ width, height });
    await plan.open(llama);
    // A button's contents must lie inside it, with the padding at both ends.
    const tight = await page.locator(".top .l .btn").evaluateAll((buttons) =>
      buttons
        .filter((button) => {
          const { left, right } = button.getBoundingClientRect();
          const parts = [...button.childNodes].map((part) => {
            const range = document.createRange();
            range.selectNode(part);
            return part instanceof Element
              ? part.getBoundingClientRect()
              : range.getBoundingClientRect();
          });
          return parts.some((part) => part.left < left + 4 || part.right > right - 4);
        })
        .map((button) => button.textContent),
    );
    expect(tight).toEqual([]);
  });
}

test("the cast of the logits takes time without a row, which the foot of the board says", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open(`/#src=${encodeURIComponent(gpt)}`);
  const views = page.getByRole("button", { name: /views hidden/u });
  await expect(views).toHaveText(/^243 views hidden, \d+\.\d ms$/u);
});

test("of a file only that is chosen which it leaves open", async ({ page }) => {
  const plan = planPage(page);
  await plan.open("/#new");
  const config = { model_type: "vit", architectures: ["ViTForImageClassification"] };
  await dropFile(page, "config.json", "application/json", Buffer.from(JSON.stringify(config)));
  const note = page.getByTestId("published-note");
  await expect(note.getByLabel("Batch")).toBeVisible();
  await expect(note.getByLabel("Sequence")).toHaveCount(0);
});

test("by keys alone: what is pressed and goes passes the focus on", async ({ page }) => {
  const plan = planPage(page);
  const faulty = `mesh = Mesh(dp=2)
x = Tensor((8, 4096))
w = Parameter((4096, 4096))
y = matmul(x, w)
place(x, layout("ep", "None"))
z = rellu(y)
`;
  await plan.open(`/#src=${encodeURIComponent(faulty)}`);
  const problems = page.getByTestId("problems");
  const fixes = problems.getByRole("button", { name: /^Write/u });
  const before = await fixes.count();
  expect(before).toBeGreaterThan(1);
  await fixes.first().focus();
  await page.keyboard.press("Enter");
  await plan.settle();
  await expect(fixes).toHaveCount(before - 1);
  await expect(fixes.first()).toBeFocused();
  for (let left = before - 1; left > 0; left -= 1) {
    await page.keyboard.press("Enter");
    await plan.settle();
  }
  await expect(problems).toContainText("None");
  await expect(problems).toBeFocused();

  const compare = page.getByTestId("compare");
  await compare.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Close the variants" }).focus();
  await page.keyboard.press("Enter");
  await expect(compare).toBeFocused();

  await page.getByTestId("plan-start").focus();
  await page.keyboard.press("Enter");
  await page.getByTestId("plan-apply").focus();
  await page.keyboard.press("Enter");
  await plan.settle();
  await expect(page.getByTestId("plan-undo")).toBeFocused();
  await page.keyboard.press("Enter");
  await plan.settle();
  await expect(page.getByTestId("plan-apply")).toBeFocused();
});
