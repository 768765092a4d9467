import { expect, test } from "vitest";
import { type Box, boxesWithout, intersect, volumeOf } from "#core/indexspace";
import { createMesh, type DeviceBoxes } from "#core/mesh";
import type { Transfer } from "./collective.ts";
import { createFetch } from "./index.ts";

function fetched(held: DeviceBoxes, wanted: DeviceBoxes): readonly Transfer[] {
  const mesh = createMesh([{ name: "d", size: held.length }]);
  if (!mesh.ok) throw new Error(mesh.diagnostics[0]?.message);
  const layout = { mesh: mesh.value, dims: [], partials: [] };
  const step = createFetch({ layout, boxes: held }, { layout, boxes: wanted });
  return step.transfers ?? [];
}

/** Reference fetch: every box of missing cells comes from the first holder that has sent least. */
function byLookingAtAll(held: DeviceBoxes, wanted: DeviceBoxes): readonly Transfer[] {
  const sent = held.map(() => 0);
  const boxes = [...new Map(held.flat().map((box) => [JSON.stringify(box), box])).entries()];
  boxes.sort(([, a], [, b]) => (a[0]?.start ?? 0) - (b[0]?.start ?? 0));
  return held.flatMap((own, to) => {
    let lacking = boxesWithout(wanted[to] ?? [], own);
    return boxes.flatMap(([key, box]) => {
      const ranges = lacking
        .map((cell) => intersect(cell, box))
        .filter((range) => range !== undefined);
      if (ranges.length === 0) return [];
      const able = [...held.keys()].filter((at) =>
        held[at]?.some((each) => JSON.stringify(each) === key),
      );
      const least = Math.min(...able.map((at) => sent[at] ?? 0));
      const from = able.find((at) => sent[at] === least) ?? 0;
      sent[from] = least + ranges.reduce((sum, range) => sum + volumeOf(range), 0);
      lacking = boxesWithout(lacking, [box]);
      return ranges.map((range) => ({ from, to, range }));
    });
  });
}

const rows = (start: number, stop: number): Box => [
  { start, stop },
  { start: 0, stop: 2 },
];

test.each`
  what                        | held                                                                              | wanted
  ${"halos of windows"}       | ${Array.from({ length: 9 }, (_, at) => [rows(at, at + 1)])}                       | ${Array.from({ length: 9 }, (_, at) => [rows(Math.max(0, at - 2), Math.min(9, at + 3))])}
  ${"blocks held by several"} | ${Array.from({ length: 8 }, (_, at) => [rows(at % 3, (at % 3) + 1)])}             | ${Array.from({ length: 8 }, () => [rows(0, 3)])}
  ${"several boxes each"}     | ${Array.from({ length: 6 }, (_, at) => [rows(at, at + 1), rows(8 + at, 9 + at)])} | ${Array.from({ length: 6 }, (_, at) => [rows(at, at + 4), rows(6, 12)])}
  ${"cells that nobody has"}  | ${Array.from({ length: 3 }, (_, at) => [rows(2 * at, 2 * at + 1)])}               | ${Array.from({ length: 3 }, () => [rows(0, 6)])}
`("$what come from who has sent least", ({ held, wanted }) => {
  expect(fetched(held, wanted)).toEqual(byLookingAtAll(held, wanted));
});

test("what a device lacks is looked for among the boxes around it, not among all", () => {
  let looks = 0;
  const counted = (start: number, stop: number): Box => [
    {
      get start() {
        looks += 1;
        return start;
      },
      stop,
    },
  ];
  const count = 2_048;
  const held = Array.from({ length: count }, (_, at) => [counted(at, at + 1)]);
  const wanted = held.map((_, at) => [counted(Math.max(0, at - 1), Math.min(count, at + 2))]);
  expect(fetched(held, wanted)).toHaveLength(2 * count - 2);
  expect(looks).toBeLessThan(count * 200);
});
