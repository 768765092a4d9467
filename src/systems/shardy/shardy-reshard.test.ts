import fc from "fast-check";
import { expect, test } from "vitest";
import { type Layout, localElements, printLayout } from "#core/mesh";
import { planReshard } from "#core/reshard";
import { layoutFrom, layoutsOn, meshOf } from "../../core/reshard/layouts.testing.ts";
import { faultsIn } from "../../core/reshard/replay.testing.ts";
import { shardyReshard } from "./shardy-reshard.ts";

function planned(from: Layout, to: Layout, shape: readonly number[]) {
  const plan = shardyReshard(from, to, shape);
  if (!plan.ok) throw new Error(plan.diagnostics[0]?.message);
  const moving = plan.value.steps.filter((step) => step.collective !== "slice");
  return { ...plan.value, count: moving.length };
}

const cube = [16, 8, 8];

test.each`
  row   | mesh                 | shape           | from         | to             | elements | steps
  ${1}  | ${"x=2,y=2"}         | ${cube}         | ${"_,y*x,_"} | ${"x*y,_,_"}   | ${448}   | ${2}
  ${2}  | ${"x=2,y=2,z=2"}     | ${cube}         | ${"y,x*z,_"} | ${"_,_,x*y*z"} | ${288}   | ${3}
  ${3}  | ${"x=4,y=2,z=4"}     | ${cube}         | ${"x,y*z,_"} | ${"x*z,_,y"}   | ${40}    | ${2}
  ${4}  | ${"x=2,y=2"}         | ${cube}         | ${"y,x,_"}   | ${"_,_,x*y"}   | ${256}   | ${2}
  ${5}  | ${"x=2,y=2,z=2"}     | ${[16, 4, 8]}   | ${"_,x*y,_"} | ${"x,_,y*z"}   | ${128}   | ${3}
  ${6}  | ${"x=2,y=2,z=2"}     | ${[16, 4]}      | ${"_,x"}     | ${"x*y*z,_"}   | ${12}    | ${2}
  ${7}  | ${"x=2,y=2,z=2"}     | ${[4, 4]}       | ${"x*y,_"}   | ${"x,y*z"}     | ${3}     | ${2}
  ${8}  | ${"x=2,y=2,z=2"}     | ${cube}         | ${"_,x,_"}   | ${"_,_,x*y*z"} | ${112}   | ${1}
  ${9}  | ${"x=2,y=2,z=2,w=2"} | ${cube}         | ${"z,x,_"}   | ${"w,_,x*y"}   | ${224}   | ${2}
  ${10} | ${"x=2,y=2"}         | ${[8, 8, 8]}    | ${"x,y,_"}   | ${"_,x,y"}     | ${192}   | ${2}
  ${11} | ${"x=2,y=2,z=2"}     | ${[16, 8]}      | ${"y*z,_|x"} | ${"_,y|x"}     | ${80}    | ${3}
  ${12} | ${"x=4,y=2"}         | ${[16, 8]}      | ${"x,y"}     | ${"y,x"}       | ${24}    | ${2}
  ${13} | ${"x=2,y=3"}         | ${[12, 12]}     | ${"x,y"}     | ${"y,x"}       | ${52}    | ${3}
  ${14} | ${"x=2,y=2"}         | ${[8, 8]}       | ${"_,_|x"}   | ${"_,y*x"}     | ${64}    | ${1}
  ${23} | ${"x=4,y=2"}         | ${[16, 16, 16]} | ${"y,_,x"}   | ${"_,x*y,_"}   | ${640}   | ${2}
`("[7.6.$row] Shardy goes from $from to $to in $steps steps with $elements elements", (row) => {
  const mesh = meshOf(row.mesh);
  const plan = planned(layoutFrom(row.from, mesh), layoutFrom(row.to, mesh), row.shape);
  expect([plan.count, plan.elements]).toEqual([row.steps, row.elements]);
});

test.each(["x=2,y=2", "x=4,y=2", "x=2,y=2,z=2"])(
  "[7.4] on %s Shardy's plans are right, and within the bound some point of ours matches them",
  (text) => {
    const mesh = meshOf(text);
    const shape = [16, 16, 16];
    const pairs = fc.tuple(
      layoutsOn(mesh, 3, { partial: true, subAxes: true }),
      layoutsOn(mesh, 3),
    );
    fc.assert(
      fc.property(pairs, ([from, to]) => {
        const name = `${printLayout(from)} to ${printLayout(to)}`;
        const plan = planned(from, to, shape);
        expect(faultsIn(plan.steps, from, to, shape), name).toEqual([]);
        const bound = Math.max(localElements(from, shape), localElements(to, shape));
        if (plan.steps.some((step) => localElements(step.layout, shape) > bound)) return;
        const matched = planReshard(from, to, shape).front.some(
          (point) => point.steps <= plan.count && point.elements <= plan.elements,
        );
        expect(matched, name).toBe(true);
      }),
      { seed: 3, numRuns: process.env.SOAK ? 2000 : 60 },
    );
  },
);

test.each([
  ["x,y*z", "_,x"],
  ["_,z*y*x", "_,x*z"],
])("a permute from %s to %s keeps what nothing takes the place of", (from, to) => {
  const mesh = meshOf("x=4,y=2,z=2");
  const [source, target] = [layoutFrom(from, mesh), layoutFrom(to, mesh)];
  const plan = planned(source, target, [64, 64]);
  expect(faultsIn(plan.steps, source, target, [64, 64])).toEqual([]);
});

test.each([
  ["a,_,b", "_,a,c"],
  ["a,b,_", "_,c,a"],
  ["_,a,c", "_,_,b*a"],
])("from %s to %s, where an axis of 8 goes as 4 and 2, ours is no worse", (from, to) => {
  const mesh = meshOf("a=8,b=4,c=4");
  const [source, target] = [layoutFrom(from, mesh), layoutFrom(to, mesh)];
  const plan = planned(source, target, [256, 256, 256]);
  const { front } = planReshard(source, target, [256, 256, 256]);
  const matched = front.some(({ steps, elements }) => {
    return steps <= plan.count && elements <= plan.elements;
  });
  expect(matched).toBe(true);
});

test("what Shardy cannot write is refused, not planned", () => {
  const mesh = meshOf("x=2,y=2");
  const whole = layoutFrom("_", mesh);
  for (const from of ["~2*x", "_"]) {
    const to = from === "_" ? layoutFrom("_|x", mesh) : whole;
    expect(shardyReshard(layoutFrom(from, mesh), to, [8]).ok).toBe(false);
  }
});
