import { chainProgram } from "../programs.ts";
import { onFreshPage, type Site, toTheEnd } from "./page.ts";
import { awaitInput, settledAfterInput } from "./probe.ts";
import { rounds, share, type Timing } from "./timing.ts";

const operators = 30;
const devices = 8;

/** Time from the pointer entering a device until everything highlighted for it is painted. */
export async function* hover(site: Site): AsyncGenerator<Timing> {
  const program = chainProgram(operators, 32, 16);
  const figures = await onFreshPage(site, { program }, async (page) => {
    await toTheEnd(page);
    const buttons = page.locator('[data-testid^="device-"]');
    const found: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const times: number[] = [];
      for (let at = 0; at < devices; at += 1) {
        await page.evaluate(awaitInput, undefined);
        await buttons.nth(at).hover();
        times.push(await page.evaluate(settledAfterInput, { quietMs: 250 }));
      }
      found.push(share(times, 0.5));
    }
    return found;
  });
  const what = `${2 * operators + 1} tensors × 512 devices`;
  const name = `browser: hover a device to all highlights, ${what}`;
  yield { name, unit: "ms", aim: 50, figures };
}
