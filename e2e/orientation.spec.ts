import { expect, type Locator, test } from "@playwright/test";
import { onOnePage } from "./one-page.ts";
import { planPage } from "./plan-page.ts";

/**
 * Only the experts' tokens are redistributed: cut by groups as they are made, by experts as they
 * are read.
 */
const experts = `mesh = Mesh(ep=4)
t = Tensor((16, 8, 16, 64))
sent = gelu(t)
up = relu(sent)
strategy(sent, b="ep")
strategy(up, a="ep")
`;

test(
  "rows and textures",
  onOnePage({
    "a tensor is rows on the card, in the inspector and in the step view alike": async ({
      page,
    }) => {
      const plan = planPage(page);
      await plan.open(`/#src=${encodeURIComponent(experts)}`);
      const sent = page.getByTestId("tensor-sent");
      await sent.click();
      const inspector = page.getByRole("region", { name: "Tensor sent" });
      await expect(inspector.getByText(/^Both draw rows \w+, columns \w+\.$/)).toBeVisible();
      const whole = inspector.locator(".views svg.glyph").first();
      expect(await stripesOf(sent.locator("svg.glyph").first())).toBe(await stripesOf(whole));
      await page.getByTestId("redist-0").click();
      await expect(page.getByText(/^Rows \w+, columns \w+\. One group/)).toBeVisible();
    },

    "every texture that the page paints with is there": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=megatron-mlp");
      const missing = await page.evaluate(() =>
        [...document.querySelectorAll("svg [fill^='url'], svg [style*='url']")].flatMap(
          (element) => {
            const paint = `${element.getAttribute("fill")} ${element.getAttribute("style")}`;
            const id = /url\("?#([\w-]+)/.exec(paint)?.[1] ?? "";
            return document.getElementById(id) === null ? [id] : [];
          },
        ),
      );
      expect(missing).toEqual([]);
    },
  }),
);

/** Whether the stripes that fill the blocks run across or down, by the shape of the first one. */
async function stripesOf(drawing: Locator): Promise<"across" | "down"> {
  const box = await drawing.locator(".mark-tint").first().boundingBox();
  if (box === null) throw new Error("nothing fills the blocks");
  return box.width > box.height ? "across" : "down";
}
