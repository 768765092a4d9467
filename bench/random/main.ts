import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

/**
 * Runs random programs under random plans on WebGPU in headless Chromium and compares them with the
 * reference, then with one fault each, which the CPU must find in the same cell: `npm run proofs
 * random 500 [first seed]`. Exit status 1 when something differs.
 */
const [address = "", many = "500", first = "1"] = process.argv.slice(2);
const systemChromium = "/usr/bin/chromium";

/** Programs run by the page between progress reports. */
const batch = 25;

const browser = await chromium.launch({
  ...(existsSync(systemChromium) && { executablePath: systemChromium }),
  args: ["--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"],
});
const total = { programs: 0, found: 0, unseen: 0, without: 0 };
const wrong: string[] = [];
try {
  const page = await browser.newPage();
  await page.goto(address);
  console.log(`adapter: ${await page.evaluate(() => window.random.adapter())}`);
  const end = Number(first) + Number(many);
  for (let from = Number(first); from < end; from += batch) {
    const count = Math.min(batch, end - from);
    const counts = await page.evaluate(([a = 1, b = 1]) => window.random.run(a, b), [from, count]);
    total.programs += counts.programs;
    total.found += counts.found;
    total.unseen += counts.unseen;
    total.without += counts.without;
    for (const each of counts.wrong) console.log(each);
    wrong.push(...counts.wrong);
    console.log(
      `${total.programs} programs: ${wrong.length} wrong; a fault found in the same cell in ${total.found}, none that shows in ${total.without}; ${total.unseen} faults that neither finds`,
    );
  }
} finally {
  await browser.close();
}
if (wrong.length > 0) process.exitCode = 1;
