import fc from "fast-check";
import { expect, test } from "vitest";
import { type DeviceMesh, type Layout, type Link, printLayout } from "#core/mesh";
import { layoutOf, stateOf } from "./axis-state.ts";
import { layoutsOn, meshOf } from "./layouts.testing.ts";
import { createReshardPlanner } from "./plan-reshard.ts";
import { RouteTimes } from "./route-times.ts";

const slow = { latency: 9e-6, bandwidth: 2e9 };
const fast = { latency: 1e-6, bandwidth: 9e10 };

/** A mesh on which one axis has a link of its own; or two links, if the axis spans two nodes. */
function linked(text: string, slowAxis: string, isOfNodes: boolean): DeviceMesh {
  const mesh = meshOf(text);
  const linkOf = (size: number): Link => {
    const isHalved = isOfNodes && size > 2 && size % 2 === 0;
    const inner = { ...fast, fabric: "switch" as const, devices: size / 2, nodes: 2 };
    return isHalved ? { ...slow, fabric: "two-level", inner } : slow;
  };
  const axes = mesh.axes.map((axis) => ({
    ...axis,
    link: axis.name === slowAxis ? linkOf(axis.size) : fast,
  }));
  return { ...mesh, axes };
}

test.each(["x=2,y=2", "x=4,y=2", "x=2,y=2,z=2", "x=3,y=9", "x=4,y=2,z=4"])(
  "on %s a redistribution takes what its plan takes, and no less than its bound",
  (text) => {
    const sizes = fc.constantFrom(8, 36, 96, 1152, 12_288);
    const seen = { searched: 0, equal: 0 };
    for (const slowAxis of ["", "y", "x, of nodes"]) {
      const mesh = linked(text, slowAxis.charAt(0), slowAxis.endsWith("nodes"));
      const times = RouteTimes.of(mesh);
      const planReshard = createReshardPlanner();
      const check = (from: Layout, to: Layout, shape: readonly number[], bytes: number) => {
        const [source, target] = [stateOf(from), stateOf(to)];
        if (source === undefined || target === undefined) return;
        const time = times?.timeOf(source, target, shape);
        if (time === undefined) return;
        const name = `${printLayout(from)} to ${printLayout(to)} of ${shape}`;
        const bound = time.bound(bytes);
        const [start, end] = [layoutOf(source, mesh), layoutOf(target, mesh)];
        const { seconds } = planReshard(start, end, shape, { bytesPerElement: bytes });
        expect(bound, name).toBeLessThanOrEqual(seconds * (1 + 1e-9));
        expect(Math.abs((time.seconds(bytes) ?? 0) - seconds), name).toBeLessThan(
          1e-9 * seconds + 1e-15,
        );
        expect(time.bound(bytes), name).toBe(time.seconds(bytes));
        seen[bound < seconds * (1 - 1e-9) ? "searched" : "equal"] += 1;
      };
      const question = [
        layoutsOn(mesh, 3, { partial: true }),
        layoutsOn(mesh, 3),
        fc.tuple(sizes, sizes, sizes),
        fc.constantFrom(2, 4),
      ] as const;
      fc.assert(fc.property(...question, check), { seed: 3, numRuns: 60 });
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(4);
  },
);

test("a mesh whose axes have no prime in common is left to the search", () => {
  expect(RouteTimes.of(meshOf("x=2,y=3"))).toBeUndefined();
});
