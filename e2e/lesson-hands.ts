import { expect, type Locator, type Page } from "@playwright/test";
import { seriousFindingsAsShown } from "./page-states.ts";
import type { PlanPage } from "./plan-page.ts";

/** The lesson that is open. */
export const lessonOn = (page: Page) => page.getByRole("region", { name: "Lesson" });

/** The first words of a step, which have the focus when it begins. */
export const saidIn = (page: Page) => lessonOn(page).getByRole("paragraph").first();

/** Moves the focus to an element by Tab, and within a group of choices by arrows. */
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

/** A reader's actions: press a button or a field, type, go to the next step, and solve. */
export interface Hand {
  readonly isOnKeys: boolean;
  readonly press: (target: Locator) => Promise<void>;
  readonly write: (target: Locator, text: string) => Promise<void>;
  readonly next: () => Promise<void>;
  readonly solve: (solution: string) => Promise<void>;
}

/**
 * Goes through lessons by keys alone; each key press moves the focus to an element named by role
 * and name.
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

/** Goes through lessons by touch alone; the moves for a goal come from a table. */
export function fingersOf({ page }: PlanPage): Hand {
  const press = (target: Locator) => target.tap();
  return {
    isOnKeys: false,
    press,
    write: (target, text) => target.fill(text),
    next: async () => {
      // On a phone the player appears with the walk through the program.
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

/** Axe's findings in the lesson, once for each structure that it has, whatever its words. */
export async function checkLooks(page: Page, seen: Set<string>): Promise<void> {
  const shape = shapeOf(await lessonOn(page).evaluate(({ outerHTML }) => outerHTML));
  if (seen.has(shape)) return;
  seen.add(shape);
  expect(await seriousFindingsAsShown(page, ".lesson")).toEqual([]);
}

/**
 * The structure of a part of a page: without texts, names and numbers, and with equal neighbours
 * merged.
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
