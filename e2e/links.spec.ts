import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

const text =
  'mesh = Mesh(dp=2, mp=2)\nx = Tensor((8, 4))\ny = relu(x)\nplace(x, layout("dp", "mp"))\n';

test("a link opened in a clean profile gives the same text and the same picture", async ({
  page,
  browser,
}) => {
  const plan = planPage(page);
  await plan.open();
  await plan.selectProgram();
  await plan.paste(text);
  const drawn = await plan.ranges("y");
  await page.getByTestId("share-link").click();
  const address = await page.getByTestId("share-url").inputValue();
  await expect(page.getByRole("dialog", { name: "Share plan" })).toContainText("characters");
  const clean = await browser.newContext({
    permissions: ["clipboard-read", "clipboard-write"],
    viewport: { width: 1440, height: 900 },
  });
  const other = planPage(await clean.newPage());
  await other.open(address);
  expect(await other.program()).toBe(text);
  expect(await other.ranges("y")).toEqual(drawn);
  await expect(other.page.getByRole("button", { name: "Shared plan (unsaved)" })).toBeVisible();
  await clean.close();
});

test(
  "a link beside a draft",
  onOnePage({
    "a link does not touch the draft": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste(text);
      await page.goto("about:blank");
      await plan.open("/#example=mindspore-net");
      await expect(page.getByTestId("operator-z")).toBeVisible();
      await page.getByRole("button", { name: /^MindSpore: / }).click();
      await page.getByRole("button", { name: /^Open my draft/ }).click();
      await plan.settle();
      expect(await plan.program()).toBe(text);
    },

    "a link says which characters of the text it leaves out": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste(`${text}# seen \u202e turned\n`);
      await page.getByTestId("share-link").click();
      const share = page.getByRole("dialog", { name: "Share plan" });
      await expect(share.getByRole("alert")).toContainText("not to be seen: U+202E.");
    },
  }),
);

/** Damaged links, and the words that their page shows. */
const damages: Readonly<Record<string, [damage: (fragment: string) => string, words: RegExp]>> = {
  cut: [(fragment) => fragment.slice(0, -40), /[\d ]+ of [\d ]+ characters arrived/],
  flipped: [(fragment) => flip(fragment), /characters were changed on the way/],
  "of a newer version": [(fragment) => fragment.replace("#p=1.", "#p=9."), /newer version/],
};

function flip(fragment: string): string {
  const at = fragment.length - 30;
  return `${fragment.slice(0, at)}${fragment[at] === "A" ? "B" : "A"}${fragment.slice(at + 1)}`;
}

test("a reader who has no plan yet is offered none beside a link that is refused", async ({
  page,
}) => {
  const plan = planPage(page);
  await plan.open("/#p=9.1.2s.00000000.abc");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("link");
  await expect(page.getByRole("button", { name: "Open my draft" })).toHaveCount(0);
  await expect(page.getByText("Your own plans")).toHaveCount(0);
  await page.getByRole("button", { name: "Open the first example" }).click();
  await expect(page.getByTestId("operator-y")).toBeVisible();
});

test("a link that is damaged is refused by name, and the draft is intact", async ({ page }) => {
  const plan = planPage(page);
  await plan.open();
  await plan.selectProgram();
  await plan.paste(text);
  await page.getByTestId("share-link").click();
  const address = await page.getByTestId("share-url").inputValue();
  const hash = new URL(address).hash.replace(/&s=.*/, "");
  for (const [name, [damage, words]] of Object.entries(damages)) {
    await test.step(name, async () => {
      await plan.openAnew(`/${damage(hash)}`);
      await expect(page.getByRole("heading", { level: 1 })).toContainText("link");
      await expect(page.getByRole("alert")).toContainText(words);
      await page.getByRole("button", { name: "Open my draft" }).click();
      await plan.settle();
      expect(await plan.program()).toBe(text);
    });
  }
});
