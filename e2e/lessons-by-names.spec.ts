import { expect, type Locator, type Page, test } from "@playwright/test";
import { challenges, lessons } from "../src/app/lessons/lessons.ts";
import { checkLooks, fingersOf, type Hand, keysOf, lessonOn } from "./lesson-hands.ts";
import { type PlanPage, planPage } from "./plan-page.ts";

type Lesson = (typeof lessons)[number];
type Step = Lesson["steps"][number];
type Ask = NonNullable<Step["ask"]>;

/** A part of the page as a screen reader announces it, once it has words. */
async function hears(part: Locator, what: RegExp): Promise<void> {
  await expect.poll(() => part.ariaSnapshot(), { timeout: 15_000 }).toMatch(what);
}

/** Words of a lesson in place of a missing figure, and words that no lesson may have. */
const unsaid = /Working it out|(?<!, |\()…|unknown|NaN|\{/u;

/** Waits until no figure of the lesson is missing. */
async function hearsAll(lesson: Locator): Promise<void> {
  await expect.poll(() => lesson.ariaSnapshot(), { timeout: 15_000 }).not.toMatch(unsaid);
}

/**
 * Right answers that a question's data do not contain: cells, items from the largest, or a text.
 */
const rightAnswers: Readonly<Record<string, string | readonly number[]>> = {
  "summed-dim 1": "3.15 MB",
  "gather-travels 1": [1, 2],
  "columns-then-rows 3": [0, 1, 2],
  "data-parallel 1": "470 MB",
  "layouts-from-a-document 1": [2],
  "challenge-meshes 1": [1, 0, 2],
};

/** Answers a question rightly, by names and roles. */
async function answerRightly(
  page: Page,
  ask: Ask,
  key: string,
  { press, write }: Hand,
): Promise<void> {
  const lesson = lessonOn(page);
  const right = rightAnswers[key] ?? [];
  if (ask.kind === "choice") {
    await press(lesson.getByRole("radio").nth(ask.options.findIndex(({ isRight }) => isRight)));
  } else if (ask.kind === "number") {
    await write(lesson.getByRole("textbox", { name: /^Bytes|^Seconds|^A number/ }), String(right));
  } else if (ask.kind === "cells") {
    for (const cell of right) await press(lesson.getByRole("checkbox").nth(Number(cell)));
  } else {
    for (const [place, item] of [...right].map(Number).entries()) {
      const name = ask.items[item]?.text.replaceAll("`", "") ?? "";
      const up = lesson.getByRole("button", { name: `Move up: ${name}`, exact: true });
      const rows = await lesson.getByRole("listitem").allInnerTexts();
      const from = rows.findIndex((text) => text.trim() === name);
      for (let at = from; at > place; at -= 1) await press(up);
    }
  }
  await press(lesson.getByRole("button", { name: "Answer", exact: true }));
  await expect(lesson.getByRole("status").filter({ hasText: /^Right\./ })).toBeVisible();
}

const task = (page: Page) =>
  lessonOn(page).getByRole("region", { name: "Task" }).getByRole("status");

/**
 * Moves to the hop that a goal asks for, or runs the plan; for other goals puts in the solution.
 */
async function reachGoal(
  plan: PlanPage,
  { solved }: NonNullable<Step["act"]>,
  solution: string,
  hand: Hand,
): Promise<void> {
  const { page } = plan;
  const met = task(page).filter({ hasText: "Met." });
  await expect(task(page).first()).toContainText("Not yet");
  if (solved?.view !== undefined) {
    for (let tries = 0; tries < 20 && !(await met.isVisible()); tries += 1) {
      await hand.next();
      await plan.settle();
    }
  } else if (solved?.isEqual === true)
    await hand.press(lessonOn(page).getByRole("button", { name: "Run", exact: true }));
  else await hand.solve(solution);
  await expect(met).toBeVisible();
}

/** Opens the parts of the communication, and returns the part of the page that lists them. */
async function whatIsSent(page: Page): Promise<Locator> {
  await page.keyboard.press("Control+K");
  await page.keyboard.type("communication is");
  await expect(page.getByRole("combobox", { name: "Find or do" })).toHaveValue("communication is");
  await page.keyboard.press("Enter");
  const table = page.getByRole("region", { name: "What the numbers are made of" });
  await expect(table).toBeFocused();
  return table;
}

/** Whether a figure is anywhere on the page, with the parts of the communication open. */
async function saysFigure(page: Page, figure: string): Promise<boolean> {
  await whatIsSent(page);
  const all = await page.ariaSnapshot();
  await page.keyboard.press("Escape");
  return all.includes(figure);
}

/** Goes step by step to the end of a lesson: answers, solves and reveals. */
async function goThrough(plan: PlanPage, lesson: Lesson, hand: Hand, seen: Set<string>) {
  const { page } = plan;
  const panel = lessonOn(page);
  for (const [at, { show, ask, act }] of lesson.steps.entries()) {
    await test.step(`${lesson.id}, step ${at + 1}`, async () => {
      await expect(panel.getByRole("heading", { name: lesson.title })).toBeVisible();
      await hears(panel, new RegExp(`Step ${at + 1} of ${lesson.steps.length}`));
      await hearsAll(panel);
      await checkLooks(page, seen);
      if (show.fault !== undefined) await runBroken(page, hand);
      if (ask !== undefined) await askedAndAnswered(page, ask, `${lesson.id} ${at + 1}`, hand);
      if (act !== undefined) await reachGoal(plan, act, lesson.texts[act.solution] ?? "", hand);
      await hears(panel.getByRole("status", { name: "What happened" }), /\w+/u);
      await hearsAll(panel);
      await checkLooks(page, seen);
      await hand.press(panel.getByRole("button", { name: /^Go on|^Next lesson|^Finish/ }));
    });
  }
}

/** Runs a plan without one of its steps, and looks at the result. */
async function runBroken(page: Page, { press }: Hand): Promise<void> {
  await press(lessonOn(page).getByRole("button", { name: "Run it broken" }));
  const run = page.getByRole("region", { name: "Run", exact: true });
  const outcome = run.getByRole("paragraph").filter({ hasText: /^Without .* device \d+ has/ });
  await expect(outcome).toBeInViewport();
}

/** A question; on a wide page, also that nothing beside it shows the number that it asks for. */
async function askedAndAnswered(page: Page, ask: Ask, key: string, hand: Hand): Promise<void> {
  const isWide = ask.kind === "number" && hand.isOnKeys;
  const figure = `${rightAnswers[key]}`;
  if (isWide) expect(await saysFigure(page, figure), "beside the question").toBe(false);
  await answerRightly(page, ask, key, hand);
  if (!isWide) return;
  await hears(await whatIsSent(page), new RegExp(figure));
  await page.keyboard.press("Escape");
}

/** All lessons one after the other on a page that is loaded once, then all challenges. */
async function goThroughAll(plan: PlanPage, hand: Hand): Promise<void> {
  test.setTimeout(240_000);
  const { page } = plan;
  const seen = new Set<string>();
  for (const all of [lessons, challenges]) {
    await plan.open(`/#lesson=${all[0]?.id}`);
    for (const lesson of all) await goThrough(plan, lesson, hand, seen);
    await expect(lessonOn(page)).toHaveCount(0);
  }
}

test("every lesson by keys, names and roles alone, each step answered rightly, solved and revealed", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const plan = planPage(page);
  await goThroughAll(plan, keysOf(plan));
});

test.describe("on a phone, in the dark", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("every lesson by touch, each step answered rightly, solved and revealed", async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    const plan = planPage(page);
    await goThroughAll(plan, fingersOf(plan));
  });
});
