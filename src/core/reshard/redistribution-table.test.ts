import { expect, test } from "vitest";
import { layoutFrom, meshOf } from "./layouts.testing.ts";
import { planReshard } from "./plan-reshard.ts";
import { faultsOf } from "./replay.testing.ts";

const cube = [16, 8, 8];

test.each`
  row   | mesh                 | shape           | from         | to             | elements   | steps | exchange
  ${1}  | ${"x=2,y=2"}         | ${cube}         | ${"_,y*x,_"} | ${"x*y,_,_"}   | ${192}     | ${1}  | ${false}
  ${2}  | ${"x=2,y=2,z=2"}     | ${cube}         | ${"y,x*z,_"} | ${"_,_,x*y*z"} | ${112}     | ${1}  | ${false}
  ${3}  | ${"x=4,y=2,z=4"}     | ${cube}         | ${"x,y*z,_"} | ${"x*z,_,y"}   | ${28}      | ${1}  | ${false}
  ${4}  | ${"x=2,y=2"}         | ${cube}         | ${"y,x,_"}   | ${"_,_,x*y"}   | ${192}     | ${1}  | ${false}
  ${5}  | ${"x=2,y=2,z=2"}     | ${[16, 4, 8]}   | ${"_,x*y,_"} | ${"x,_,y*z"}   | ${48}      | ${1}  | ${false}
  ${6}  | ${"x=2,y=2,z=2"}     | ${[16, 4]}      | ${"_,x"}     | ${"x*y*z,_"}   | ${4}       | ${1}  | ${false}
  ${7}  | ${"x=2,y=2,z=2"}     | ${[4, 4]}       | ${"x*y,_"}   | ${"x,y*z"}     | ${1}       | ${1}  | ${false}
  ${8}  | ${"x=2,y=2,z=2"}     | ${cube}         | ${"_,x,_"}   | ${"_,_,x*y*z"} | ${64}      | ${1}  | ${false}
  ${9}  | ${"x=2,y=2,z=2,w=2"} | ${cube}         | ${"z,x,_"}   | ${"w,_,x*y"}   | ${128}     | ${2}  | ${false}
  ${10} | ${"x=2,y=2"}         | ${[8, 8, 8]}    | ${"x,y,_"}   | ${"_,x,y"}     | ${128}     | ${2}  | ${false}
  ${10} | ${"x=2,y=2"}         | ${[8, 8, 8]}    | ${"x,y,_"}   | ${"_,x,y"}     | ${128}     | ${1}  | ${true}
  ${11} | ${"x=2,y=2,z=2"}     | ${[16, 8]}      | ${"y*z,_|x"} | ${"_,y|x"}     | ${48}      | ${2}  | ${false}
  ${12} | ${"x=4,y=2"}         | ${[16, 8]}      | ${"x,y"}     | ${"y,x"}       | ${24}      | ${2}  | ${false}
  ${12} | ${"x=4,y=2"}         | ${[16, 8]}      | ${"x,y"}     | ${"y,x"}       | ${16}      | ${1}  | ${true}
  ${13} | ${"x=2,y=3"}         | ${[12, 12]}     | ${"x,y"}     | ${"y,x"}       | ${24}      | ${1}  | ${true}
  ${14} | ${"x=2,y=2"}         | ${[8, 8]}       | ${"_,_|x"}   | ${"_,y*x"}     | ${16}      | ${1}  | ${false}
  ${15} | ${"x=4,y=2"}         | ${[4096, 4096]} | ${"_,y"}     | ${"x*y,_"}     | ${1048576} | ${1}  | ${false}
  ${16} | ${"x=2,y=2"}         | ${[16, 16]}     | ${"x*y,_"}   | ${"_,x*y"}     | ${48}      | ${1}  | ${false}
  ${17} | ${"x=2,y=2,z=2"}     | ${[16, 16]}     | ${"x*y*z,_"} | ${"_,x*y*z"}   | ${28}      | ${1}  | ${false}
  ${18} | ${"x=2,y=2"}         | ${[8, 8]}       | ${"x,y"}     | ${"y,x"}       | ${16}      | ${1}  | ${false}
  ${19} | ${"x=2,y=2,z=2"}     | ${[8, 8, 8]}    | ${"x,y,z"}   | ${"z,y,x"}     | ${64}      | ${1}  | ${false}
  ${20} | ${"x=2,y=2,z=2"}     | ${[16, 16]}     | ${"z,_|x,y"} | ${"x*y*z,_"}   | ${128}     | ${2}  | ${false}
  ${21} | ${"x=2,y=2"}         | ${[8, 8]}       | ${"y,_|x"}   | ${"_,_"}       | ${64}      | ${2}  | ${false}
  ${22} | ${"u=4,r=2"}         | ${[64, 64]}     | ${"_,_|u"}   | ${"_,_"}       | ${5120}    | ${2}  | ${false}
  ${23} | ${"x=4,y=2"}         | ${[16, 16, 16]} | ${"y,_,x"}   | ${"_,x*y,_"}   | ${448}     | ${1}  | ${false}
`("[7.6.$row] $from to $to on $mesh takes $elements elements in $steps", (row) => {
  const mesh = meshOf(row.mesh);
  const [from, to] = [layoutFrom(row.from, mesh), layoutFrom(row.to, mesh)];
  const plan = planReshard(from, to, row.shape, { exchange: row.exchange });
  expect(plan.front.at(-1)).toEqual({ steps: row.steps, elements: row.elements });
  expect(plan.exact).toBe(true);
  if (row.row !== 15) expect(faultsOf(plan, from, to, row.shape)).toEqual([]);
});

test("[7.6.23] the public complaint is one all-to-all over both axes", () => {
  const mesh = meshOf("x=4,y=2");
  const [from, to] = [layoutFrom("y,_,x", mesh), layoutFrom("_,x*y,_", mesh)];
  const plan = planReshard(from, to, [16, 16, 16]);
  const steps = plan.steps.map(({ collective, axes, bytes }) => ({ collective, axes, bytes }));
  expect(steps).toEqual([{ collective: "all-to-all", axes: ["x", "y"], bytes: 1792 }]);
});

test("[7.6.13] misaligned radices take three steps without the exchange, and no proof is claimed", () => {
  const mesh = meshOf("x=2,y=3");
  const [from, to] = [layoutFrom("x,y", mesh), layoutFrom("y,x", mesh)];
  const plan = planReshard(from, to, [12, 12]);
  expect(plan.front).toEqual([{ steps: 3, elements: 44 }]);
  expect([plan.exact, plan.lowerBound, plan.gap]).toEqual([false, 24, 44 / 24 - 1]);
  expect(faultsOf(plan, from, to, [12, 12])).toEqual([]);
});

test.each`
  from       | to       | shape     | steps
  ${"x,_"}   | ${"_,x"} | ${[5, 8]} | ${"all-to-all"}
  ${"x,_"}   | ${"_,_"} | ${[5, 8]} | ${"all-gather"}
  ${"_,_|x"} | ${"x,_"} | ${[5, 8]} | ${"reduce-scatter"}
  ${"x,_"}   | ${"y,_"} | ${[5, 8]} | ${"collective-permute"}
  ${"_,_"}   | ${"x,_"} | ${[5, 8]} | ${"slice"}
`("[7.7] uneven $from to $to takes one $steps", ({ from, to, shape, steps }) => {
  const mesh = meshOf("x=2,y=2");
  const [source, target] = [layoutFrom(from, mesh), layoutFrom(to, mesh)];
  const plan = planReshard(source, target, shape);
  expect(plan.steps.map((step) => step.collective).join()).toBe(steps);
  expect(faultsOf(plan, source, target, shape)).toEqual([]);
});
