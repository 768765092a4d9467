import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Box } from "#core/indexspace";
import {
  createMesh,
  heldOf,
  localElements,
  localShape,
  parseLayout,
  parseMesh,
  replicationOf,
  slicesOf,
} from "./index.ts";
import { layoutAndShape, passedValue } from "./layouts.testing.ts";

interface Case {
  readonly id: string;
  readonly request: {
    readonly args: {
      readonly mesh: readonly [string, number][];
      readonly devices?: readonly number[];
      readonly shape: readonly number[];
      readonly layout: string;
    };
  };
  readonly expected: { readonly $ranges: Record<string, unknown>; readonly $partial?: boolean };
}

const conformance: { case_count: number; cases: readonly Case[] } = JSON.parse(
  readFileSync("conformance/slices.json", "utf8"),
);

test("every conformance case of slices holds", () => {
  expect(conformance.cases).toHaveLength(conformance.case_count);
  for (const { id, request, expected } of conformance.cases) {
    const { mesh: axes, devices, shape, layout } = request.args;
    const mesh = passedValue(
      createMesh(
        axes.map(([name, size]) => ({ name, size })),
        devices,
      ),
    );
    const slices = slicesOf(passedValue(parseLayout(layout, mesh)), shape);
    const ranges = Object.fromEntries(slices.map((slice) => [slice.device, pairs(slice.ranges)]));
    expect(ranges, id).toEqual(expected.$ranges);
    if (expected.$partial !== undefined) {
      expect(new Set(slices.map((slice) => slice.partial)), id).toEqual(
        new Set([expected.$partial]),
      );
    }
  }
});

test.each`
  mesh                     | layout      | shape  | chunks      | ranges
  ${"x=2,y=2"}             | ${"x*y"}    | ${[5]} | ${"flat"}   | ${"0-2 2-4 4-5 5-5"}
  ${"x=2,y=2"}             | ${"x*y"}    | ${[5]} | ${"nested"} | ${"0-2 2-3 3-4 4-5"}
  ${"x=2,y=2"}             | ${"x*y"}    | ${[1]} | ${"nested"} | ${"0-1 1-1 1-1 1-1"}
  ${"x=2"}                 | ${"x{3,5}"} | ${[8]} | ${"flat"}   | ${"0-3 3-8"}
  ${"x=2"}                 | ${"x{0,8}"} | ${[8]} | ${"flat"}   | ${"8-8 0-8"}
  ${"x=2"}                 | ${"~2*x"}   | ${[8]} | ${"flat"}   | ${"0-2 4-6 2-4 6-8"}
  ${"x=2"}                 | ${"x*~2"}   | ${[8]} | ${"flat"}   | ${"0-2 2-4 4-6 6-8"}
  ${"x=2@1,0"}             | ${"x"}      | ${[4]} | ${"flat"}   | ${"2-4 0-2"}
  ${"x=8@7,6,5,4,3,2,1,0"} | ${"x:(2)2"} | ${[2]} | ${"flat"}   | ${"1-2 1-2 0-1 0-1 1-2 1-2 0-1 0-1"}
`("$layout of $shape on $mesh ($chunks) is $ranges", ({ mesh, layout, shape, chunks, ranges }) => {
  const slices = slicesOf(
    passedValue(parseLayout(layout, passedValue(parseMesh(mesh)), chunks)),
    shape,
  );
  const text = slices.map(({ ranges: [range] }) => `${range?.start}-${range?.stop}`);
  expect(text.join(" ")).toBe(ranges);
});

test("pieces number the rows of a device with all dims in row-major order", () => {
  const layout = passedValue(parseLayout("~2*x,~2", passedValue(parseMesh("x=2"))));
  const rows = slicesOf(layout, [4, 4]).filter((slice) => slice.device === 1);
  expect(rows.map(({ piece, ranges }) => [piece, pairs(ranges)])).toEqual([
    [
      0,
      [
        [1, 2],
        [0, 2],
      ],
    ],
    [
      1,
      [
        [1, 2],
        [2, 4],
      ],
    ],
    [
      2,
      [
        [3, 4],
        [0, 2],
      ],
    ],
    [
      3,
      [
        [3, 4],
        [2, 4],
      ],
    ],
  ]);
  expect(rows[0]?.coordinates).toEqual({ x: 1 });
});

test("slices tile the tensor, and each element has exactly its replicas", () => {
  const property = fc.property(layoutAndShape, ({ layout, shape }) => {
    const slices = slicesOf(layout, shape);
    const volume = shape.reduce((product, size) => product * size, 1);
    const copies = new Array<number>(volume).fill(0);
    for (const { ranges } of slices) {
      for (const at of offsetsOf(ranges, shape)) copies[at] = (copies[at] ?? 0) + 1;
    }
    const free = [...replicationOf(layout), ...layout.partials.map(({ part }) => part)];
    const expected = free.reduce(
      (product, part) => product * (part.kind === "axis" ? part.size : 1),
      1,
    );
    expect(new Set(copies)).toEqual(new Set(volume === 0 ? [] : [expected]));
  });
  fc.assert(property, { seed: 1, numRuns: process.env.SOAK ? 5000 : 200 });
});

test("the local shape is that of the fullest device", () => {
  const property = fc.property(layoutAndShape, ({ layout, shape }) => {
    const held = [...heldOf(layout, shape).values()].map((dims) =>
      dims.map((ranges) => ranges.reduce((sum, { start, stop }) => sum + stop - start, 0)),
    );
    const volumes = held.map((lengths) => lengths.reduce((product, length) => product * length, 1));
    expect(localElements(layout, shape)).toBe(Math.max(...volumes));
    expect(held.some((lengths) => lengths.join() === localShape(layout, shape).join())).toBe(true);
  });
  fc.assert(property, { seed: 2, numRuns: process.env.SOAK ? 5000 : 200 });
});

function pairs(box: Box): readonly (readonly [number, number])[] {
  return box.map(({ start, stop }) => [start, stop] as const);
}

/** Row-major offsets of the points of a box. */
function offsetsOf(box: Box, shape: readonly number[]): readonly number[] {
  return box.reduce<readonly number[]>(
    (offsets, { start, stop }, dim) =>
      offsets.flatMap((offset) =>
        Array.from({ length: stop - start }, (_, i) => offset * (shape[dim] ?? 1) + start + i),
      ),
    [0],
  );
}
