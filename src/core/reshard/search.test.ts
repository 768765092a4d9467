import fc from "fast-check";
import { expect, test } from "vitest";
import { printLayout } from "#core/mesh";
import { frameOf } from "./align.ts";
import { exhaustiveFront } from "./exhaustive.testing.ts";

import { layoutsOn, meshOf } from "./layouts.testing.ts";
import { searchRoutes } from "./search.ts";
import { spaceOf } from "./space.ts";

test.each`
  mesh             | shape        | count
  ${"x=2,y=2"}     | ${[4]}       | ${20}
  ${"x=2,y=2"}     | ${[4, 4]}    | ${60}
  ${"x=2,y=2"}     | ${[2, 4, 2]} | ${40}
  ${"x=4,y=2"}     | ${[8, 8]}    | ${40}
  ${"x=2,y=3"}     | ${[6, 6]}    | ${40}
  ${"x=2,y=2,z=2"} | ${[8, 2]}    | ${40}
  ${"x=2,y=2,z=2"} | ${[4, 4]}    | ${40}
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
      const space = spaceOf(frame, false);
      const { front, isExact } = searchRoutes(space, 1e6);
      const points = front.map(({ edges, elements }) => ({ steps: edges.length, elements }));
      const name = `${printLayout(from)} to ${printLayout(to)}`;
      expect(isExact).toBe(true);
      expect(points, name).toEqual(exhaustiveFront(space));
    }),
    { seed: 1, numRuns: process.env.SOAK ? 20 * count : count },
  );
});
