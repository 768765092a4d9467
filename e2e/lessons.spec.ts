import { expect, type Page, test } from "@playwright/test";
import { lessons } from "../src/app/lessons/lessons.ts";
import { onOnePage, perCase } from "./one-page.ts";
import { seriousFindings } from "./page-states.ts";
import { middleOf, type PlanPage, planPage, watchNoise } from "./plan-page.ts";

type Lesson = (typeof lessons)[number];

const panel = (page: Page) => page.getByRole("region", { name: "Lesson" });
const button = (page: Page, name: string | RegExp) =>
  panel(page).getByRole("button", { name, exact: typeof name === "string" });
const reveal = (page: Page) => page.getByTestId("lesson-reveal");
const grade = (page: Page) => page.getByTestId("lesson-grade");

async function openLesson(plan: PlanPage, id: string, step = 1): Promise<void> {
  await plan.openAnew(`/#lesson=${id}&step=${step}`);
  await expect(panel(plan.page)).toContainText(`Step ${step} of`);
  await expect(panel(plan.page)).not.toContainText("…");
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
  await button(page, "Reset this step").click();
  await plan.settle();
  expect(await plan.program()).toBe(lessons[0]?.texts["uncut"]);
  await test.step("an axis dropped on a dim of y meets the goal", async () => {
    const from = await middleOf(page.getByTestId("mesh-axis-d"));
    const to = await middleOf(page.getByTestId("dim-y-1").first());
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x - 4, to.y, { steps: 6 });
    await page.mouse.move(to.x, to.y);
    await page.mouse.up();
    await plan.settle();
    await expect(grade(page)).toContainText("Met.");
    await expect(reveal(page)).toContainText("w is the large one");
  });
  await button(page, /^Next lesson/).click();
  await expect(panel(page)).toContainText("The dim that is summed");
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

test("lesson 1 by keyboard alone", async ({ page }) => {
  const plan = planPage(page);
  await openLesson(plan, "one-matmul");
  const tabTo = async (name: RegExp) => {
    for (let press = 0; press < 80; press += 1) {
      const found = await page.evaluate(() => {
        const { activeElement } = document;
        if (activeElement === document.body) return "";
        const label = activeElement?.closest("label")?.textContent ?? "";
        return `${activeElement?.getAttribute("aria-label") ?? ""} ${activeElement?.textContent} ${label}`;
      });
      if (name.test(found)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`no ${name} by Tab`);
  };
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await tabTo(/None/);
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByLabel("Two")).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("lesson-verdict")).toContainText("Right.");
  await tabTo(/^ Go on/);
  await page.keyboard.press("Enter");
  await expect(panel(page)).toContainText("Step 2 of 2");
  await expect(page.locator(".lesson-say")).toBeFocused();
  await tabTo(/Hint/);
  await page.keyboard.press("Enter");
  await expect(panel(page)).toContainText("The first dim of y is m");
  await page.getByTestId("dim-y-0").first().focus();
  await page.keyboard.press("1");
  await plan.settle();
  await expect(grade(page)).toContainText("Met.");
  await expect(reveal(page)).toBeVisible();
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
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(over).toBe(0);
  });
});

/** Does what a step wants: by its solution, or as that looks at the plan or runs it. */
async function solve(plan: PlanPage, lesson: Lesson, at: number): Promise<void> {
  const { page } = plan;
  const act = lesson.steps[at]?.act;
  if (act === undefined) return;
  await expect(grade(page)).toHaveAttribute("data-met", "false");
  const { view, isEqual } = act.solved ?? {};
  if (view !== undefined) {
    for (let press = 0; press < 40; press += 1) {
      if ((await grade(page).getAttribute("data-met")) === "true") return;
      await page.getByTestId("step-next").click();
      await plan.settle();
    }
  } else if (isEqual === true) {
    await page.getByRole("button", { name: "Run", exact: true }).first().click();
    await plan.settle();
  } else {
    await plan.selectProgram();
    await plan.paste(lesson.texts[act.solution] ?? "");
    await plan.settle();
  }
  await expect(grade(page)).toHaveAttribute("data-met", "true");
}

async function goThrough(page: Page, lesson: Lesson): Promise<void> {
  const plan = planPage(page);
  await openLesson(plan, lesson.id);
  for (const [at, { ask }] of lesson.steps.entries()) {
    await test.step(`step ${at + 1}`, async () => {
      await expect(panel(page)).toContainText(`Step ${at + 1} of`);
      await plan.settle();
      await expect(panel(page)).not.toContainText("Working it out");
      if (at === 0) expect(await seriousFindings(page, ".lesson"), "as asked").toEqual([]);
      if (ask !== undefined) await button(page, "I do not know").click();
      await solve(plan, lesson, at);
      await expect(reveal(page)).toBeVisible();
      await expect(panel(page)).not.toContainText(/unknown|NaN|\{/);
      expect(await seriousFindings(page, ".lesson"), "as revealed").toEqual([]);
      if (at < lesson.steps.length - 1) await button(page, "Go on").click();
    });
  }
}

for (const [name, part] of [
  ["first half", lessons.slice(0, 8)],
  ["second half", lessons.slice(8)],
] as const) {
  test(
    `every step of every lesson is asked, solved and revealed, ${name}`,
    onOnePage(
      perCase(
        part,
        ({ id }) => id,
        ({ page }, lesson) => goThrough(page, lesson),
      ),
    ),
  );
}

test("a link opens a lesson at its step; one that there is none of is said", async ({ page }) => {
  const plan = planPage(page);
  await openLesson(plan, "zero", 3);
  await expect(panel(page)).toContainText("Go to the end of it");
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
  await expect(word).toContainText("PyTorch: all_gather_into_tensor.");
  await expect(word).toContainText("(n − 1)/n of the whole");
  await expect(word.locator("svg").first()).toBeVisible();
  expect(await seriousFindings(page, ".words")).toEqual([]);
  await sheet.getByRole("searchbox").fill("FSDP");
  await sheet.getByRole("button", { name: "ZeRO 3" }).click();
  await expect(word).toContainText("gathered each time that they are used");
  await expect(word.getByRole("img").first()).toBeVisible();
  await word.getByRole("button", { name: /^Lesson: ZeRO/ }).click();
  await expect(panel(page)).toContainText("ZeRO: no copy twice");
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

/** Right answers to what the first lessons ask, by what is pressed or written. */
const rightAnswers: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "one-matmul 1": (page) => panel(page).getByRole("radio", { name: "Two" }).check(),
  "summed-dim 1": (page) => panel(page).getByRole("textbox", { name: "Bytes" }).fill("3.15 MB"),
  "gather-travels 1": async (page) => {
    for (const name of ["Part 2 of 4", "Part 3 of 4"])
      await panel(page).getByRole("checkbox", { name }).check();
  },
  "rows-to-columns 1": (page) => panel(page).getByRole("radio", { name: "A quarter" }).check(),
  "columns-then-rows 1": (page) =>
    panel(page)
      .getByRole("radio", { name: /^By its rows/ })
      .check(),
  "columns-then-rows 3": async (page) => {
    for (let press = 0; press < 2; press += 1)
      await panel(page).getByRole("button", { name: "Move up: Rows of x cut" }).click();
    await panel(page).getByRole("button", { name: "Move up: Columns twice" }).click();
  },
};

test("lessons 1 to 5 by names and roles alone, each answered rightly", async ({ page }) => {
  test.setTimeout(240_000);
  const plan = planPage(page);
  const lesson = page.getByRole("region", { name: "Lesson" });
  await openLesson(plan, "one-matmul");
  for (const { id, title, steps, texts } of lessons.slice(0, 5)) {
    for (const [at, { ask, act }] of steps.entries()) {
      await expect(lesson.getByRole("heading", { name: title })).toBeVisible();
      await expect(lesson).toContainText(`Step ${at + 1} of`);
      if (ask !== undefined) {
        await rightAnswers[`${id} ${at + 1}`]?.(page);
        await lesson.getByRole("button", { name: "Answer", exact: true }).click();
        await expect(lesson.getByRole("status").filter({ hasText: "Right." })).toBeVisible();
      }
      const task = lesson.getByRole("region", { name: "Task" });
      if (act?.solved?.view !== undefined) {
        const met = task.getByRole("status").filter({ hasText: "Met." });
        for (let press = 0; press < 20 && !(await met.isVisible()); press += 1) {
          await page.getByRole("button", { name: "Next step" }).click();
          await plan.settle();
        }
      } else if (act !== undefined) {
        await expect(task.getByRole("status")).toContainText("Not yet");
        await page.getByRole("textbox", { name: "Program" }).focus();
        await page.keyboard.press("Control+A");
        await page.keyboard.insertText(texts[act.solution] ?? "");
        await plan.settle();
      }
      if (act !== undefined) await expect(task.getByRole("status")).toContainText("Met.");
      await lesson.getByRole("button", { name: /^Go on|^Next lesson/ }).click();
    }
  }
  await expect(lesson.getByRole("heading", { name: "One axis, one dim" })).toBeVisible();
});
