import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { isWhole, pasted, planPage } from "./plan-page.ts";

/** The same swap on few elements, where hops cost more than bytes. */
const small = `mesh = Mesh(x=4, y=2)
t = Tensor((16, 16, 16), "f32")
u = neg(t)
place(t, layout("y", "None", "x"))
strategy(u, b=("x", "y"))
`;

const bytes = (page: Page) => page.getByTestId("hud-comm").getAttribute("data-bytes");

test(
  "steps of other systems",
  onOnePage({
    "another system's steps are chosen by a press: text, program and numbers follow, and one undo takes it back":
      async ({ page }) => {
        const plan = planPage(page);
        await plan.open("/#example=jax-reshard");
        await isWhole(page);
        const before = await plan.program();
        const sequences = page.getByTestId("sequences");
        await expect(sequences.getByTestId("sequence-default")).toHaveAttribute(
          "data-chosen",
          "true",
        );
        await expect(sequences.locator(".faster")).toHaveCount(0);
        const shardy = sequences.getByTestId("policy-shardy");
        await expect(shardy).toContainText("×1.43 bytes");
        await expect(shardy).toContainText("×2 steps");
        const ours = Number(await bytes(page));
        // The content above may still grow, which would move another row under the pointer.
        await expect(async () => {
          await shardy.getByRole("button").hover();
          await expect(sequences.getByRole("status")).toContainText(
            "Redistribute t as Shardy does: comm +",
            { timeout: 5_000 },
          );
        }).toPass();
        await shardy.getByRole("button").click();
        await plan.settle();
        await expect(shardy).toHaveAttribute("data-chosen", "true");
        expect(Number(await bytes(page))).toBe((ours * 640) / 448);
        expect(await plan.program()).toBe(`${before}reshard(t, steps="shardy")\n`);
        await expect(page.getByTestId("sequence-default")).toHaveAttribute("data-chosen", "false");
        await page.keyboard.press("Control+z");
        await plan.settle();
        await expect(page.getByTestId("sequence-default")).toHaveAttribute("data-chosen", "true");
        expect(await plan.program()).toBe(before);
        expect(Number(await bytes(page))).toBe(ours);
      },

    "where another system is faster that is said first, with the size from which ours is, and a key chooses it":
      async ({ page }) => {
        const plan = await pasted(page, small, firstExample);
        await isWhole(page);
        const sequences = page.getByTestId("sequences");
        await expect(sequences.locator(".faster")).toHaveText(
          "Shardy, DTensor, MindSpore and nnScaler are faster by the model for this tensor of 16.4 kB: 22.0 µs, ours 26.0 µs. Ours is faster from 25.6 MB on.",
        );
        const first = await sequences.locator("> *").nth(1).textContent();
        expect(first).toContain("are faster by the model");
        await expect(sequences.getByTestId("why-dtensor")).toContainText(
          "Ours is faster from 5.91 MB on.",
        );
        await sequences.getByTestId("policy-shardy").getByRole("button").focus();
        await page.keyboard.press("Enter");
        await plan.settle();
        expect(await plan.program()).toBe(`${small}reshard(t, steps="shardy")\n`);
        await sequences.getByTestId("sequence-default").getByRole("button").click();
        await plan.settle();
        expect(await plan.program()).toBe(small);
      },
  }),
);
