import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { firstExample } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

/** A small GPT with its loss, written as people write one. */
const pasted = readFileSync("e2e/texts/gpt-with-loss.py", "utf8");

test("a GPT is pasted, its batch is cut, and the loss is all that is sent forward", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open(firstExample);
  await plan.selectProgram();
  await plan.paste(pasted);
  await expect(page.getByTestId("problems").locator("[data-severity]")).toHaveCount(0);
  expect(await plan.number("hud-comm")).toBe(0);

  await page.getByTestId("tensor-ids").click();
  await page.getByTestId("dim-ids-0").focus();
  await page.keyboard.press("1");
  await plan.settle();
  expect(await plan.program()).toBe(`${pasted}place(ids, layout("dp", "None"))\n`);
  const [first] = await plan.ranges("ids");
  expect(first).toEqual([
    [0, 4],
    [0, 64],
  ]);

  // Forward two scalars are reduced: the number of targets, and the sum of their losses; then the
  // gradients.
  const sent = (phase: string) =>
    page.getByTestId("step-list").locator(`optgroup[label="${phase}"] option`).allTextContents();
  await page.getByTestId("step-list").focus();
  await expect
    .poll(async () => (await sent("Forward")).filter((line) => line.includes("all-")))
    .toEqual(["2 all-reduce dp of loss.count, 6 B", "3 all-reduce dp of loss, 6 B"]);
  const gradients = await sent("Backward");
  expect(gradients.every((line) => line.includes("all-reduce dp"))).toBe(true);
});

test("what other systems would do with a cut loss stands beside it, on a phone too", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open("/#example=vocabulary-loss");
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByTestId("tensor-loss").click();
    const others = page.getByRole("region", { name: "In other systems" });
    await expect(others).toContainText(
      'DTensor gathers "b", unless it runs under loss_parallel().',
    );
    await expect(others).toContainText('nnScaler gathers "b"');
  }
});
