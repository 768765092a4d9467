import fc from "fast-check";
import { expect, test } from "vitest";
import { type Layout, localElements, printLayout } from "#core/mesh";
import { planReshard } from "#core/reshard";
import { layoutFrom, layoutsOn, meshOf } from "../../core/reshard/layouts.testing.ts";
import { faultsIn } from "../../core/reshard/replay.testing.ts";
import { nnscalerReshard } from "./adapter-reshard.ts";

const shape = [24, 24, 24];

test.each`
  mesh         | from        | to          | steps                                             | warned
  ${"d=2"}     | ${"d,_"}    | ${"_,d"}    | ${"all-to-all d"}                                 | ${""}
  ${"d=2"}     | ${"_,_|d"}  | ${"d,_"}    | ${"reduce-scatter d"}                             | ${""}
  ${"d=2"}     | ${"_,_|d"}  | ${"_,_"}    | ${"all-reduce d"}                                 | ${""}
  ${"d=4"}     | ${"_,_"}    | ${"d,_"}    | ${"slice d"}                                      | ${""}
  ${"x=2,y=2"} | ${"x,y|"}   | ${"_,_"}    | ${"all-gather x; all-gather y"}                   | ${""}
  ${"x=2,y=2"} | ${"_,_"}    | ${"x,y"}    | ${"slice y; slice x"}                             | ${""}
  ${"x=2,y=2"} | ${"_,_"}    | ${"y,x"}    | ${"slice x; slice y"}                             | ${""}
  ${"x=2,y=2"} | ${"x,y"}    | ${"y,x"}    | ${"all-gather x; all-gather y; slice x; slice y"} | ${"nnscaler/copied-everywhere"}
  ${"d=2"}     | ${"d*~2,_"} | ${"_,d"}    | ${"all-to-all d"}                                 | ${""}
  ${"d=2"}     | ${"d*~4,_"} | ${"_,_"}    | ${"all-gather d"}                                 | ${""}
  ${"d=2"}     | ${"~2*d,_"} | ${"_,_"}    | ${""}                                             | ${"nnscaler/no-adapter"}
  ${"d=2"}     | ${"_,_"}    | ${"d*~2,_"} | ${""}                                             | ${"nnscaler/no-adapter"}
`("[§6.1] on $mesh nnScaler goes from $from to $to by $steps", (row) => {
  const mesh = meshOf(row.mesh);
  const [from, to] = [layoutFrom(row.from.replace(/\|$/, ""), mesh), layoutFrom(row.to, mesh)];
  const plan = nnscalerReshard(from, to, [8, 8]);
  const steps = plan.ok ? plan.value.steps : [];
  expect(steps.map(({ collective, axes }) => `${collective} ${axes}`).join("; ")).toBe(row.steps);
  expect(plan.diagnostics.map(({ code }) => code).join()).toBe(row.warned);
  if (plan.ok) expect(faultsIn(steps, from, to, [8, 8])).toEqual([]);
});

test.each(["x=2,y=2", "x=4,y=2", "x=2,y=2,z=2", "x=3,y=2"])(
  "[7.4] on %s nnScaler's steps are right, and within the bound some point of ours matches them",
  (text) => {
    const mesh = meshOf(text);
    const pairs = fc.tuple(layoutsOn(mesh, 3, { partial: true }), layoutsOn(mesh, 3));
    let planned = 0;
    fc.assert(
      fc.property(pairs, ([from, to]) => {
        const plan = nnscalerReshard(from, to, shape);
        if (!plan.ok) return;
        planned += 1;
        const { steps, elements } = plan.value;
        const name = `${printLayout(from)} to ${printLayout(to)}`;
        expect(faultsIn(steps, from, to, shape), name).toEqual([]);
        const bound = Math.max(localElements(from, shape), localElements(to, shape));
        if (steps.some((step) => localElements(step.layout, shape) > bound)) return;
        const count = steps.filter((step) => step.collective !== "slice").length;
        const matched = planReshard(from, to, shape).front.some(
          (point) => point.steps <= count && point.elements <= elements,
        );
        expect(matched, name).toBe(true);
      }),
      { seed: 9, numRuns: process.env.SOAK ? 2000 : 25 },
    );
    expect(planned).toBeGreaterThan(text === "x=3,y=2" ? 5 : 24);
  },
);

test("a hop across the axes of the mesh is refused", () => {
  const mesh = meshOf("x=2,y=3");
  const plan = nnscalerReshard(layoutFrom("x,y", mesh), layoutFrom("y,x", mesh), [12, 12]);
  expect(plan.diagnostics[0]?.message).toContain("cuts across the axes of the mesh");
});

test("another order of the devices is copied everywhere, then cut", () => {
  const from = layoutFrom("x,_,_", meshOf("x=4"));
  const to: Layout = { ...from, mesh: meshOf("x=4", [1, 0, 3, 2]) };
  const plan = nnscalerReshard(from, to, shape);
  const steps = plan.ok ? plan.value.steps : [];
  expect(steps.map(({ collective }) => collective)).toEqual(["all-gather", "slice"]);
});

test("six devices: the hop that nnScaler takes by mistake is named, and not taken", () => {
  const mesh = meshOf("x=6");
  const [from, to] = [layoutFrom("x:(1)2", mesh), layoutFrom("x:(1)3", mesh)];
  const plan = nnscalerReshard(from, to, [12]);
  expect(plan.diagnostics.map(({ code }) => code)).toEqual(["nnscaler/fractional-hop"]);
  const steps = plan.ok ? plan.value.steps : [];
  expect(steps.map(({ collective, axes }) => [collective, ...axes])).toEqual([
    ["slice", "x:(2)3"],
    ["all-gather", "x:(3)2"],
  ]);
  expect(faultsIn(steps, from, to, [12])).toEqual([]);
});

test.each`
  from          | to       | size | why
  ${"x"}        | ${"_|x"} | ${8} | ${"no value chunk"}
  ${"_|max(x)"} | ${"_"}   | ${8} | ${"sums"}
  ${"x"}        | ${"_"}   | ${7} | ${"uneven"}
  ${"~2*x"}     | ${"_"}   | ${8} | ${"one block per device"}
`("from $from to $to of $size elements is refused: $why", ({ from, to, size, why }) => {
  const mesh = meshOf("x=2,y=2");
  const plan = nnscalerReshard(layoutFrom(from, mesh), layoutFrom(to, mesh), [size]);
  expect(plan.ok).toBe(false);
  expect(plan.diagnostics.map(({ message }) => message).join()).toContain(why);
});
