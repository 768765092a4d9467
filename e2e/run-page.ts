import { expect, type Locator, type Page } from "@playwright/test";
import { type PlanPage, planPage } from "./plan-page.ts";

/** The actions of a journey on runs. */
export interface RunPage extends PlanPage {
  readonly verdict: Locator;
  /** Runs the plan on the screen, and waits for the result. */
  run(): Promise<void>;
  /** Opens all details of a run. */
  details(): Promise<void>;
  /** The numbers of a step, device by device, as they are shown. */
  numbers(): Promise<readonly string[]>;
}

/** A page whose plan is run. */
export function runPage(page: Page): RunPage {
  const plan = planPage(page);
  const verdict = page.getByTestId("run-verdict");
  return {
    ...plan,
    verdict,
    run: async () => {
      await page.getByTestId("run-preview").click();
      await expect(verdict).toHaveAttribute("data-verdict", /equal|different|refused|failed/, {
        timeout: 30_000,
      });
      await plan.settle();
    },
    details: async () => {
      const panel = page.getByTestId("run-panel");
      if (!(await panel.isVisible())) await page.getByTestId("run-how").click();
      await expect(panel).toBeVisible();
    },
    numbers: () => page.getByTestId("step-values").locator("figure").allInnerTexts(),
  };
}

/** The address of a text. */
export function addressOf(text: string): string {
  return `/#src=${encodeURIComponent(text)}`;
}

/** A product with a cut reduced dim: one all-reduce, small enough to be read. */
export const small = `mesh = Mesh(dp=2, mp=2)
x = Tensor((4, 8))
w = Parameter((8, 4))
y = matmul(x, w)
strategy(y, m="dp", k="mp")
z = relu(y)
`;

/** The same product with more numbers than are shown, all of which are run. */
export const coloured = small.replace("(4, 8)", "(64, 128)").replace("(8, 4)", "(128, 64)");

/** A product too large to be run here at its written sizes. */
export const huge = small
  .replace("(4, 8)", "(131072, 262144)")
  .replace("(8, 4)", "(262144, 131072)");

/** The same, as a training step. */
export const training = `${small}train(z)
`;
