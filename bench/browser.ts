import { existsSync } from "node:fs";
import { chromium, type Page } from "@playwright/test";
import { encodeLink } from "#app/share";
import { chainProgram } from "./programs.ts";

/** Times of one thing in the browser, and what 95 of 100 of them may take. */
interface Timing {
  readonly name: string;
  readonly aimMs: number;
  readonly times: readonly number[];
}

const operators = 300;
const keystrokes = 30;
const tolerance = 2;
const systemChromium = "/usr/bin/chromium";

const [address = ""] = process.argv.slice(2).filter((each) => each.startsWith("http"));
const browser = await chromium.launch({
  ...(existsSync(systemChromium) && { executablePath: systemChromium }),
  args: ["--no-sandbox"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await open(page);
  const timings: readonly Timing[] = [
    {
      name: `browser: keystroke to diagnostics, ${operators} operators`,
      aimMs: 150,
      times: await diagnosticTimes(page),
    },
    {
      name: `browser: frames while typing, ${operators} operators`,
      aimMs: 34,
      times: await frameTimes(page),
    },
  ];
  for (const timing of timings) console.log(lineOf(timing));
  const slow = timings.filter(({ times, aimMs }) => share(times, 0.95) > tolerance * aimMs);
  if (process.argv.includes("--check") && slow.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
}

/** The chain in the editor, the caret on an empty line behind it. */
async function open(page: Page): Promise<void> {
  await page.goto(address + encodeLink({ text: chainProgram(operators, 8, 8) }));
  await page.locator('[data-ready="idle"]').waitFor({ timeout: 60_000 });
  await page.getByTestId("program").locator(".view-line").first().click();
  await page.keyboard.press("Control+End");
}

/** From each key press until the problems say something else: a name comes, and goes again. */
async function diagnosticTimes(page: Page): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = 0; at < keystrokes; at += 1) {
    const said = page.evaluate(untilProblemsChange);
    // The page listens once the call has arrived there.
    await page.evaluate(() => undefined);
    await page.keyboard.press(at % 2 === 0 ? "q" : "Backspace");
    times.push(await said);
    await page.locator('[data-ready="idle"]').waitFor();
  }
  return times;
}

/** Runs in the page. */
function untilProblemsChange(): Promise<number> {
  const panel = document.querySelector('[data-testid="problems"]');
  const before = panel?.textContent;
  return new Promise((resolve, reject) => {
    let pressed = 0;
    const listen = () => {
      pressed = performance.now();
    };
    document.addEventListener("keydown", listen, { capture: true, once: true });
    const observer = new MutationObserver(() => {
      if (panel?.textContent === before) return;
      observer.disconnect();
      resolve(performance.now() - pressed);
    });
    if (panel !== null) {
      observer.observe(panel, { childList: true, characterData: true, subtree: true });
    }
    setTimeout(() => reject(new Error("the problems did not change")), 20_000);
  });
}

/** Gaps between frames while somebody types quickly. */
async function frameTimes(page: Page): Promise<readonly number[]> {
  const frames = page.evaluate(framesFor, 3_000);
  await page.keyboard.type("# a comment that is typed without a pause", { delay: 60 });
  return await frames;
}

/** Runs in the page. */
function framesFor(milliseconds: number): Promise<number[]> {
  return new Promise((resolve) => {
    const gaps: number[] = [];
    const started = performance.now();
    let last = started;
    const next = (now: number) => {
      gaps.push(now - last);
      last = now;
      if (now - started < milliseconds) requestAnimationFrame(next);
      else resolve(gaps);
    };
    requestAnimationFrame(next);
  });
}

function lineOf({ name, aimMs, times }: Timing): string {
  const [middle, late] = [share(times, 0.5), share(times, 0.95)];
  const verdict = late <= aimMs ? "" : ` ${(late / aimMs).toFixed(1)} × the aim`;
  const figures = `${inMs(middle)}  p95 ${inMs(late)}  aim ${inMs(aimMs)}`;
  return `${name.padEnd(52)}${figures}${verdict}`;
}

/** The time that such a share of all does not exceed. */
function share(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function inMs(milliseconds: number): string {
  return `${milliseconds.toFixed(1).padStart(7)} ms`;
}
