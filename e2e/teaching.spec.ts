import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { challenges, lessons } from "../src/app/lessons/lessons.ts";
import { seriousFindings } from "./page-states.ts";
import { planPage } from "./plan-page.ts";

const panel = (page: Page) => page.getByRole("region", { name: "Lesson" });
const [limit] = challenges;

test("a challenge is scored, its result is a link, and many of those are a table", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.openAnew("/#lesson=challenge-limit");
  await expect(panel(page)).toContainText("A. The limit decides");
  await expect(page.getByTestId("lesson-grade")).toContainText("Not yet");
  const solved = limit?.texts["solved"] ?? "";
  await test.step("a plan that meets the goal has a star, the best one three", async () => {
    await plan.selectProgram();
    await plan.paste(`${solved}strategy(a, a="tp")\n`);
    const score = page.getByTestId("lesson-score");
    await expect(score).toHaveAttribute("data-stars", "1");
    await expect(score).toContainText("which no plan goes below, by your");
    await plan.selectProgram();
    await plan.paste(solved);
    await expect(score).toHaveAttribute("data-stars", "3");
    await expect(score).toContainText("It is proven that none is better.");
    expect(await seriousFindings(page, ".lesson")).toEqual([]);
  });
  const link = await test.step("the end of it is a link that says what it proves", async () => {
    await expect(page.getByTestId("lesson-result")).toContainText(
      "proves nothing about who did it",
    );
    await page.getByRole("button", { name: "Copy result link" }).click();
    await expect(page.getByTestId("lesson-result")).toContainText("Copied");
    return await page.evaluate(() => navigator.clipboard.readText());
  });
  await page.getByRole("button", { name: "Examples" }).click();
  await expect(page.getByTestId("lesson-card-challenge-limit")).toContainText("3 of 3 stars");
  await test.step("the link opens the table, and more are pasted beside it", async () => {
    await plan.openAnew(link.slice(link.indexOf("/#")));
    const table = page.getByTestId("results");
    await expect(table.getByRole("row")).toHaveCount(2);
    const box = page.getByRole("textbox", { name: /Result links/ });
    await box.fill(`Ada, ${link}\nBob ${link.slice(0, -9)}\nnothing\n${link} Cy\n`);
    await expect(page.getByRole("status").filter({ hasText: "2 graded, 2 not" })).toBeVisible();
    await expect(table).toContainText("the link is damaged");
    await expect(table).toContainText("no result link stands here");
    await table.getByRole("button", { name: "Name" }).click();
    await table.getByRole("button", { name: "Name" }).click();
    await expect(table.getByRole("row").nth(1)).toContainText("nothing");
    expect(await seriousFindings(page, ".results")).toEqual([]);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    const csv = await readFile(await (await saved).path(), "utf8");
    expect(csv.split("\r\n")).toHaveLength(6);
    expect(csv).toContain("Ada,The limit decides,0,0,1,1,3,1,");
  });
});

test("what was done is taken to another browser, and a lesson is printed with room for answers", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.openAnew("/#lesson=gather-travels");
  await expect(panel(page)).not.toContainText("Working it out");
  await page.emulateMedia({ media: "print" });
  const handout = page.getByTestId("handout");
  await expect(handout).toContainText("Answers: How a gather travels");
  await expect(handout).toContainText("Part 2 of 4; Part 3 of 4");
  await expect(handout).not.toContainText(/unknown|NaN|\{|once more/);
  await expect(handout.locator("img")).toHaveCount(1);
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "Examples" }).click();
  const gallery = page.getByTestId("gallery");
  await gallery.getByRole("button", { name: "Take over from another browser" }).click();
  const box = gallery.getByRole("textbox", { name: /The text of the file/ });
  await box.fill("nonsense");
  await gallery.getByRole("button", { name: "Add it" }).click();
  await expect(gallery).toContainText("This is no progress");
  await box.fill('{"done": ["zero"], "stars": {"challenge-meshes": 2}}');
  await gallery.getByRole("button", { name: "Add it" }).click();
  await expect(gallery).toContainText("Added to what was done here.");
  await gallery.getByRole("searchbox").fill("three meshes");
  await expect(page.getByTestId("lesson-card-challenge-meshes")).toContainText("2 of 3 stars");
});

test("a lesson is written beside what its reader sees, tried, and sent as a link", async ({
  page,
}) => {
  const plan = planPage(page);
  const [first] = lessons;
  const board = first?.texts["uncut"] ?? "";
  await plan.openAnew(`/#src=${encodeURIComponent(board)}`);
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("button", { name: "Write a lesson" }).click();
  const sheet = page.getByRole("dialog", { name: "Write a lesson" });
  const text = sheet.getByRole("textbox", { name: /The lesson as text/ });
  await expect(sheet.getByTestId("lesson-faults")).toContainText("The lesson is sound");
  await expect(sheet.getByTestId("lesson")).toContainText("a plan on 4 devices that sends 0 B");
  await test.step("what is wrong is said with its place", async () => {
    const sound = await text.inputValue();
    await text.fill(sound.replace('"kind": "number"', '"kind": "essay"'));
    await expect(sheet.getByTestId("lesson-faults")).toHaveAttribute("data-count", "1");
    await expect(sheet).toContainText("lesson.steps[0].ask.kind must be one of choice, number");
    await text.fill(sound.replace("{bytes:exact}", "{bites}"));
    await expect(sheet).toContainText('step 1: {bites}: "bites" is no term');
    await text.fill(sound);
  });
  await test.step("the board becomes the solution, and loose goals show themselves", async () => {
    await page.keyboard.press("Escape");
    await plan.selectProgram();
    await plan.paste(`${board}strategy(y, n="d")\n`);
    await page.getByRole("button", { name: "Examples" }).click();
    await page.getByRole("button", { name: "Write a lesson" }).click();
    await sheet.getByRole("button", { name: "Use the board as this step’s solution" }).click();
    await expect(sheet).toContainText("step 1: its start meets the goal already");
    await text.fill(
      (await text.inputValue()).replace("ok and same(program)", "ok and compute < start(compute)"),
    );
    await expect(sheet.getByTestId("lesson-faults")).toContainText("The lesson is sound");
    await sheet.getByRole("button", { name: "Try wrong answers" }).click();
    await expect(sheet.getByTestId("tried-plans")).toContainText("plans pass: is that meant?");
    await expect(sheet).toContainText("the solution without “y = matmul(x, w)”");
    expect(await seriousFindings(page, ".lesson-editor")).toEqual([]);
  });
  await sheet.getByRole("button", { name: "Copy link" }).click();
  await expect(sheet.getByRole("button", { name: "Copied" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => localStorage.clear());
  await plan.openAnew(`${link.slice(link.indexOf("/#"))}&step=1`);
  await expect(panel(page)).toContainText("A lesson of mine");
  expect(await plan.program()).toBe(board);
  await plan.openAnew(link.slice(link.indexOf("/#"), -20));
  await expect(page.getByTestId("text-note-no-lesson")).toContainText(
    "The lesson of this link cannot be read: the link is damaged",
  );
});
