import fc from "fast-check";
import { expect, test } from "vitest";
import { printLayout } from "#core/mesh";
import { frameOf } from "./align.ts";
import { exhaustiveFront } from "./exhaustive.testing.ts";
import { layoutsOn, meshOf } from "./layouts.testing.ts";
import type { PriceOptions } from "./rates.ts";
import { type Route, searchRoutes } from "./search.ts";
import { spaceOf } from "./space.ts";

/** A link of its own for each axis. */
const own: PriceOptions = {
  links: {
    x: { latency: 1e-6, bandwidth: 1e7 },
    y: { latency: 7e-6, bandwidth: 3e7 },
    z: { latency: 2e-6, bandwidth: 2e6 },
  },
};

/** Prices of collectives, and bytes per element. */
const prices: readonly (readonly [PriceOptions, number])[] = [
  [{}, 4],
  [own, 1],
  [own, 1000],
];

test.each`
  mesh             | shape        | count
  ${"x=2,y=2"}     | ${[4]}       | ${10}
  ${"x=2,y=2"}     | ${[4, 4]}    | ${12}
  ${"x=2,y=2"}     | ${[2, 4, 2]} | ${8}
  ${"x=4,y=2"}     | ${[8, 8]}    | ${8}
  ${"x=2,y=3"}     | ${[6, 6]}    | ${8}
  ${"x=2,y=2,z=2"} | ${[8, 2]}    | ${8}
  ${"x=2,y=2,z=2"} | ${[4, 4]}    | ${8}
`("[7.4] on $mesh and $shape the front is that of trying everything", ({ mesh, shape, count }) => {
  const on = meshOf(mesh);
  const pairs = fc.tuple(
    layoutsOn(on, shape.length, { partial: true, subAxes: true }),
    layoutsOn(on, shape.length, { subAxes: true }),
  );
  fc.assert(
    fc.property(pairs, ([from, to]) => {
      const frame = frameOf(from, to, shape);
      if (frame === undefined) return;
      const name = `${printLayout(from)} to ${printLayout(to)}`;
      for (const [price, bytes] of prices) {
        const space = spaceOf(frame, false, undefined, price);
        const { front, isExact } = searchRoutes(space, 1e6);
        expect(isExact).toBe(true);
        const points = pointsAt(front, bytes);
        const all = exhaustiveFront(space, bytes);
        expect(points.map(figures), name).toEqual(all.map(figures));
        for (const [at, { seconds }] of points.entries()) {
          expect(seconds * 1e3, name).toBeCloseTo(1e3 * (all[at]?.seconds ?? -1), 9);
        }
      }
    }),
    { seed: 1, numRuns: process.env.SOAK ? 105 * count : count },
  );
});

/** The quickest route of every point of a front, for elements of `bytes` bytes. */
function pointsAt(front: readonly Route[], bytes: number) {
  const points = new Map<number, { steps: number; elements: number; seconds: number }>();
  for (const { edges, elements, rate } of front) {
    const seconds = rate.fixed + bytes * rate.perByte;
    const there = points.get(edges.length);
    if (there !== undefined && there.seconds <= seconds) continue;
    points.set(edges.length, { steps: edges.length, elements, seconds });
  }
  return [...points.values()];
}

function figures({ steps, elements }: { steps: number; elements: number }) {
  return { steps, elements };
}
