import fc from "fast-check";
import { expect, test } from "vitest";
import { type Layout, localElements, printLayout } from "#core/mesh";
import { planReshard } from "#core/reshard";
import { layoutFrom, layoutsOn, meshOf } from "../../core/reshard/layouts.testing.ts";
import { faultsIn } from "../../core/reshard/replay.testing.ts";
import { dtensorReshard } from "./dtensor-reshard.ts";

function planned(from: Layout, to: Layout, shape: readonly number[]) {
  const plan = dtensorReshard(from, to, shape);
  if (!plan.ok) return undefined;
  const moving = plan.value.steps.filter((step) => step.collective !== "slice");
  return { ...plan.value, count: moving.length };
}

test.each`
  row   | mesh             | shape           | from         | to           | elements   | steps
  ${15} | ${"x=4,y=2"}     | ${[4096, 4096]} | ${"_,y"}     | ${"x*y,_"}   | ${8388608} | ${1}
  ${16} | ${"x=2,y=2"}     | ${[16, 16]}     | ${"x*y,_"}   | ${"_,x*y"}   | ${128}     | ${2}
  ${17} | ${"x=2,y=2,z=2"} | ${[16, 16]}     | ${"x*y*z,_"} | ${"_,x*y*z"} | ${160}     | ${3}
  ${18} | ${"x=2,y=2"}     | ${[8, 8]}       | ${"x,y"}     | ${"y,x"}     | ${32}      | ${2}
  ${19} | ${"x=2,y=2,z=2"} | ${[8, 8, 8]}    | ${"x,y,z"}   | ${"z,y,x"}   | ${128}     | ${2}
  ${21} | ${"x=2,y=2"}     | ${[8, 8]}       | ${"y,_|x"}   | ${"_,_"}     | ${96}      | ${2}
  ${23} | ${"x=4,y=2"}     | ${[16, 16, 16]} | ${"y,_,x"}   | ${"_,x*y,_"} | ${1280}    | ${2}
`("[7.6.$row] DTensor goes from $from to $to in $steps steps with $elements elements", (row) => {
  const mesh = meshOf(row.mesh);
  const plan = planned(layoutFrom(row.from, mesh), layoutFrom(row.to, mesh), row.shape);
  expect([plan?.count, plan?.elements]).toEqual([row.steps, row.elements]);
});

test.each(["x=2,y=2", "x=4,y=2", "x=2,y=2,z=2"])(
  "[7.4] on %s DTensor's plans are right, and within the bound some point of ours matches them",
  (text) => {
    const mesh = meshOf(text);
    const shape = [16, 16, 16];
    const pairs = fc.tuple(layoutsOn(mesh, 3, { partial: true }), layoutsOn(mesh, 3));
    fc.assert(
      fc.property(pairs, ([from, to]) => {
        const plan = planned(from, to, shape);
        if (plan === undefined) return;
        const name = `${printLayout(from)} to ${printLayout(to)}`;
        expect(faultsIn(plan.steps, from, to, shape), name).toEqual([]);
        const bound = Math.max(localElements(from, shape), localElements(to, shape));
        if (plan.steps.some((step) => localElements(step.layout, shape) > bound)) return;
        const matched = planReshard(from, to, shape).front.some(
          (point) => point.steps <= plan.count && point.elements <= plan.elements,
        );
        expect(matched, name).toBe(true);
      }),
      { seed: 3, numRuns: process.env.SOAK ? 2000 : 100 },
    );
  },
);

// Collectives observed in a run of DTensor 2.13, in order.
test.each`
  from       | to       | hops
  ${"_|x,y"} | ${"_"}   | ${["all-reduce x", "all-reduce y"]}
  ${"_|y"}   | ${"x"}   | ${["slice x", "all-reduce y"]}
  ${"_|x"}   | ${"y"}   | ${["all-reduce x", "slice y"]}
  ${"y,_|x"} | ${"_,_"} | ${["all-gather y", "all-reduce x"]}
`("$from to $to goes $hops: from the last axis on only where something is cut", (row) => {
  const mesh = meshOf("x=2,y=2");
  const shape = row.to.includes(",") ? [8, 8] : [8];
  const plan = planned(layoutFrom(row.from, mesh), layoutFrom(row.to, mesh), shape);
  expect(plan?.steps.map(({ collective, axes }) => `${collective} ${axes.join()}`)).toEqual(
    row.hops,
  );
});

test("uneven dims are cut in nested chunks and priced at the padded size", () => {
  const mesh = meshOf("x=2,y=2");
  const nested = (text: string): Layout => {
    const layout = layoutFrom(text, mesh);
    return { ...layout, dims: layout.dims.map((dim) => ({ ...dim, chunks: "nested" })) };
  };
  const [from, to] = [nested("x*y"), nested("x")];
  const plan = planned(from, to, [5]);
  expect(plan?.steps.map((step) => [step.collective, step.elements])).toEqual([["all-gather", 2]]);
  expect(faultsIn(plan?.steps ?? [], from, to, [5])).toEqual([]);
});

test.each`
  from     | to            | why
  ${"y*x"} | ${"_"}        | ${"default order"}
  ${"x"}   | ${"_|x"}      | ${"from shard to partial"}
  ${"_|x"} | ${"_|max(x)"} | ${"from partial to partial"}
`("from $from to $to is refused: $why", ({ from, to, why }) => {
  const mesh = meshOf("x=2,y=2");
  const plan = dtensorReshard(layoutFrom(from, mesh), layoutFrom(to, mesh), [8]);
  expect(plan.diagnostics.map((diagnostic) => diagnostic.message).join()).toContain(why);
});
