import { expect, type Locator, type Page } from "@playwright/test";
import { seriousFindingsAsShown } from "./page-states.ts";
import type { PlanPage } from "./plan-page.ts";

/** Open lesson. */
export const lessonOn = (page: Page) => page.getByRole("region", { name: "Lesson" });

/** First paragraph of a step, which has the focus when the step begins. */
export const saidIn = (page: Page) => lessonOn(page).getByRole("paragraph").first();

/**
 * Moves the focus to an element by Tab, inside a radio group by arrow keys; fails after 25 presses.
 */
export async function goBy(page: Page, target: Locator): Promise<void> {
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

/**
 * Input method of a reader: presses, writes, goes to the next step of the plan, and solves a task.
 */
export interface Hand {
  readonly isOnKeys: boolean;
  readonly press: (target: Locator) => Promise<void>;
  readonly write: (target: Locator, text: string) => Promise<void>;
  readonly next: () => Promise<void>;
  readonly solve: (solution: string) => Promise<void>;
}

/**
 * Goes through lessons by keys alone; elements are found by role and name, and each press needs the
 * focus on its element.
 */
export function keysOf({ page, paste }: PlanPage): Hand {
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
      await expect(saidIn(page)).toBeFocused();
    },
  };
}

/** Goes through lessons by touch alone; tasks are solved by the solution that the hints reveal. */
export function fingersOf({ page }: PlanPage): Hand {
  const press = (target: Locator) => target.tap();
  return {
    isOnKeys: false,
    press,
    write: (target, text) => target.fill(text),
    next: async () => {
      // On a phone the player appears once a step is open.
      const next = page.getByRole("button", { name: "Next step" });
      if (!(await next.isVisible()))
        await press(page.getByRole("button", { name: "Step through the program" }));
      await press(next);
    },
    solve: async () => {
      const lesson = lessonOn(page);
      const solution = lesson.getByRole("button", { name: "Show a solution" });
      for (let hint = 0; hint < 3 && !(await solution.isVisible()); hint += 1)
        await press(lesson.getByRole("button", { name: /^Hint|^Another hint/ }));
      await press(solution);
    },
  };
}

/** Runs axe on the lesson, once for each structure of its markup. */
export async function checkLooks(page: Page, seen: Set<string>): Promise<void> {
  const shape = shapeOf(await lessonOn(page).evaluate(({ outerHTML }) => outerHTML));
  if (seen.has(shape)) return;
  seen.add(shape);
  expect(await seriousFindingsAsShown(page, ".lesson")).toEqual([]);
}

/**
 * Structure of markup: without texts, names and numbers; adjacent equal items and buttons count
 * once.
 */
function shapeOf(html: string): string {
  return html
    .replaceAll(/(id|for|name|title|label|by|value)="[^"]+"/gu, "$1")
    .replaceAll(/>[^<]+/gu, ">·")
    .replaceAll(/<(code|b)\b[^>]*>·<\/\1>/gu, "")
    .replaceAll(/·+/gu, "·")
    .replaceAll(/(·?<button[^>]*class="word"[^>]*>·<\/button>·?)+/gu, "·a word·")
    .replaceAll(/(<(li|button)\b(?:(?!<\2\b).)*?<\/\2>)\1+/gu, "$1");
}
