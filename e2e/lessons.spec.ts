import { expect, type Locator, type Page, test } from "@playwright/test";
import { challenges, lessons } from "../src/app/lessons/lessons.ts";
import { seriousFindings, seriousFindingsAsShown } from "./page-states.ts";
import { middleOf, type PlanPage, planPage, watchNoise } from "./plan-page.ts";

type Lesson = (typeof lessons)[number];
type Step = Lesson["steps"][number];
type Ask = NonNullable<Step["ask"]>;

const panel = (page: Page) => page.getByRole("region", { name: "Lesson" });
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

/** A line that meets the goal at its half, and not at its end. */
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

/** Goes on by Tab, in a group of choices by arrows, until the focus is there. */
async function goBy(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 25; presses += 1) {
    const at = await target.evaluate((wanted) => {
      const { activeElement: now } = document;
      if (now === wanted) return "there";
      const name = (each: Element | null) =>
        each?.matches("[type=radio]") && each.getAttribute("name");
      return name(now) && name(now) === name(wanted) ? "its group" : "elsewhere";
    });
    if (at === "there") return;
    await page.keyboard.press(at === "elsewhere" ? "Tab" : "ArrowDown");
  }
  throw new Error(`${target} is not reached by keys`);
}

/** How a reader presses a button or a field, writes into one, goes to the next step, and solves. */
interface Hand {
  readonly isOnKeys: boolean;
  readonly press: (target: Locator) => Promise<void>;
  readonly write: (target: Locator, text: string) => Promise<void>;
  readonly next: () => Promise<void>;
  readonly solve: (solution: string) => Promise<void>;
}

/** By keys alone; each press finds the focus where what is pressed is, by its role and name. */
function keysOf({ page, paste }: PlanPage): Hand {
  const press = async (target: Locator) => {
    await goBy(page, target);
    const isChoice = await target.evaluate((each) => each.matches("[type=radio], [type=checkbox]"));
    await page.keyboard.press(isChoice ? "Space" : "Enter");
  };
  return {
    isOnKeys: true,
    press,
    write: async (target, text) => {
      await goBy(page, target);
      await page.keyboard.type(text);
    },
    next: () => page.keyboard.press("."),
    solve: async (solution) => {
      await page.keyboard.press("e");
      await expect(page.getByRole("textbox", { name: "Program" })).toBeFocused();
      await page.keyboard.press("Control+A");
      await paste(solution);
      await page.keyboard.press("Control+K");
      await page.keyboard.type("lesson");
      await expect(page.getByRole("combobox", { name: "Find or do" })).toHaveValue("lesson");
      await page.keyboard.press("Enter");
      await expect(page.locator(".lesson-say")).toBeFocused();
    },
  };
}

/** By fingers alone; what a goal wants is looked up. */
function fingersOf({ page }: PlanPage): Hand {
  const press = (target: Locator) => target.tap();
  return {
    isOnKeys: false,
    press,
    write: (target, text) => target.fill(text),
    next: async () => {
      // A phone has its player where a step is looked at.
      const next = page.getByRole("button", { name: "Next step" });
      if (!(await next.isVisible()))
        await press(page.getByRole("button", { name: "Step through the program" }));
      await press(next);
    },
    solve: async () => {
      const solution = button(page, "Show a solution");
      for (let hint = 0; hint < 3 && !(await solution.isVisible()); hint += 1)
        await press(button(page, /^Hint|^Another hint/));
      await press(solution);
    },
  };
}

test("dims, sums and hops by keys, from a lesson and back", async ({ page }) => {
  const plan = planPage(page);
  await openLesson(plan, "one-matmul", 2);
  await page.keyboard.press("l");
  await expect(page.locator(".lesson-say")).toBeFocused();
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
    await expect(page.locator(".lesson-say")).toBeFocused();
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

/** Where the right answers stand that no data of a question says: cells, items from the largest, or a text. */
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
  const lesson = panel(page);
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

const task = (page: Page) => panel(page).getByRole("region", { name: "Task" }).getByRole("status");

/** Goes to the hop that a goal asks for, or runs the plan; else puts the solution there. */
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
  } else if (solved?.isEqual === true) await hand.press(button(page, "Run"));
  else await hand.solve(solution);
  await expect(met).toBeVisible();
}

/** What axe says of the lesson, once for each shape that it has, whatever the words in it. */
async function checkLooks(page: Page, seen: Set<string>): Promise<void> {
  const shape = shapeOf(await panel(page).evaluate(({ outerHTML }) => outerHTML));
  if (seen.has(shape)) return;
  seen.add(shape);
  expect(await seriousFindingsAsShown(page, ".lesson")).toEqual([]);
}

/** A part of a page without its texts, names and numbers, and of equal items and buttons in a row one. */
function shapeOf(html: string): string {
  return html
    .replaceAll(/(id|for|name|title|label|by|value)="[^"]+"/gu, "$1")
    .replaceAll(/>[^<]+/gu, ">·")
    .replaceAll(/<(code|b)\b[^>]*>·<\/\1>/gu, "")
    .replaceAll(/·+/gu, "·")
    .replaceAll(/(·?<button[^>]*class="word"[^>]*>·<\/button>·?)+/gu, "·a word·")
    .replaceAll(/(<(li|button)\b(?:(?!<\2\b).)*?<\/\2>)\1+/gu, "$1");
}

/** The parts of the page, but for the lesson, that show or speak a figure, with what it is made of opened. */
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

/** One step after the other to the end of a lesson: answered, solved and revealed. */
async function goThrough(plan: PlanPage, lesson: Lesson, hand: Hand, seen: Set<string>) {
  const { page } = plan;
  const { press } = hand;
  for (const [at, { show, ask, act }] of lesson.steps.entries()) {
    await test.step(`${lesson.id}, step ${at + 1}`, async () => {
      await expect(panel(page).getByRole("heading", { name: lesson.title })).toBeVisible();
      await expect(panel(page)).toContainText(`Step ${at + 1} of`);
      await expect(panel(page)).not.toContainText("Working it out");
      await expect(panel(page).locator("b", { hasText: /^…$/ })).toHaveCount(0);
      await checkLooks(page, seen);
      if (show.fault !== undefined) {
        await press(panel(page).getByRole("button", { name: "Run it broken" }));
        const outcome = page.getByTestId("run-panel").getByTestId("run-verdict");
        await expect(outcome).toHaveAttribute("data-verdict", "different");
        await expect(outcome).toBeInViewport();
      }
      const key = `${lesson.id} ${at + 1}`;
      const answer = `${rightAnswers[key]}`;
      const isWide = ask?.kind === "number" && hand.isOnKeys;
      if (isWide) expect(await saying(page, answer), "beside the question").toEqual([]);
      if (ask !== undefined) await answerRightly(page, ask, key, hand);
      if (isWide) expect(await saying(page, answer)).toContain("What the numbers are made of");
      if (act !== undefined) await reachGoal(plan, act, lesson.texts[act.solution] ?? "", hand);
      await expect(reveal(page)).toBeVisible();
      await expect(panel(page)).not.toContainText(/unknown|NaN|\{/);
      await checkLooks(page, seen);
      await press(button(page, /^Go on|^Next lesson|^Finish/));
    });
  }
}

/** All lessons one behind the other on a page that is loaded once, then all challenges. */
async function goThroughAll(plan: PlanPage, hand: Hand): Promise<void> {
  test.setTimeout(240_000);
  const { page } = plan;
  const seen = new Set<string>();
  for (const all of [lessons, challenges]) {
    await plan.open(`/#lesson=${all[0]?.id}`);
    for (const lesson of all) await goThrough(plan, lesson, hand, seen);
    await expect(panel(page)).toHaveCount(0);
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
