import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { dropFile } from "./drop-file.ts";
import { firstExample, onOnePage } from "./one-page.ts";
import { type PlanPage, planPage } from "./plan-page.ts";

const first = "mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)\n";
const second = "mesh = Mesh(mp=4)\na = Tensor((16, 4))\nb = gelu(a)\n";

const plansSheet = (page: Page) => page.getByRole("dialog", { name: "Plans" });
const rows = (page: Page) => page.getByTestId("plan-row");

/** Replaces the program, and types a few characters behind it as a person would. */
async function write(plan: PlanPage, text: string, typed = ""): Promise<void> {
  await plan.selectProgram();
  await plan.paste(text);
  if (typed === "") return;
  await plan.page.keyboard.press("Control+End");
  await plan.page.keyboard.type(typed);
  await plan.settle();
}

async function openPlans(page: Page): Promise<void> {
  await page.keyboard.press("Control+Shift+O");
  await expect(plansSheet(page)).toBeVisible();
}

/** The names in the list of plans, the newest first. */
async function planNames(page: Page): Promise<readonly string[]> {
  await openPlans(page);
  const names = await rows(page).locator("b").allTextContents();
  await page.keyboard.press("Escape");
  await expect(plansSheet(page)).toHaveCount(0);
  return names;
}

/** The address of the shown text, as a link for someone else. */
async function shared(page: Page): Promise<string> {
  await page.getByTestId("share-link").click();
  const address = await page.getByTestId("share-url").inputValue();
  await page.keyboard.press("Escape");
  return new URL(address).hash;
}

/** Two tabs of one browser profile, each at the address. */
async function twoTabs(context: BrowserContext, address: string): Promise<[PlanPage, PlanPage]> {
  const [one, two] = [planPage(await context.newPage()), planPage(await context.newPage())];
  await one.open(address);
  await two.open(address);
  return [one, two];
}

/**
 * A tab gets the focus when a person comes to it; without a window the browser does not report
 * that.
 */
async function comeTo({ page, settle }: PlanPage): Promise<void> {
  await page.bringToFront();
  await page.evaluate(() => {
    dispatchEvent(new Event("focus"));
    return navigator.locks.query().then(() => undefined);
  });
  await settle();
}

/** Fills the page's storage but for a few characters. */
function fill(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (let length = 2 ** 22; length >= 1; length /= 2) {
      for (let at = 0; at < 8; at += 1) {
        try {
          localStorage.setItem(`filler.${length}.${at}`, "x".repeat(length));
        } catch {
          break;
        }
      }
    }
  });
}

test.describe("two tabs", () => {
  test("on one plan: neither overwrites the other, and both are still there after a reload", async ({
    browser,
  }) => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const begun = planPage(await context.newPage());
    await begun.open();
    await write(begun, first);
    await begun.page.close();
    const [one, two] = await twoTabs(context, "/");
    expect([await one.program(), await two.program()]).toEqual([first, first]);
    await comeTo(one);
    await write(one, first, "# one");
    await expect(one.page.getByTestId("text-note-forked")).toContainText("another tab");
    await comeTo(two);
    await two.page.keyboard.press("Control+End");
    await write(two, first, "# two");
    await expect(two.page.getByTestId("text-note-forked")).toHaveCount(0);
    await comeTo(one);
    await one.page.getByTestId("program").locator(".view-line").first().click();
    await one.page.keyboard.press("Control+End");
    await one.page.keyboard.type(" more");
    await one.settle();
    for (const [plan, text] of [
      [one, `${first}# one more`],
      [two, `${first}# two`],
    ] as const) {
      await plan.page.bringToFront();
      await plan.page.reload();
      await plan.settle();
      expect(await plan.program()).toBe(text);
      expect(await planNames(plan.page)).toHaveLength(2);
    }
    await context.close();
  });

  test("a plan that is deleted in one stays on screen in the other, which says so", async ({
    browser,
  }) => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const begun = planPage(await context.newPage());
    await begun.open();
    await write(begun, first);
    const [one, two] = await twoTabs(context, "/");
    await one.page.bringToFront();
    await openPlans(one.page);
    await one.page.getByRole("button", { name: /^Delete / }).click();
    await one.page.keyboard.press("Escape");
    await expect(two.page.getByTestId("text-note-removed")).toContainText("deleted");
    await two.page.bringToFront();
    await two.page.getByRole("button", { name: "Keep it" }).click();
    expect(await two.program()).toBe(first);
    await two.page.reload();
    await two.settle();
    expect(await two.program()).toBe(first);
    await context.close();
  });
});

test("a full store is said once, with a way out, and a reload loses no character", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open();
  await write(plan, first);
  await fill(page);
  await write(plan, second, "# not saved");
  const note = page.getByTestId("text-note-unsaved");
  await expect(note).toContainText("Not saved");
  const saving = page.waitForEvent("download");
  await note.getByRole("button", { name: "Save as a file" }).click();
  expect((await saving).suggestedFilename()).toMatch(/\.py$/);
  await note.getByRole("button", { name: "Dismiss" }).click();
  await page.getByTestId("program").locator(".view-line").first().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("!");
  await plan.settle();
  await expect(note).toHaveCount(0);
  await page.reload();
  await plan.settle();
  expect(await plan.program()).toBe(`${second}# not saved!`);
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith("filler")) localStorage.removeItem(key);
    }
  });
  await page.keyboard.press("Control+End");
  await page.keyboard.type("!");
  await plan.settle();
  expect(await planNames(page)).toHaveLength(1);
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await plan.settle();
  expect(await plan.program()).toBe(`${second}# not saved!!`);
});

test("where the browser keeps nothing it is said, and Back finds the last character", async ({
  page,
}) => {
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException("denied", "SecurityError");
        },
      });
    }
  });
  const plan = planPage(page);
  await plan.open();
  await write(plan, first, "# mine");
  await expect(page.getByTestId("text-note-unsaved")).toContainText("keeps nothing");
  await page.evaluate(() => {
    location.hash = "#example=mindspore-net";
  });
  await expect(page).toHaveTitle(/^MindSpore/);
  await plan.settle();
  await page.goBack();
  await expect(page).not.toHaveTitle(/^MindSpore/);
  await plan.settle();
  expect(await plan.program()).toBe(`${first}# mine`);
});

test(
  "texts are kept, found and come back",
  onOnePage({
    "an edited link stays when another is opened, and can be seen again as it was sent": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open("/#src=x%20%3D%20Tensor((8%2C%204))");
      await expect(page.getByRole("button", { name: "Shared plan (unsaved)" })).toBeVisible();
      await page.getByTestId("program").locator(".view-line").first().click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("\ny = relu(x)");
      await plan.settle();
      await page.goto("/#example=mindspore-net");
      await plan.settle();
      expect(await planNames(page)).toEqual(["x = Tensor((8, 4))"]);
      await page.goto("/#src=x%20%3D%20Tensor((8%2C%204))");
      await plan.settle();
      expect(await plan.program()).toBe("x = Tensor((8, 4))\ny = relu(x)");
      await page.getByRole("button", { name: "Show it as sent" }).click();
      await plan.settle();
      expect(await plan.program()).toBe("x = Tensor((8, 4))");
      await page.goto("/");
      await plan.settle();
      expect(await plan.program()).toBe("x = Tensor((8, 4))\ny = relu(x)");
    },

    "Back from a link shows the draft with its last character; Forward the link as it was edited":
      async ({ page }) => {
        const plan = planPage(page);
        await plan.open(firstExample);
        await write(plan, second);
        const link = await shared(page);
        await write(plan, first, "# mine");
        await page.goto(`/${link}`);
        await plan.settle();
        expect(await plan.program()).toBe(second);
        await write(plan, second, "# theirs, edited");
        await page.goBack();
        await plan.settle();
        expect(await plan.program()).toBe(`${first}# mine`);
        await page.keyboard.press("Control+End");
        await page.keyboard.type("!");
        await plan.settle();
        await page.goForward();
        await plan.settle();
        expect(await plan.program()).toBe(`${second}# theirs, edited`);
        await page.goBack();
        await plan.settle();
        expect(await plan.program()).toBe(`${first}# mine!`);
      },

    "edits of a dropped file survive a reload, under the name of the file": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await dropFile(page, "my-net.py", "text/x-python", Buffer.from(first));
      await plan.settle();
      await expect(page.getByRole("button", { name: "my-net.py" })).toBeVisible();
      await expect(page).toHaveTitle("my-net.py, Shardboard");
      await page.reload();
      await plan.settle();
      expect(await plan.program()).toBe(first);
      await page.keyboard.press("Control+End");
      await page.keyboard.type("# edited");
      await plan.settle();
      await page.reload();
      await plan.settle();
      expect(await plan.program()).toBe(`${first}# edited`);
      await dropFile(page, "other.py", "text/x-python", Buffer.from(second));
      await expect(page).toHaveTitle("other.py, Shardboard");
      await plan.settle();
      await page.goBack();
      await expect(page).toHaveTitle("my-net.py, Shardboard");
      await plan.settle();
      expect(await plan.program()).toBe(`${first}# edited`);
    },

    "Back shows a plan with its own undo, and the list of plans what each of them is": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open("/#new");
      await page.getByTestId("program").locator(".view-line").first().click();
      await plan.paste(first);
      await openPlans(page);
      await expect(rows(page)).toContainText("mesh dp 2, 1 operator");
      await page.keyboard.press("Escape");
      await page.goto("/#example=carry");
      await plan.settle();
      await expect(page.getByRole("button", { name: /^Undo/ })).toBeDisabled();
      await page.goBack();
      await plan.settle();
      expect(await plan.program()).toBe(first);
      await page.getByRole("button", { name: /^Undo/ }).click();
      await plan.settle();
      expect(await plan.program()).not.toBe(first);
    },

    "plans are found, renamed, duplicated and deleted with undo, by keyboard too": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await write(plan, first);
      await page.getByRole("button", { name: "mesh = Mesh(dp=2)" }).click();
      await page.getByRole("button", { name: "New plan" }).click();
      await plan.settle();
      await page.getByTestId("program").click();
      await page.keyboard.type("# Second plan\n");
      await plan.settle();
      await write(plan, `# Second plan\n${second}`);
      await openPlans(page);
      await expect(rows(page)).toHaveCount(2);

      await test.step("renamed in place", async () => {
        await page.getByRole("button", { name: "Rename mesh = Mesh(dp=2)" }).click();
        await page.keyboard.type("Activation");
        await page.keyboard.press("Enter");
        await expect(rows(page).nth(1)).toContainText("Activation");
      });
      await test.step("found by a word of the text", async () => {
        await page.getByRole("searchbox", { name: "Search the plans" }).fill("relu");
        await expect(rows(page)).toHaveCount(1);
        await expect(rows(page)).toContainText("Activation");
      });
      await test.step("duplicated", async () => {
        await page.getByRole("button", { name: "Duplicate Activation" }).click();
        await expect(rows(page)).toHaveCount(2);
        await expect(rows(page).first()).toContainText("Activation 2");
        await page.getByRole("searchbox").fill("");
        await expect(rows(page)).toHaveCount(3);
      });
      await test.step("deleted and put back by keyboard", async () => {
        await page.keyboard.press("Tab");
        await page.keyboard.press("ArrowDown");
        await expect(page.getByRole("button", { name: /^Second plan (mesh|#)/ })).toBeFocused();
        await page.keyboard.press("Delete");
        await expect(rows(page)).toHaveCount(2);
        await page.getByRole("button", { name: "Undo", exact: true }).last().click();
        await expect(rows(page)).toHaveCount(3);
      });
      await page.getByRole("button", { name: /^Activation mesh/ }).click();
      await plan.settle();
      expect(await plan.program()).toBe(first);
      await page.goBack();
      await plan.settle();
      expect(await plan.program()).toBe(`# Second plan\n${second}`);
    },
  }),
);

test("the draft of an earlier version is still there", async ({ page }) => {
  await page.addInitScript((text) => {
    if (localStorage.length === 0) localStorage.setItem("shardboard.draft", text);
  }, first);
  const plan = planPage(page);
  await plan.open();
  expect(await plan.program()).toBe(first);
  await page.keyboard.press("Control+End");
  await page.keyboard.type("# more");
  await plan.settle();
  await page.reload();
  await plan.settle();
  expect(await plan.program()).toBe(`${first}# more`);
});

/** The only text in the browser's storage. */
function kept(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const entries = Object.entries(localStorage).filter(([, value]) => value.includes("mesh ="));
    return entries[0]?.[1].slice(entries[0][1].indexOf("\n") + 1);
  });
}

const lines = "mesh = Mesh(dp=2)\r\nx = Tensor((8, 4))\r\ny = gelu(x)\r\n";

for (const [width, height] of [
  [1440, 900],
  [834, 1112],
] as const) {
  test(`a text with other line ends keeps them as it is pasted and typed in, ${width} wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    const plan = planPage(page);
    await plan.open("/#new");
    if (width < 1024) await page.getByRole("tab", { name: "Program" }).click();
    await page.getByTestId("program").locator(".view-line, .cm-line").first().click();
    await plan.paste(lines);
    await expect.poll(() => kept(page)).toBe(lines);
    await page.keyboard.press("Control+End");
    await page.keyboard.type("z = relu(x)");
    await page.keyboard.press("Enter");
    await plan.settle();
    await expect.poll(() => kept(page)).toBe(`${lines}z = relu(x)\r\n`);
    await page.getByTestId("tensor-z").click();
    await page.keyboard.press("Control+k");
    await page.getByTestId("palette-query").fill("split z.a over dp");
    await page.keyboard.press("Enter");
    await plan.settle();
    const split = `${lines}z = relu(x)\r\nstrategy(z, a="dp")\r\n`;
    await expect.poll(() => kept(page)).toBe(split);
    await page.keyboard.press("Control+z");
    await plan.settle();
    await expect.poll(() => kept(page)).toBe(`${lines}z = relu(x)\r\n`);
  });
}
