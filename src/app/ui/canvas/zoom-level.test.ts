import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { leastMid, levelOf } from "./zoom-level.ts";

test.each`
  zoom     | level
  ${1}     | ${"near"}
  ${0.745} | ${"near"}
  ${0.74}  | ${"mid"}
  ${0.6}   | ${"mid"}
  ${0.59}  | ${"mid lod-low"}
  ${0.35}  | ${"mid lod-low"}
  ${0.34}  | ${"far"}
  ${0.24}  | ${"far"}
  ${0.23}  | ${"far lod-least"}
`("at $zoom what is drawn is $level", ({ zoom, level }) => {
  expect(levelOf(zoom)).toBe(level);
});

/** Height in pixels that a rule of `canvas.css` sets. */
function heightOf(selector: string): number {
  const css = readFileSync("src/app/ui/styles/canvas.css", "utf8");
  const from = css.indexOf(`\n${selector} {`);
  if (from < 0) throw new Error(`no rule for ${selector}`);
  return Number(/ height: (\d+)px;/u.exec(css.slice(from, css.indexOf("}", from)))?.[1]);
}

test("a redistribution is 24 px high to press wherever its name is drawn", () => {
  expect(heightOf(".badge-node .badge") * 0.745).toBeGreaterThanOrEqual(23.5);
  expect(heightOf(".lod-mid .badge-node .badge") * leastMid.usual).toBeGreaterThanOrEqual(24);
  expect(heightOf(".lod-low .badge-node .badge") * leastMid.large).toBeGreaterThanOrEqual(24);
});
