import { expect, test } from "vitest";
import { aims, evidenceRows, groups, heldOf, measuredRows, shareWithin } from "./index.ts";
import { heldFigures, priceAll } from "./modelled.testing.ts";

const { figures, miscounted } = priceAll();
const rows = evidenceRows(figures);

test("rows of one name in a group are of one program", () => {
  for (const group of groups) {
    const programs = measuredRows().flatMap((row) =>
      row.group === group && row.program !== undefined ? [`${row.name} ${row.program}`] : [],
    );
    const names = programs.map((each) => each.slice(0, each.indexOf("\n")));
    expect(new Set(names).size, group).toBe(new Set(programs).size);
  }
});

/** The page shows the model's present figures; update them with `vitest -u`. */
test("the figures that are kept are those of the model", async () => {
  const text = `${JSON.stringify(figures, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("data/modelled.json");
  const held = `${JSON.stringify(heldFigures(rows), null, 2)}\n`;
  await expect(held).toMatchFileSnapshot("data/held.json");
});

test("parameters are counted as they were", () => {
  expect(miscounted).toEqual([]);
});

test.each(groups.map((group) => ({ group })))("$group are as near as is aimed for", ({ group }) => {
  const own = rows.filter((row) => row.group === group);
  const { median, near, share } = aims[group];
  const { median: found } = heldOf(own);
  expect(Number.isNaN(found) ? Number.POSITIVE_INFINITY : found).toBeLessThanOrEqual(median);
  expect(shareWithin(own, near)).toBeGreaterThanOrEqual(share);
});
