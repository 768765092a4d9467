import fc from "fast-check";
import { expect, test } from "vitest";
import { type Layout, printLayout } from "#core/mesh";
import { layoutFrom, layoutsOn, meshOf } from "./layouts.testing.ts";
import { planReshard } from "./plan-reshard.ts";
import { faultsOf } from "./replay.testing.ts";

const runs = (count: number) => ({ seed: 1, numRuns: process.env.SOAK ? 40 * count : count });

const meshes = ["x=2", "x=4", "x=2,y=2", "x=8", "x=4,y=2", "x=2,y=2,z=2"];

test.each(meshes)(
  "[7.9.2] every plan on %s turns the source into the target on numbered elements",
  (text) => {
    const mesh = meshOf(text);
    const pairs = fc
      .integer({ min: 1, max: 3 })
      .chain((rank) =>
        fc.tuple(
          layoutsOn(mesh, rank, { partial: true, subAxes: true }),
          layoutsOn(mesh, rank, { subAxes: true }),
          fc.constant(Array.from({ length: rank }, () => 8)),
          fc.boolean(),
        ),
      );
    fc.assert(
      fc.property(pairs, ([from, to, shape, exchange]) => {
        const plan = planReshard(from, to, shape, { exchange });
        const faults = faultsOf(plan, from, to, shape);
        expect(faults, `${printLayout(from)} to ${printLayout(to)}`).toEqual([]);
      }),
      runs(60),
    );
  },
);

test.each`
  from         | to         | steps
  ${"x,_"}     | ${"_,_"}   | ${"all-gather x"}
  ${"x,_"}     | ${"_,x"}   | ${"all-to-all x"}
  ${"_,_|x"}   | ${"_,_"}   | ${"all-reduce x"}
  ${"_,_|x"}   | ${"x,_"}   | ${"reduce-scatter x"}
  ${"_,_"}     | ${"x,y"}   | ${"slice x y"}
  ${"x,_"}     | ${"y,_"}   | ${"collective-permute x y"}
  ${"x*y,_"}   | ${"_,_"}   | ${"all-gather x y"}
  ${"_,_|x,y"} | ${"_,_"}   | ${"all-reduce x y"}
  ${"x*y,_"}   | ${"y*x,_"} | ${"collective-permute x y"}
  ${"x,_"}     | ${"x,_"}   | ${""}
`("[7.2] $from to $to takes [$steps]", ({ from, to, steps }) => {
  const mesh = meshOf("x=4,y=4");
  const plan = planReshard(layoutFrom(from, mesh), layoutFrom(to, mesh), [16, 16]);
  const text = plan.steps.map((step) => `${step.collective} ${step.axes.join(" ")}`).join("; ");
  expect(text).toBe(steps);
});

test.each`
  first        | second       | devices
  ${"x=2,y=2"} | ${"x=2,y=2"} | ${[0, 2, 1, 3]}
  ${"x=2,y=2"} | ${"d=4"}     | ${[3, 2, 1, 0]}
  ${"x=2,y=3"} | ${"u=3,v=2"} | ${[0, 1, 2, 3, 4, 5]}
  ${"x=6"}     | ${"u=2,v=3"} | ${[0, 1, 2, 3, 4, 5]}
  ${"x=8"}     | ${"a=2,b=4"} | ${[0, 1, 2, 3, 4, 5, 6, 7]}
  ${"x=4,y=2"} | ${"x=4,y=2"} | ${[7, 1, 2, 3, 4, 5, 6, 0]}
`(
  "[7.7] plans from $first to $second on devices $devices are right",
  ({ first, second, devices }) => {
    const [source, target] = [meshOf(first), meshOf(second, devices)];
    const rank = 2;
    const pairs = fc.tuple(
      layoutsOn(source, rank, { partial: true }),
      layoutsOn(target, rank),
      fc.boolean(),
    );
    fc.assert(
      fc.property(pairs, ([from, to, exchange]) => {
        const shape = [12, 24];
        const plan = planReshard(from, to, shape, { exchange });
        const faults = faultsOf(plan, from, to, shape);
        expect(faults, `${printLayout(from)} to ${printLayout(to)}`).toEqual([]);
      }),
      runs(60),
    );
  },
);

test.each(["x=2,y=2", "x=3", "x=2,y=3", "x=2,y=2,z=2", "x=4,y=6"])(
  "[7.7] plans on %s for dims that may be uneven or misaligned are right",
  (text) => {
    const mesh = meshOf(text);
    const size = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(12, 24));
    const pairs = fc.tuple(
      layoutsOn(mesh, 2, { partial: true }),
      layoutsOn(mesh, 2),
      fc.tuple(size, size),
      fc.boolean(),
      fc.constantFrom("flat", "nested"),
    );
    const chunked = (layout: Layout, chunks: "flat" | "nested"): Layout => ({
      ...layout,
      dims: layout.dims.map((dim) => ({ ...dim, chunks })),
    });
    fc.assert(
      fc.property(pairs, ([from, to, shape, exchange, chunks]) => {
        const [source, target] = [chunked(from, chunks), chunked(to, chunks)];
        const plan = planReshard(source, target, shape, { exchange });
        const faults = faultsOf(plan, source, target, shape);
        expect(faults, `${printLayout(from)} to ${printLayout(to)} ${shape}`).toEqual([]);
      }),
      runs(60),
    );
  },
);

test("[7.2] a partial that the source lacks is made by a last step that moves nothing", () => {
  const mesh = meshOf("x=2,y=2");
  const plan = planReshard(layoutFrom("x", mesh), layoutFrom("_|y", mesh), [8]);
  const steps = plan.steps.map(({ collective, moves, elements }) => ({
    collective,
    moves,
    elements,
  }));
  const part = (axis: string) => ({ kind: "axis", axis, before: 1, size: 2 });
  expect(steps).toEqual([
    {
      collective: "all-gather",
      moves: [{ part: part("x"), from: { dim: 0, position: 0 } }],
      elements: 4,
    },
    { collective: "slice", moves: [{ part: part("y") }], elements: 0 },
  ]);
});

test.each`
  from    | to      | shape  | why
  ${"x"}  | ${"x"}  | ${[8]} | ${"equal layouts"}
  ${"x"}  | ${"_"}  | ${[0]} | ${"no elements"}
  ${"u"}  | ${"_"}  | ${[8]} | ${"an axis of one device"}
  ${"()"} | ${"()"} | ${[]}  | ${"rank 0"}
`("[7.7] $from to $to of $shape takes no step: $why", ({ from, to, shape }) => {
  const mesh = meshOf("x=2,u=1");
  const plan = planReshard(layoutFrom(from, mesh), layoutFrom(to, mesh), shape);
  expect([plan.steps, plan.front, plan.lowerBound]).toEqual([[], [{ steps: 0, elements: 0 }], 0]);
});

test("[7.4] a bound above both ends lets one gather and a slice do for a permute and a gather", () => {
  const mesh = meshOf("x=4,y=2");
  const [from, to] = [layoutFrom("x,_", mesh), layoutFrom("y,_", mesh)];
  const { front } = planReshard(from, to, [16, 16], { boundElements: 256 });
  expect(front).toEqual([
    { steps: 1, elements: 192 },
    { steps: 2, elements: 128 },
  ]);
});
