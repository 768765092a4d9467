import { readFileSync } from "node:fs";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { lessons } from "../src/app/lessons/lessons.ts";
import { goBy, lessonOn, saidIn } from "./lesson-hands.ts";
import { seriousFindings } from "./page-states.ts";
import { middleOf, type PlanPage, planPage, watchNoise } from "./plan-page.ts";

const panel = lessonOn;
const button = (page: Page, name: string | RegExp) =>
  panel(page).getByRole("button", { name, exact: typeof name === "string" });
const reveal = (page: Page) => page.getByTestId("lesson-reveal");
const grade = (page: Page) => page.getByTestId("lesson-grade");

async function openLesson(plan: PlanPage, id: string, step = 1): Promise<void> {
  await plan.openAnew(`/#lesson=${id}&step=${step}`);
  await expect(panel(plan.page)).toContainText(`Step ${step} of`);
  await expect(panel(plan.page).locator("b", { hasText: /^…$/ })).toHaveCount(0);
}

async function dragTo(page: Page, what: Locator, where: Locator): Promise<void> {
  const [from, to] = [await middleOf(what), await middleOf(where)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x - 4, to.y, { steps: 6 });
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
}

/** A line that meets the goal when half of it is typed, and not when it is complete. */
async function typeHalfALine(plan: PlanPage): Promise<void> {
  const { page } = plan;
  await test.step("half of a line that is being typed does not end the step", async () => {
    await button(page, "Reset this step").click();
    await plan.settle();
    await plan.selectProgram();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type('strategy(y, m="d"', { delay: 40 });
    await expect(grade(page)).toContainText("Met.");
    await page.keyboard.type(', n="d"', { delay: 40 });
    await expect(grade(page)).toContainText("Not yet");
    await expect(reveal(page)).toHaveCount(0);
  });
}

test("lesson 1 by mouse, from the first visit to its end, and back to the plan before", async ({
  page,
}) => {
  const noise = watchNoise(page);
  const plan = planPage(page);
  await plan.open();
  const before = await plan.program();
  await page
    .getByTestId("welcome")
    .getByRole("button", { name: /First lesson/ })
    .click();
  await expect(panel(page)).toContainText("Step 1 of 2");
  await expect(page).toHaveURL(/#lesson=one-matmul$/);
  await test.step("a wrong choice has its own sentence, and is locked", async () => {
    await page.getByLabel("All three").check();
    await button(page, "Answer").click();
    await expect(page.getByTestId("lesson-verdict")).toContainText("the parts have to be added");
    await expect(page.getByLabel("Two")).toBeDisabled();
    await expect(reveal(page)).toContainText("Two: m and n.");
  });
  await button(page, "Go on").click();
  await expect(page).toHaveURL(/#lesson=one-matmul&step=2$/);
  await expect(grade(page)).toContainText("Not yet: computes for");
  await test.step("the summed dim is graded at once, with its value", async () => {
    await plan.selectProgram();
    await plan.paste(`${lessons[0]?.texts["summed"]}`);
    await plan.settle();
    await expect(grade(page)).toContainText("Not yet: sends 3.15 MB, wanted 0 B.");
  });
  await typeHalfALine(plan);
  await button(page, "Reset this step").click();
  await plan.settle();
  expect(await plan.program()).toBe(lessons[0]?.texts["uncut"]);
  await test.step("an axis dropped on a dim of y meets the goal", async () => {
    await dragTo(page, page.getByTestId("mesh-axis-d"), page.getByTestId("dim-y-1").first());
    await plan.settle();
    await expect(grade(page)).toContainText("Met.");
    await expect(reveal(page)).toContainText("w is the large one");
  });
  await test.step("a reset makes it a step that is to be done", async () => {
    await button(page, "Reset this step").click();
    await plan.settle();
    await expect(reveal(page)).toHaveCount(0);
    await dragTo(page, page.getByTestId("mesh-axis-d"), page.getByTestId("dim-y-1").first());
  });
  await button(page, /^Next lesson/).click();
  await expect(panel(page)).toContainText("The dim that is summed");
  await test.step("the axis of a sum dropped on a dim adds the parts into its blocks", async () => {
    await button(page, "I do not know").click();
    await button(page, "Go on").click();
    await dragTo(page, page.getByTestId("sum-y-d"), page.getByTestId("dim-y-1").first());
    await plan.settle();
    await expect(grade(page)).toContainText("Met.");
    expect(await plan.program()).toContain('place(y, layout("None", "d"))');
  });
  await button(page, "Leave the lesson").click();
  await expect(panel(page)).toHaveCount(0);
  await plan.settle();
  expect(await plan.program()).toBe(before);
  const kept = await page.evaluate(() => Object.keys(localStorage));
  expect(kept.filter((key) => key.includes("text"))).toEqual([]);
  await page.getByRole("button", { name: "Examples" }).click();
  await expect(page.getByTestId("lesson-card-one-matmul")).toContainText("done");
  await expect(page.getByTestId("lesson-card-summed-dim")).not.toContainText("done");
  expect(noise).toEqual([]);
});

/**
 * The parts of the page outside of the lesson that show or announce a figure, with its parts
 * opened.
 */
async function saying(page: Page, figure: string): Promise<readonly string[]> {
  await page.keyboard.press("Control+K");
  await page.keyboard.type("communication is");
  await expect(page.getByRole("combobox", { name: "Find or do" })).toHaveValue("communication is");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("cost-table")).toBeFocused();
  const parts = await page.evaluate((text) => {
    const has = (value: string | null) => value?.includes(text) === true;
    const says = (each: Element) =>
      [...each.childNodes].some((node) => node.nodeType === 3 && has(node.textContent)) ||
      each.getAttributeNames().some((name) => has(each.getAttribute(name)));
    const all = [...document.querySelectorAll("body *:not(.lesson, .lesson *)")].filter(says);
    return all.map((each) => each.closest("section, aside")?.ariaLabel ?? each.tagName);
  }, figure);
  await page.keyboard.press("Escape");
  return parts;
}

test("nothing on the page shows or speaks the figure that a question asks for", async ({
  page,
}) => {
  const plan = planPage(page);
  await openLesson(plan, "summed-dim");
  expect(await saying(page, "3.15 MB")).toEqual([]);
  await button(page, "I do not know").click();
  expect(await saying(page, "3.15 MB")).toContain("What the numbers are made of");
});

test("dims, sums and hops by keys, from a lesson and back", async ({ page }) => {
  const plan = planPage(page);
  await openLesson(plan, "one-matmul", 2);
  await page.keyboard.press("l");
  await expect(saidIn(page)).toBeFocused();
  await goBy(page, button(page, /^To the dims of y/));
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("dim-y-0").first()).toBeFocused();
  await page.keyboard.press("1");
  await plan.settle();
  await expect(grade(page)).toContainText("Met.");
  await expect(reveal(page)).toBeVisible();
  await test.step("the parts of a sum are added into blocks of a dim", async () => {
    await openLesson(plan, "summed-dim", 2);
    await page.keyboard.press("t");
    await expect(page.getByTestId("dim-y-0").first()).toBeFocused();
    await page.keyboard.press("Alt+ArrowDown");
    const choices = page.getByRole("dialog", { name: "Split y.m" }).getByRole("button");
    await expect(choices.first()).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await plan.settle();
    await expect(grade(page)).toContainText("Met.");
    await page.keyboard.press("l");
    await expect(saidIn(page)).toBeFocused();
  });
  await test.step("a key goes on by a hop of a ring", async () => {
    await openLesson(plan, "gather-travels", 2);
    await expect(page.getByRole("button", { name: "Next hop" })).toBeEnabled();
    for (const said of ["hop 1", "hop 2", "Met."]) {
      await page.keyboard.press(">");
      await expect(grade(page)).toContainText(said);
    }
    await page.keyboard.press("<");
    await expect(grade(page)).toContainText("it stands behind hop 2");
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("lesson 1 by touch", async ({ page }) => {
    const plan = planPage(page);
    await openLesson(plan, "one-matmul");
    await page.getByLabel("Two").tap();
    await button(page, "Answer").tap();
    await expect(reveal(page)).toBeInViewport();
    await button(page, "Go on").tap();
    await expect(panel(page)).toContainText("Step 2 of 2");
    await button(page, "Fold the lesson").tap();
    await page.getByTestId("dim-y-1").first().tap();
    await page.getByRole("dialog", { name: "Split y" }).getByRole("button", { name: "d" }).tap();
    await plan.settle();
    await button(page, "Unfold the lesson").tap();
    await expect(grade(page)).toContainText("Met.");
    await expect(reveal(page)).toContainText("w is the large one");
    await openLesson(plan, "summed-dim", 2);
    await button(page, "Fold the lesson").tap();
    await page.getByTestId("dim-y-1").first().tap();
    await page.getByRole("button", { name: "Add the parts into blocks" }).tap();
    await plan.settle();
    await button(page, "Unfold the lesson").tap();
    await expect(grade(page)).toContainText("Met.");
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(over).toBe(0);
  });
});

test("the journey by names and roles finds and reads no part of the page otherwise", () => {
  const source = readFileSync(new URL("lessons-by-names.spec.ts", import.meta.url), "utf8");
  expect(source).toContain("getByRole");
  expect(source).not.toMatch(/getBy(?!Role)|locator\(|evaluate|\$\(|toHaveAttribute|toHaveCSS/u);
});

test("a link opens a lesson at its step; one that there is none of is said", async ({ page }) => {
  const plan = planPage(page);
  await openLesson(plan, "zero", 3);
  await expect(panel(page)).toContainText("to the end of it");
  await plan.openAnew("/#lesson=zero&step=99");
  await expect(panel(page)).toContainText("Step 3 of 3");
  await plan.openAnew("/#lesson=nonexistent");
  await expect(page.getByTestId("text-note-no-lesson")).toContainText(
    "There is no lesson named “nonexistent”.",
  );
  await expect(panel(page)).toHaveCount(0);
});

test("Back and Forward go through the steps, and what was answered stays", async ({ page }) => {
  const plan = planPage(page);
  await openLesson(plan, "one-matmul");
  await page.getByLabel("Two").check();
  await button(page, "Answer").click();
  await button(page, "Go on").click();
  await expect(panel(page)).toContainText("Step 2 of 2");
  await page.goBack();
  await expect(panel(page)).toContainText("Step 1 of 2");
  await expect(page.getByTestId("lesson-verdict")).toContainText("Right.");
  await page.goForward();
  await expect(panel(page)).toContainText("Step 2 of 2");
});

test("words of lessons say what they mean, and the sheet of words has all of it", async ({
  page,
}) => {
  const plan = planPage(page);
  await openLesson(plan, "summed-dim");
  await panel(page).getByRole("button", { name: "all-reduce" }).focus();
  await expect(page.getByRole("tooltip").filter({ hasText: "JAX: psum" })).toBeVisible();
  await plan.openAnew("/#word=all-gather");
  const sheet = page.getByRole("dialog", { name: "Words" });
  const word = sheet.getByTestId("word");
  const names = word.getByRole("term").filter({ hasText: "PyTorch" });
  await expect(names).toHaveCount(1);
  await expect(word).toContainText("all_gather_into_tensor");
  await expect(word).toContainText("(n − 1)/n of the whole");
  await expect(word.locator("svg").first()).toBeVisible();
  expect(await seriousFindings(page, ".words")).toEqual([]);
  await sheet.getByRole("searchbox").fill("FSDP");
  await sheet.getByRole("button", { name: "ZeRO 3" }).click();
  await expect(word).toContainText("gathered each time that they are used");
  await expect(word.getByRole("img").first()).toBeVisible();
  await word.getByRole("button", { name: /^Lesson: ZeRO/ }).click();
  await expect(panel(page)).toContainText("ZeRO: no copy twice");
  await test.step("by its name from anywhere, and from the list of keys", async () => {
    await plan.openAnew("/#example=two-matmuls");
    await page.keyboard.press("Control+K");
    await page.keyboard.type("reduce-scatter means");
    await page.getByRole("option", { name: /What “reduce-scatter” means/ }).click();
    await expect(word).toContainText("every device keeps one piece");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.getByRole("button", { name: "Words of the field" }).click();
    await expect(sheet).toBeVisible();
  });
  await plan.openAnew("/#word=nonsense");
  await expect(word).toContainText("There is no word “nonsense” here.");
});

test("a link may have a lesson of its own inside; one that cannot be read says why", async ({
  page,
}) => {
  const plan = planPage(page);
  const [first] = lessons;
  const mine = { ...first, id: "mine", title: "A lesson of mine", needs: [] };
  await plan.openAnew(`/#lesson=${encodeURIComponent(JSON.stringify(mine))}&step=2`);
  await expect(panel(page)).toContainText("A lesson of mine");
  await expect(panel(page)).toContainText("Step 2 of 2");
  await expect(grade(page)).toContainText("Not yet");
  await plan.selectProgram();
  await plan.paste(first?.texts["rows"] ?? "");
  await expect(grade(page)).toContainText("Met.");
  await expect(button(page, "Finish")).toBeVisible();
  const broken = { ...mine, script: "alert(1)" };
  await plan.openAnew(`/#lesson=${encodeURIComponent(JSON.stringify(broken))}`);
  await expect(page.getByTestId("text-note-no-lesson")).toContainText(
    "The lesson of this link cannot be read: lesson has no field script.",
  );
});
