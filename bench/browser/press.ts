import type { Page } from "@playwright/test";

/** A press of a button, and the element that responds to it. */
export interface Press {
  readonly button: string;
  /** Selector of the responding element; by default the button's own pressed state. */
  readonly answer?: string;
}

/** Milliseconds from a press until its response is painted. */
export async function answered(page: Page, press: Press): Promise<number> {
  await page.locator(press.button).first().waitFor();
  return page.evaluate(pressedUntil, press);
}

/** Runs in the page: presses the button, and waits for the response. */
function pressedUntil({ button, answer }: Press): Promise<number> {
  return new Promise((resolve, reject) => {
    const pressed = document.querySelector<HTMLElement>(button);
    if (pressed === null) return reject(new Error(`${button} is not there`));
    const before = pressed.getAttribute("aria-pressed");
    const started = performance.now();
    pressed.click();
    const isAnswered = () =>
      answer === undefined
        ? pressed.getAttribute("aria-pressed") !== before
        : document.querySelector(answer) !== null;
    const look = () => {
      if (isAnswered()) {
        setTimeout(() => resolve(performance.now() - started));
      } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
