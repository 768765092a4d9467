import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { pasted, planPage } from "./plan-page.ts";

const { cases } = JSON.parse(readFileSync("conformance/seeds.json", "utf8"));

/** Whole documentation page as a text. */
function documentOf(id: string): string {
  const wanted = `${id}-L1-whole-document-pasted`;
  return cases.find((each: { id: string }) => each.id === wanted).request.args.program;
}

const errors = (page: Page) => page.getByTestId("problems").locator("[data-severity=error]");

test(
  "what is pasted over a program",
  onOnePage({
    "a page of documentation offers its blocks of code, and undo brings it back": async ({
      page,
    }) => {
      const source = documentOf("003");
      const plan = await pasted(page, source, firstExample);
      await expect(errors(page)).toHaveCount(1);
      await expect(errors(page)).toContainText("a page with 3 blocks of code");
      const blocks = page.getByTestId("page-blocks").getByRole("button");
      await expect(blocks).toHaveCount(4);
      await expect(page.getByTestId("stale")).toHaveCount(0);
      await expect(page.locator("main [data-testid^=operator-]")).toHaveCount(0);
      await expect(page.locator(".view-line .inl")).toHaveCount(0);
      await blocks.first().focus();
      await page.keyboard.press("Enter");
      await plan.settle();
      await expect(page.locator("main [data-testid^=operator-]").first()).toBeVisible();
      expect(await plan.program()).toMatch(/^import mindspore.nn as nn/);
      await page.keyboard.press("Control+z");
      await plan.settle();
      await expect(blocks).toHaveCount(4);
      expect((await plan.program()).trim()).toBe(source.trim());
    },

    "blocks that belong together are opened together": async ({ page }) => {
      const plan = await pasted(page, documentOf("000"), firstExample);
      await page.getByTestId("page-blocks").getByText("Open all 4 blocks of Python").click();
      await plan.settle();
      expect(await plan.program()).toContain("# Line 96 of the page\ndef PAS(");
      await expect(page.locator("main [data-testid^=operator-]").first()).toBeVisible();
    },

    "broken text over a program leaves nothing of the old one on screen": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      await expect(page.locator(".view-line .inl").first()).toBeVisible();
      await plan.selectProgram();
      await plan.paste("value = (\nanother = = nothing\nthe_last_of_it = )\n");
      await expect(errors(page).first()).toBeVisible();
      await expect(page.getByTestId("stale")).toHaveCount(0);
      await expect(page.getByTestId("operator-h")).toHaveCount(0);
      await expect(page.locator(".view-line .inl")).toHaveCount(0);
      await expect(page.getByTestId("starters")).toBeVisible();
      await page.keyboard.press("Control+z");
      await plan.settle();
      await expect(page.getByTestId("operator-h")).toBeVisible();
    },

    "a broken program over another one shows what can be read of it": async ({ page }) => {
      const plan = await pasted(
        page,
        "mesh = Mesh(dp=2)\na = Tensor((8, 4))\nb = relu(a)\nc = gelu(b\nd = softmax(b, dim=-1)\n",
        firstExample,
      );
      await plan.settle();
      await expect(page.getByTestId("partial")).toContainText(
        "Showing what can be read of this text",
      );
      await expect(page.getByTestId("operator-b")).toBeVisible();
      await expect(page.getByTestId("operator-h")).toHaveCount(0);
    },

    "a hint goes with its line and never stands in a word": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const hints = page.locator(".view-line .inl-gap");
      await expect(hints.first()).toBeVisible();
      const count = await hints.count();
      await plan.selectProgram();
      await page.keyboard.press("Control+Home");
      await page.keyboard.type("oops = = (");
      await page.keyboard.press("Enter");
      await plan.settle();
      await expect(hints).toHaveCount(count);
      // On a line with hints, nothing but further hints follows a hint.
      const inWords = await page
        .locator(".view-line")
        .evaluateAll(
          (lines) =>
            lines.filter((line) => /inl[^>]*>[^<]*<\/span><span(?![^>]*inl)/.test(line.innerHTML))
              .length,
        );
      expect(inWords).toBe(0);
    },
  }),
);
