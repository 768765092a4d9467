import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { firstExample, onOnePage } from "./one-page.ts";
import { asGraph, middleOf, type PlanPage, planPage, watchNoise } from "./plan-page.ts";

/** A GPT in the form in which such models are published: a config, modules, twelve equal blocks. */
const model = readFileSync("e2e/texts/gpt.py", "utf8");

/**
 * Megatron's cuts of a block, into columns and back by rows, and the line that each gesture writes.
 */
const megatron = [
  ["attention.qkv.weight", 0, '"tp", "None"'],
  ["attention.out.weight", 1, '"None", "tp"'],
  ["down.weight", 1, '"None", "tp"'],
  ["up.weight", 0, '"tp", "None"'],
] as const;

/** Selects a tensor, and drops the chip of an axis on one of its dims beside the canvas. */
async function dropOn({ page, settle }: PlanPage, axis: string, tensor: string, dim: number) {
  await page.keyboard.press("Control+K");
  await page.getByTestId("palette-query").fill(`${tensor} tensor`);
  await page.keyboard.press("Enter");
  await settle();
  await page.getByTestId(`mesh-axis-${axis}`).hover();
  await page.mouse.down();
  const goal = await middleOf(page.getByTestId(`dim-${tensor}-${dim}`));
  await page.mouse.move(goal.x, goal.y, { steps: 8 });
  await page.mouse.up();
  await settle();
}

test(
  "blocks of equal layers",
  onOnePage({
    "a pasted GPT is split as Megatron does by four gestures in one of twelve blocks": async ({
      page,
    }) => {
      test.slow();
      const noise = watchNoise(page);
      const plan = planPage(page);
      await plan.open(firstExample);
      await plan.selectProgram();
      await plan.paste(model);
      await asGraph(page);
      const folded = page.getByTestId("block-blocks[0…11]");
      await expect(folded).toContainText("×12");
      await expect(folded).toContainText("20 operators each");
      // 12 × 7,080,960 parameters of four bytes.
      await expect(folded).toContainText("parameters 340 MB");
      await folded.getByRole("button").click();
      await expect(page.getByTestId("scope-blocks[0]")).toHaveText("×12");
      await plan.settle();
      for (const [name, dim] of megatron) {
        await dropOn(plan, "tp", `blocks[0].${name}`, dim);
        await expect(
          page.getByRole("button", { name: `Undo: Split blocks[*].${name}` }),
        ).toBeEnabled();
      }
      const lines = megatron.map(
        ([name, , axes]) => `place("blocks[*].${name}", layout(${axes}))\n`,
      );
      expect(await plan.program()).toBe(`${model}${lines.join("")}`);
      // Four redistributions: two all-reduces; a gather of the columns of one product, out of which
      // q, k and v are cut; and a slice of attention's result on each device.
      const words = page.getByTestId("outline");
      await expect(words).toContainText("blocks[1…11]");
      await expect(words).toContainText("20 operators, 4 redistributions each");
      expect(noise).toEqual([]);
    },

    "the switch in the head of a block leaves the others as they are": async ({ page }) => {
      const plan = planPage(page);
      await plan.open("/#example=transformer-stack");
      await asGraph(page);
      await page.getByTestId("block-layers[0…23]").getByRole("button").click();
      const scope = page.getByTestId("scope-layers[0]");
      await expect(scope).toHaveAttribute("aria-pressed", "true");
      await scope.focus();
      await page.keyboard.press("Enter");
      await expect(scope).toHaveText("1 of 24");
      await plan.settle();
      await page.getByTestId("operator-layers[0].h").click();
      await page.getByTestId("dim-layers[0].h-1").focus();
      await page.keyboard.press("0");
      await expect(page.getByRole("button", { name: "Undo: Make layers[0].h" })).toBeEnabled();
      await expect(page.getByTestId("block-layers[1…23]")).toContainText("×23");
    },
  }),
);
