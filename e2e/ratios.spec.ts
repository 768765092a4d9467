import { expect, type Page, test } from "@playwright/test";
import { unnamedRatios } from "../src/app/scene/text/unnamed-ratios.testing.ts";
import { firstExample, onOnePage, perCase } from "./one-page.ts";
import { type PlanPage, planPage } from "./plan-page.ts";

/** All lines of the page, visible or for screen readers, as they read across their elements. */
function linesOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const lines = new Set<string>();
    const pieces = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let piece = pieces.nextNode(); piece !== null; piece = pieces.nextNode()) {
      let element = piece.parentElement;
      if (element === null || piece.nodeValue?.trim() === "") continue;
      if (element.closest("script, style, noscript, .monaco-editor") !== null) continue;
      while (/^(inline|contents)/.test(getComputedStyle(element).display)) {
        const parent: HTMLElement | null = element.parentElement;
        // A text node alone in a large element is a line of its own.
        if (parent === null || (parent.textContent ?? "").length > 400) break;
        element = parent;
      }
      lines.add((element.textContent ?? "").replace(/\s+/g, " ").trim());
    }
    for (const element of document.querySelectorAll("[title], [aria-label]")) {
      for (const name of ["title", "aria-label"]) lines.add(element.getAttribute(name) ?? "");
    }
    return [...lines];
  });
}

const chain = `mesh = Mesh(dp=64, mp=64)
h0 = Tensor((8192, 8192))
h1 = matmul(h0, Parameter((8192, 8192)))
strategy(h1, m="dp", k="mp")
h2 = softmax(h1)
`;

const states: Readonly<Record<string, (plan: PlanPage) => Promise<unknown>>> = {
  "first visit": (plan) => plan.open(),
  "steps of other systems": (plan) => plan.open("/#example=jax-reshard"),
  "a redistribution between nodes": (plan) => plan.open("/#example=redistribution-four-nodes"),
  "a program as MindSpore would run it": async (plan) => {
    await plan.open("/#example=mindspore-net");
    await plan.page.getByRole("radio", { name: "MindSpore" }).check({ force: true });
    await expect(plan.page.getByTestId("own-total")).toBeVisible();
  },
  "a training step": (plan) => plan.open("/#example=megatron-mlp"),
  "repeated blocks": (plan) => plan.open("/#example=transformer-stack"),
  "a LoomGraph": (plan) => plan.open("/#example=loom-broadcast-add"),
  "many devices": (plan) => plan.open(`/#src=${encodeURIComponent(chain)}`),
  "costs and plans side by side": async (plan) => {
    await plan.open(firstExample);
    await plan.page.getByTestId("hud-time").getByRole("button").first().click();
    await plan.page.getByTestId("baseline-pin").click();
    await plan.page.getByTestId("tensor-w2").press("Enter");
    await plan.page.getByTestId("dim-w2-0").press("2");
    await plan.settle();
  },
  gallery: async (plan) => {
    await plan.open(firstExample);
    await plan.page.keyboard.press("Control+o");
    await expect(plan.page.getByRole("searchbox")).toBeVisible();
    await plan.settle();
  },
};

test(
  "no ratio stands without what it counts",
  onOnePage({
    ...perCase(
      Object.entries(states),
      ([state]) => state,
      async ({ page }, [state, bringInto]) => {
        await bringInto(planPage(page));
        const lines = await linesOf(page);
        expect(lines.length, state).toBeGreaterThan(20);
        expect(
          lines.flatMap((line) => unnamedRatios(line).map((ratio) => `${ratio}: ${line}`)),
          state,
        ).toEqual([]);
      },
    ),

    "a ratio without a noun would be found, across the pieces of its line": async ({ page }) => {
      await planPage(page).open(firstExample);
      await page.evaluate(() => {
        document.body.insertAdjacentHTML(
          "beforeend",
          "<p><b>Shardy</b>, <span>×1.43</span></p><p>DTensor, <b>×1.5</b> bytes</p><i title='2.5x'></i>",
        );
      });
      expect((await linesOf(page)).flatMap(unnamedRatios)).toEqual(["×1.43", "2.5x"]);
    },
  }),
);
