import fc from "fast-check";
import { expect, test } from "vitest";
import { type Layout, localElements, type Part, printLayout } from "#core/mesh";
import { layoutsOn, meshOf } from "./layouts.testing.ts";
import { lowerBound } from "./lower-bound.ts";
import { planReshard } from "./plan-reshard.ts";
import { faultsOf } from "./replay.testing.ts";

const runs = (count: number) => ({ seed: 7, numRuns: process.env.SOAK ? 80 * count : count });
const mesh = meshOf("x=2,y=2,z=2");
const shape = [8, 8, 8];
const whole = layoutsOn(mesh, 3);
const summed = layoutsOn(mesh, 3, { partial: true });

function elementsBySteps(from: Layout, to: Layout, sizes: readonly number[] = shape): number[] {
  const { front } = planReshard(from, to, sizes);
  return [0, 1, 2, 3, 4].map((steps) =>
    Math.min(...front.filter((point) => point.steps <= steps).map((point) => point.elements)),
  );
}

test("[7.9.5] going through a layout within the bound is never cheaper than going straight", () => {
  fc.assert(
    fc.property(summed, whole, whole, (from, middle, to) => {
      const bound = Math.max(localElements(from, shape), localElements(to, shape));
      if (localElements(middle, shape) > bound) return;
      const [first, second] = [elementsBySteps(from, middle), elementsBySteps(middle, to)];
      const straight = elementsBySteps(from, to);
      for (const [steps, elements] of straight.entries()) {
        const split = first.slice(0, steps + 1).map((one, at) => one + (second[steps - at] ?? 0));
        expect(elements).toBeLessThanOrEqual(Math.min(...split) + 1e-9);
      }
    }),
    runs(30),
  );
});

test("[7.9.6] renaming axes of equal size leaves the front unchanged", () => {
  const renamed = (layout: Layout): Layout => {
    const other = new Map([
      ["x", "z"],
      ["y", "x"],
      ["z", "y"],
    ]);
    const rename = (part: Part): Part =>
      part.kind === "axis" ? { ...part, axis: other.get(part.axis) ?? part.axis } : part;
    return {
      ...layout,
      dims: layout.dims.map((dim) => ({ ...dim, parts: dim.parts.map(rename) })),
      partials: layout.partials.map((partial) => ({ ...partial, part: rename(partial.part) })),
    };
  };
  fc.assert(
    fc.property(summed, whole, (from, to) => {
      expect(planReshard(renamed(from), renamed(to), shape).front).toEqual(
        planReshard(from, to, shape).front,
      );
    }),
    runs(30),
  );
});

test("[7.9.6] permuting the dims leaves the front unchanged", () => {
  const turned = (layout: Layout) => ({ ...layout, dims: layout.dims.toReversed() });
  fc.assert(
    fc.property(summed, whole, (from, to) => {
      const sizes = [8, 16, 32];
      expect(planReshard(turned(from), turned(to), sizes.toReversed()).front).toEqual(
        planReshard(from, to, sizes).front,
      );
    }),
    runs(30),
  );
});

test("[7.9.7] equal requests give equal plans", () => {
  const copy = (layout: Layout): Layout => structuredClone(layout);
  fc.assert(
    fc.property(summed, whole, (from, to) => {
      expect(planReshard(copy(from), copy(to), shape)).toEqual(planReshard(from, to, shape));
    }),
    runs(20),
  );
});

test("[7.3] with the exchange every plan without partials meets the bound in two steps", () => {
  fc.assert(
    fc.property(whole, whole, (from, to) => {
      const last = planReshard(from, to, shape, { exchange: true }).front.at(-1);
      expect(last?.elements, `${printLayout(from)} to ${printLayout(to)}`).toBe(
        lowerBound(from, to, shape),
      );
      expect(last?.steps).toBeLessThanOrEqual(2);
    }),
    runs(60),
  );
});

test("[7.3] without the exchange no plan takes more than half above the bound", () => {
  fc.assert(
    fc.property(whole, whole, (from, to) => {
      const least = planReshard(from, to, shape).front.at(-1)?.elements ?? 0;
      expect(least).toBeLessThanOrEqual(1.5 * lowerBound(from, to, shape));
    }),
    runs(60),
  );
});

test("[7.4] a front falls with every step and ends at what is proven", () => {
  fc.assert(
    fc.property(summed, whole, fc.boolean(), (from, to, exchange) => {
      const { front, exact, gap, elements } = planReshard(from, to, shape, { exchange });
      for (const [at, point] of front.entries()) {
        const before = front[at - 1];
        if (before === undefined) continue;
        expect(point.steps).toBeGreaterThan(before.steps);
        expect(point.elements).toBeLessThan(before.elements);
      }
      expect(front.map((point) => point.elements)).toContain(elements);
      expect([exact, gap]).toEqual([true, 0]);
    }),
    runs(60),
  );
});

test.each(["avg", "max", "min", "prod"] as const)(
  "[7.7] partials of kind %s are combined as sums are",
  (kind) => {
    fc.assert(
      fc.property(summed, whole, (from, to) => {
        const partials = from.partials.map(({ part }) => ({ part, reduce: kind }));
        const plan = planReshard({ ...from, partials }, to, shape);
        expect(plan.front).toEqual(planReshard(from, to, shape).front);
        expect(faultsOf(plan, { ...from, partials }, to, shape)).toEqual([]);
      }),
      runs(10),
    );
  },
);

const links = [
  { latency: 1e-6, bandwidth: 1e8 },
  { latency: 9e-6, bandwidth: 3e8 },
] as const;

/** Shapes cut evenly and unevenly, in digits that align and in others. */
const sizes = fc.constantFrom(5, 8, 12, 24);

test.each(["x=2,y=2,z=2", "x=2,y=3,z=2", "x=4,y=2,z=4", "x=8,y=4,z=4", "x=6,y=4,z=6"])(
  "on %s a plan takes as long with its dims in another order and equal axes exchanged",
  (text) => {
    const mesh = meshOf(text);
    const question = fc.record({
      from: layoutsOn(mesh, 3, { partial: true }),
      to: layoutsOn(mesh, 3),
      shape: fc.tuple(sizes, sizes, sizes),
      dims: fc.constantFrom([0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]),
      isOneLink: fc.boolean(),
      exchanges: fc.boolean(),
    });
    const seen = new Set<string>();
    fc.assert(
      fc.property(question, ({ from, to, shape, dims, isOneLink, exchanges }) => {
        const [fast, slow] = links;
        const price = { links: { x: fast, y: isOneLink ? fast : slow, z: fast } };
        const swap = (part: Part): Part => {
          const names = new Map([
            ["x", "z"],
            ["z", "x"],
          ]);
          if (part.kind === "pieces" || !exchanges) return part;
          return { ...part, axis: names.get(part.axis) ?? part.axis };
        };
        const isEqual = mesh.axes[0]?.size === mesh.axes[2]?.size;
        const turned = (layout: Layout): Layout => ({
          ...layout,
          dims: dims.map((dim) => {
            const { parts = [], chunks = "flat" } = layout.dims[dim] ?? {};
            return { parts: isEqual ? parts.map(swap) : parts, chunks };
          }),
          partials: layout.partials.map((each) => ({
            ...each,
            part: isEqual ? swap(each.part) : each.part,
          })),
        });
        const plan = planReshard(from, to, shape, price);
        const other = dims.map((dim) => shape[dim] ?? 1);
        const [start, end] = [turned(from), turned(to)];
        const same = planReshard(start, end, other, price);
        const name = `${printLayout(from)} to ${printLayout(to)} of ${shape}`;
        expect(same.front.length, name).toBe(plan.front.length);
        expect(same.seconds * 1e3, name).toBeCloseTo(plan.seconds * 1e3, 9);
        expect(faultsOf(same, start, end, other), name).toEqual([]);
        if (plan.steps.length > 1) seen.add(name);
      }),
      runs(8),
    );
    expect(seen.size).toBeGreaterThan(4);
  },
);
