import fc from "fast-check";
import { expect, test } from "vitest";
import { printLayout } from "#core/mesh";
import { heldAtFirst } from "#systems/system";
import { layoutFrom, layoutsOn, meshOf } from "../../../core/reshard/layouts.testing.ts";
import { dtensorReshard } from "../dtensor-reshard.ts";
import { heldAsRun } from "./held-as-run.ts";

const runs = process.env.SOAK ? 2000 : 100;

test.each`
  axes             | isFlattened
  ${"x=2,y=2"}     | ${false}
  ${"x=2,y=2"}     | ${true}
  ${"x=4,y=2"}     | ${true}
  ${"x=2,y=2,z=2"} | ${true}
`("on $axes with devices that count up every device has what is wanted", (row) => {
  const mesh = meshOf(row.axes);
  const shape = [16, 16, 16];
  const pairs = fc.tuple(layoutsOn(mesh, 3, { partial: true }), layoutsOn(mesh, 3));
  fc.assert(
    fc.property(pairs, ([from, to]) => {
      const planned = dtensorReshard(from, to, shape);
      if (!planned.ok) return;
      const held = heldAsRun(planned.value.steps, { from, shape }, row);
      const dimsOf = (by = held) => [...(by ?? [])].map(([device, { dims }]) => [device, dims]);
      const name = `${printLayout(from)} to ${printLayout(to)}`;
      expect(dimsOf(), name).toEqual(dimsOf(heldAtFirst(to, shape)));
    }),
    { seed: 5, numRuns: runs },
  );
});

// On devices [1, 0]; the first block is that of device 1.
test.each`
  from       | to       | first                   | what
  ${"x,_"} | ${"_,_"} | ${[[[4, 8], [0, 4]], [[0, 8]]]} | ${"gathers"}
  ${"_,_"}   | ${"x,_"} | ${[[[0, 4]], [[0, 8]]]} | ${"cuts by coordinates"}
  ${"_,_|x"} | ${"x,_"} | ${[[[4, 8]], [[0, 8]]]} | ${"scatters sums"}
  ${"_,_|x"} | ${"_,_"} | ${[[[0, 8]], [[0, 8]]]} | ${"sums"}
  ${"x,_"} | ${"_,x"} | ${[[[4, 8], [0, 4]], [[4, 8]]]} | ${"exchanges"}
`("where devices count down DTensor $what from $from to $to", ({ from, to, first }) => {
  const mesh = { ...meshOf("x=2"), devices: [1, 0] };
  const [source, target] = [layoutFrom(from, mesh), layoutFrom(to, mesh)];
  const planned = dtensorReshard(source, target, [8, 8]);
  const steps = planned.ok ? planned.value.steps : [];
  const held = heldAsRun(steps, { from: source, shape: [8, 8] }, { isFlattened: false });
  expect(steps).toHaveLength(1);
  expect(held?.get(1)?.dims).toEqual(first);
});

test("of uneven blocks nothing is told where they are cut again", () => {
  const mesh = meshOf("x=2");
  const [from, to] = [layoutFrom("_", mesh), layoutFrom("x", mesh)];
  const planned = dtensorReshard(from, to, [7]);
  const steps = planned.ok ? planned.value.steps : [];
  expect(heldAsRun(steps, { from, shape: [7] }, { isFlattened: false })).toBeUndefined();
});
