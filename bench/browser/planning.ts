import { gpt3Step } from "../planned-programs.ts";
import { onFreshPage, type Site, settle } from "./page.ts";
import { answered, type Press } from "./press.ts";
import { rounds, type Timing } from "./timing.ts";

/** A program whose search takes several seconds, so that everything below happens during it. */
const program = gpt3Step("dp=4, tp=2, pp=2");

const start: Press = {
  button: '[data-testid="plan-start"]',
  answer: '[data-testid="plan-status"][data-status="searching"] [role="progressbar"]',
};
const takeAxis: Press = { button: '[data-testid="mesh-axis-dp"]' };
const cancel: Press = {
  button: '[data-testid="plan-cancel"]',
  answer: '[data-testid="plan-status"]:not([data-status="searching"])',
};

/** Waits of a user who searches for a plan: for its start, for another press, for its end. */
export async function* planning(site: Site): AsyncGenerator<Timing> {
  const begun: number[] = [];
  const pressed: number[] = [];
  const ended: number[] = [];
  await onFreshPage(site, { program }, async (page) => {
    for (let round = 0; round < rounds; round += 1) {
      await settle(page);
      begun.push(await answered(page, start));
      await page.keyboard.press("Escape");
      // By then the text has been read and the search itself is running.
      await page.waitForTimeout(1_000);
      pressed.push(await answered(page, takeAxis));
      await page.getByTestId("plan-start").click();
      ended.push(await answered(page, cancel));
      await page.keyboard.press("Escape");
    }
  });
  yield { name: "browser: plan, first progress", unit: "ms", aim: 300, figures: begun };
  yield { name: "browser: plan, another press", unit: "ms", aim: 100, figures: pressed };
  yield { name: "browser: plan, cancel", unit: "ms", aim: 300, figures: ended };
}
