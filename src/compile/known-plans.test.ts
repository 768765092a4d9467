import { expect, test } from "vitest";
import { examples } from "#app/examples";
import type { Phase } from "#core/ir";
import { printLayout } from "#core/mesh";
import { runPlan } from "#execute/verify";
import { compile } from "./compile.ts";

/** One collective: phase, kind, axes, tensor, layout after it, bytes of the busiest device. */
type Row = readonly [Phase, string, string, string, string, number];

function compiled(name: string) {
  return compile(examples.find((example) => example.name === name)?.program ?? "");
}

function rowsOf(name: string): readonly Row[] {
  const { program } = compiled(name);
  const values = new Map(program.values.map((value) => [value.id, value]));
  const steps = program.stages.flatMap((stage) => stage.steps);
  return steps.flatMap((step): Row[] => {
    if (step.kind !== "collective" || step.collective === "slice") return [];
    const [before, after] = [values.get(step.input), values.get(step.output)];
    const layout = after === undefined ? "" : printLayout(after.layout);
    const axes = step.axes.join(",");
    return [[step.phase, step.collective, axes, before?.tensor ?? "", layout, step.bytes]];
  });
}

const [tokens, wide, inner] = [2048, 4096, 16384];
/** Bytes that a device receives of a bf16 tensor that is combined or gathered over `n` devices. */
const share = (elements: number, n: number, times = 1) => (times * 2 * elements * (n - 1)) / n;

test("Megatron's MLP has one all-reduce forward and one backward", () => {
  const bytes = share(tokens * wide, 8, 2);
  expect(rowsOf("megatron-mlp")).toEqual([
    ["forward", "all-reduce", "tp", "y", "_,_", bytes],
    ["backward", "all-reduce", "tp", "n.grad", "_,_", bytes],
  ]);
});

test("sequence parallel gathers before the block and scatters behind it, the same bytes in all", () => {
  const bytes = share(4 * tokens * wide, 8);
  expect(rowsOf("sequence-parallel")).toEqual([
    ["forward", "all-gather", "tp", "n", "_,_,_", bytes],
    ["forward", "reduce-scatter", "tp", "y", "_,tp,_", bytes],
    ["backward", "all-gather", "tp", "y.grad", "_,_,_", bytes],
    ["backward", "reduce-scatter", "tp", "n.grad", "_,tp,_", bytes],
    ["backward", "all-reduce", "tp", "g.grad", "_", share(wide, 8, 2)],
  ]);
});

test("FSDP gathers every weight twice and scatters its gradient once", () => {
  const [weight, gain] = [share(wide * inner, 8), share(wide, 8)];
  expect(rowsOf("fsdp")).toEqual([
    ["forward", "all-gather", "dp", "g", "_", gain],
    ["forward", "all-gather", "dp", "w1", "_,_", weight],
    ["forward", "all-gather", "dp", "w2", "_,_", weight],
    ["backward", "all-gather", "dp", "w2", "_,_", weight],
    ["backward", "reduce-scatter", "dp", "w2.grad", "dp,_", weight],
    ["backward", "all-gather", "dp", "w1", "_,_", weight],
    ["backward", "reduce-scatter", "dp", "w1.grad", "dp,_", weight],
    ["backward", "all-gather", "dp", "g", "_", gain],
    ["backward", "reduce-scatter", "dp", "g.grad", "dp", gain],
  ]);
});

test("expert parallel moves tokens by two all-to-alls each way, and no expert's gradient", () => {
  const sent = share(16 * 8 * 16 * 256, 4) / 4;
  expect(rowsOf("expert-parallel")).toEqual([
    ["forward", "all-to-all", "ep", "sent", "ep,_,_,_", sent],
    ["forward", "all-to-all", "ep", "down", "_,ep,_,_", sent],
    ["backward", "all-to-all", "ep", "down.grad", "ep,_,_,_", sent],
    ["backward", "all-to-all", "ep", "sent.grad", "_,ep,_,_", sent],
    ["backward", "all-reduce", "ep", "wg.grad", "_,_", share(256 * 16, 4, 2)],
    ["backward", "all-reduce", "ep", "s.grad", "_", share(256, 4, 2)],
  ]);
});

test("an embedding split by its vocabulary is combined once, forward", () => {
  expect(rowsOf("vocabulary-embedding")).toEqual([
    ["forward", "all-reduce", "tp", "e", "_,_,_", share(4 * tokens * 1024, 8, 2)],
  ]);
});

test("weights cut along both dims: X gathers weights, Y gathers activations", () => {
  const activation = share((64 * 128) / 4, 4);
  const weight = share((128 * 512) / 4, 4);
  expect(rowsOf("two-d-weights")).toEqual([
    ["forward", "all-gather", "Y", "i", "X,_", activation],
    ["forward", "all-gather", "X", "w_in", "_,Y", weight],
    ["forward", "all-gather", "X", "w_out", "Y,_", weight],
    ["forward", "reduce-scatter", "Y", "out", "X,Y", activation],
    ["backward", "all-gather", "Y", "out.grad", "X,_", activation],
    ["backward", "all-gather", "X", "w_out", "Y,_", weight],
    ["backward", "reduce-scatter", "X", "w_out.grad", "Y,X", weight],
    ["backward", "all-gather", "X", "w_in", "_,Y", weight],
    ["backward", "reduce-scatter", "X", "w_in.grad", "X,Y", weight],
    ["backward", "reduce-scatter", "Y", "i.grad", "X,Y", activation],
    ["backward", "all-reduce", "X", "s.grad", "Y", share(128 / 4, 4, 2)],
  ]);
});

test.each(examples.map(({ name }) => name))("%s runs on its devices as on one", (name) => {
  const { plan, program } = compiled(name);
  const run = runPlan(plan, program, { seed: 1, values: "integers" });
  expect(run.ok && run.value).toMatchObject({ equal: true, maxAbsDiff: 0 });
});
