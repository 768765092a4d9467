import fc from "fast-check";
import { expect, test } from "vitest";
import { layoutsOn, meshOf } from "./layouts.testing.ts";
import { createReshardPlanner, planReshard, type ReshardPlan } from "./plan-reshard.ts";

const runs = { seed: 1, numRuns: process.env.SOAK ? 400 : 15 };

/** A plan as text, its figures rounded so that thirds compare equal. */
function textOf(plan: ReshardPlan): string {
  return JSON.stringify(plan, (_, value) =>
    typeof value === "number" ? Number(value.toPrecision(12)) : value,
  );
}

test.each(["x=4,y=2", "x=2,y=3", "x=6,y=4", "x=2,y=2,z=2"])(
  "on %s one planner for many shapes plans each as if it were the only one",
  (text) => {
    const mesh = meshOf(text);
    const options = { partial: true, subAxes: true };
    const sizes = fc.constantFrom(8, 24, 48, 60, 96, 360, 1_000, 3_456, 12_288);
    const planner = createReshardPlanner();
    const edges = fc.tuple(
      layoutsOn(mesh, 2, options),
      layoutsOn(mesh, 2, { subAxes: true }),
      fc.array(fc.tuple(sizes, sizes), { minLength: 3, maxLength: 3 }),
      fc.constantFrom({}, { bytesPerElement: 2 }),
    );
    fc.assert(
      fc.property(edges, ([from, to, shapes, price]) => {
        for (const shape of shapes) {
          const alone = planReshard(from, to, shape, price);
          expect(textOf(planner(from, to, shape, price))).toBe(textOf(alone));
        }
      }),
      runs,
    );
  },
);
