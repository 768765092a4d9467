import fc from "fast-check";
import { expect, test } from "vitest";
import type { Checked } from "#core/diagnostics";
import { blockCount, type Layout, localElements, printLayout } from "#core/mesh";
import { type PricedSteps, planReshard, type ReshardPlan } from "#core/reshard";
import { layoutsOn, meshOf } from "../core/reshard/layouts.testing.ts";
import { faultsIn, faultsOf } from "../core/reshard/replay.testing.ts";
import { reshardingSystems } from "./system-answers.ts";

type Policy = (from: Layout, to: Layout, shape: readonly number[]) => Checked<PricedSteps>;

/** Every system that plans redistributions itself. */
const systems: Readonly<Record<string, Policy>> = Object.fromEntries(
  reshardingSystems().map(({ name, reshards }) => [
    name,
    (from, to, shape) => reshards.between(from, to, shape, {}),
  ]),
);

/** Distinct pairs that every policy plans and replays on each of the six meshes. */
const quota = process.env.SOAK ? 334 : 40;

/** Pairs of layouts that cut evenly; half start from partial sums. */
function pairsOn(text: string, devices: readonly number[] | undefined, shape: readonly number[]) {
  const mesh = meshOf(text, devices);
  const isEven = ({ dims }: Layout) =>
    dims.every(({ parts }, dim) => {
      const pieces = blockCount(parts);
      return (shape[dim] ?? 1) % pieces === 0;
    });
  const sources = fc.boolean().chain((partial) => layoutsOn(mesh, shape.length, { partial }));
  const pairs = fc.tuple(sources.filter(isEven), layoutsOn(mesh, shape.length).filter(isEven));
  return fc.sample(pairs, { seed: 11, numRuns: 12 * quota });
}

/**
 * Fault of a system's plan: wrong data, or figures that no point of the planner's front matches
 * (§7.4).
 */
function faultOf(plan: PricedSteps, ours: ReshardPlan, from: Layout, to: Layout, shape: number[]) {
  const [fault] = faultsIn(plan.steps, from, to, shape);
  if (fault !== undefined) return fault;
  const bound = Math.max(localElements(from, shape), localElements(to, shape));
  if (plan.steps.some((step) => localElements(step.layout, shape) > bound)) return undefined;
  const count = plan.steps.filter(({ collective }) => collective !== "slice").length;
  const isMatched = ours.front.some(
    (point) => point.steps <= count && point.elements <= plan.elements,
  );
  return isMatched ? undefined : "no point of our front matches it";
}

test.each`
  mesh             | devices         | shape
  ${"x=2,y=2"}     | ${undefined}    | ${[4, 4, 4]}
  ${"x=2,y=2"}     | ${[2, 0, 3, 1]} | ${[4, 4, 4]}
  ${"x=4,y=2"}     | ${undefined}    | ${[4, 4, 4, 4]}
  ${"x=2,y=2,z=2"} | ${undefined}    | ${[4, 4, 2]}
  ${"x=2,y=4"}     | ${undefined}    | ${[4, 4, 4, 4]}
  ${"x=3,y=2"}     | ${undefined}    | ${[6, 6, 6]}
`("[7.4] on $mesh every policy ends in the right slices, none better than ours", (row) => {
  const planned = new Map<string, number>();
  const seen = new Set<string>();
  for (const [from, to] of pairsOn(row.mesh, row.devices, row.shape)) {
    const name = `${printLayout(from)} to ${printLayout(to)}`;
    const open = Object.entries(systems).filter(([key]) => (planned.get(key) ?? 0) < quota);
    if (open.length === 0) break;
    if (seen.has(name)) continue;
    seen.add(name);
    const ours = planReshard(from, to, row.shape);
    expect(faultsOf(ours, from, to, row.shape), name).toEqual([]);
    for (const [key, policy] of open) {
      const plan = policy(from, to, row.shape);
      if (!plan.ok) continue;
      planned.set(key, (planned.get(key) ?? 0) + 1);
      expect(faultOf(plan.value, ours, from, to, row.shape), `${key}: ${name}`).toBe(undefined);
    }
  }
  expect([...planned.values()]).toEqual(Object.keys(systems).map(() => quota));
});

// DTensor's uneven dims are nested chunks, so its plans end in other blocks than the flat ones used
// here.
test.each`
  mesh             | shape
  ${"x=4,y=2"}     | ${[8, 8, 1]}
  ${"x=2,y=2,z=2"} | ${[5, 6, 7]}
  ${"x=2,y=2,z=2"} | ${[3, 8, 2]}
`(
  "[7.7] on $mesh and uneven $shape no plan of Shardy's that arrives is better than ours",
  (row) => {
    const mesh = meshOf(row.mesh);
    const layouts = layoutsOn(mesh, row.shape.length);
    let compared = 0;
    for (const [from, to] of fc.sample(fc.tuple(layouts, layouts), {
      seed: 3,
      numRuns: process.env.SOAK ? 150 : 50,
    })) {
      const name = `${printLayout(from)} to ${printLayout(to)}`;
      const ours = planReshard(from, to, row.shape);
      expect(faultsOf(ours, from, to, row.shape), name).toEqual([]);
      const plan = systems.shardy?.(from, to, row.shape);
      if (!plan?.ok || faultsIn(plan.value.steps, from, to, row.shape).length > 0) continue;
      compared += 1;
      expect(faultOf(plan.value, ours, from, to, row.shape), name).toBe(undefined);
    }
    expect(compared).toBeGreaterThan(15);
  },
);
