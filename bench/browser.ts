import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { edits } from "./browser/edits.ts";
import { hover } from "./browser/hover.ts";
import { kernels } from "./browser/kernels.ts";
import { large } from "./browser/large.ts";
import { loom } from "./browser/loom.ts";
import { open } from "./browser/open.ts";
import { planning } from "./browser/planning.ts";
import { runs } from "./browser/runs.ts";
import { start } from "./browser/start.ts";
import { isSlow, lineOf } from "./browser/timing.ts";
import { typing } from "./browser/typing.ts";
import { calibrate, referenceMs, startPace } from "./calibration.ts";

const systemChromium = "/usr/bin/chromium";
const all = { start, open, typing, edits, hover, large, loom, planning, runs, kernels };

// Names of the suites to run; all when empty.
const asked = process.argv.slice(2);
const named = Object.keys(all).filter((name) => asked.includes(name));
const [address = "", kernelsAddress = ""] = asked.filter((each) => each.startsWith("http"));

let slow = 0;
const browser = await chromium.launch({
  ...(existsSync(systemChromium) && { executablePath: systemChromium }),
  args: ["--no-sandbox"],
});
try {
  // The calibration page, which does nothing else.
  const page = await browser.newPage();
  const pace = await startPace((count) => page.evaluate(calibrate, count), referenceMs.browser);
  for (const [name, suite] of Object.entries(all)) {
    if (named.length > 0 && !named.includes(name)) continue;
    for await (const timing of suite({ browser, address, kernels: kernelsAddress })) {
      const factor = await pace.since();
      console.log(lineOf(timing, factor));
      if (isSlow(timing, factor)) slow += 1;
    }
  }
} finally {
  await browser.close();
}
if (process.argv.includes("--check") && slow > 0) {
  console.log(`browser: ${slow} beyond twice the aim, or larger than it`);
  process.exitCode = 1;
}
