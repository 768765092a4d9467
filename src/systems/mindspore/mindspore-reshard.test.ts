import fc from "fast-check";
import { expect, test } from "vitest";
import { groupsOf } from "#core/collective";
import { type Layout, localElements, printLayout, replicationOf, slicesOf } from "#core/mesh";
import { planReshard } from "#core/reshard";
import { layoutFrom, layoutsOn, meshOf } from "../../core/reshard/layouts.testing.ts";
import { faultsIn } from "../../core/reshard/replay.testing.ts";
import { type MindsporeReshardOptions, mindsporeReshard } from "./mindspore-reshard.ts";

function planned(
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options?: MindsporeReshardOptions,
) {
  const plan = mindsporeReshard(from, to, shape, options);
  if (!plan.ok) throw new Error(plan.diagnostics[0]?.message);
  return plan.value;
}

test.each`
  mesh         | from       | to          | allToAll | steps
  ${"d=4"}     | ${"d,_"}   | ${"_,_"}    | ${false} | ${"all-gather d"}
  ${"d=2"}     | ${"_,d"}   | ${"d,_"}    | ${false} | ${"all-gather d; slice d"}
  ${"d=2"}     | ${"d,_"}   | ${"_,d"}    | ${true}  | ${"all-to-all d"}
  ${"x=2,y=2"} | ${"x,y"}   | ${"y,x"}    | ${false} | ${"all-gather x; all-gather y; slice y; slice x"}
  ${"x=2,y=2"} | ${"x*y,_"} | ${"y*x,_"}  | ${true}  | ${"all-gather x; all-to-all y; slice x"}
  ${"x=2,y=3"} | ${"x*y,_"} | ${"y*x,_"}  | ${false} | ${"all-gather x; all-gather y; slice y; slice x"}
  ${"x=4"}     | ${"x"}     | ${"x:(1)2"} | ${false} | ${"all-gather x:(2)2"}
`("[§3] on $mesh MindSpore goes from $from to $to by $steps", (row) => {
  const mesh = meshOf(row.mesh);
  const [from, to] = [layoutFrom(row.from, mesh), layoutFrom(row.to, mesh)];
  const shape = from.dims.map(() => 12);
  const { steps } = planned(from, to, shape, { allToAll: row.allToAll });
  expect(steps.map(({ collective, axes }) => `${collective} ${axes}`).join("; ")).toBe(row.steps);
  expect(faultsIn(steps, from, to, shape)).toEqual([]);
});

test.each(["x=2,y=2", "x=4,y=2", "x=2,y=2,z=2", "x=3,y=2"])(
  "[7.4] on %s MindSpore's steps are right, and within the bound some point of ours matches them",
  (text) => {
    const mesh = meshOf(text);
    const shape = [24, 24, 24];
    const options = { subAxes: true };
    const pairs = fc.tuple(layoutsOn(mesh, 3, options), layoutsOn(mesh, 3, options), fc.boolean());
    fc.assert(
      fc.property(pairs, ([from, to, allToAll]) => {
        const plan = planned(from, to, shape, { allToAll });
        const name = `${printLayout(from)} to ${printLayout(to)}`;
        expect(faultsIn(plan.steps, from, to, shape), name).toEqual([]);
        const bound = Math.max(localElements(from, shape), localElements(to, shape));
        if (plan.steps.some((step) => localElements(step.layout, shape) > bound)) return;
        const count = plan.steps.filter((step) => step.collective !== "slice").length;
        const matched = planReshard(from, to, shape).front.some(
          (point) => point.steps <= count && point.elements <= plan.elements,
        );
        expect(matched, name).toBe(true);
      }),
      { seed: 5, numRuns: process.env.SOAK ? 2000 : 25 },
    );
  },
);

// mindspore.md §7b: a0…a3 of row 0 lie on the ranks 0, 4, 2, 6
test("[§7b] a dim of several axes has the first one outermost", () => {
  const layout = layoutFrom("mp,sp*dp", meshOf("dp=2,sp=2,mp=2"));
  const elements = slicesOf(layout, [2, 4]).map(({ ranges: [row, column] }) => {
    return 4 * (row?.start ?? 0) + (column?.start ?? 0);
  });
  expect(elements).toEqual([0, 4, 2, 6, 1, 5, 3, 7]);
});

test("[§0] coordinates follow the place in the rank list, not the rank", () => {
  const mesh = meshOf("x=4,y=2", [10, 3, 2, 9, 11, 100, 1, 0]);
  const groups = groupsOf(mesh, replicationOf(layoutFrom("_,y", mesh)));
  expect(groups.find((group) => group.includes(0))).toEqual([3, 9, 100, 0]);
});

test.each`
  from     | to     | shape | why
  ${"_|x"} | ${"_"} | ${8}  | ${"no partial sums"}
  ${"x"}   | ${"_"} | ${7}  | ${"dim 0 of 7 elements cannot be cut into 2"}
`("from $from to $to of $shape elements is refused: $why", ({ from, to, shape, why }) => {
  const mesh = meshOf("x=2,y=2");
  const plan = mindsporeReshard(layoutFrom(from, mesh), layoutFrom(to, mesh), [shape]);
  expect(plan.diagnostics.map(({ message }) => message).join()).toContain(why);
});
