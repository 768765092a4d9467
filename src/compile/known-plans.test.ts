import { expect, test } from "vitest";
import { examples } from "#app/examples";
import type { Phase } from "#core/ir";
import { printLayout, slicesOf } from "#core/mesh";
import { compile } from "./compile.ts";

/** One collective: phase, kind, axes, tensor, layout after it, bytes of the busiest device. */
type Row = readonly [Phase, string, string, string, string, number];

function programOf(name: string): string {
  return examples.find((example) => example.name === name)?.program ?? "";
}

function compiled(name: string) {
  return compile(programOf(name));
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
/** Bytes that a device receives when a bf16 tensor is reduced or gathered over `n` devices. */
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

test("attention by heads adds its output forward and its input's gradient backward", () => {
  const bytes = share(2 * 8 * 16, 4, 2);
  expect(rowsOf("attention-heads")).toEqual([
    ["forward", "all-reduce", "tp", "y", "_,_,_", bytes],
    ["backward", "all-reduce", "tp", expect.stringMatching(/^n\.grad/), "_,_,_", bytes],
  ]);
});

test("data parallel adds every weight's gradient; ZeRO sends as much in two halves", () => {
  const [w1, w2] = [128 * 256, 256 * 64];
  expect(rowsOf("data-parallel")).toEqual([
    ["backward", "all-reduce", "dp", "w2.grad", "_,_", share(w2, 4, 2)],
    ["backward", "all-reduce", "dp", "w1.grad", "_,_", share(w1, 4, 2)],
  ]);
  expect(rowsOf("zero")).toEqual([
    ["update", "reduce-scatter", "dp", "w2.grad", "dp,_", share(w2, 4)],
    ["update", "all-gather", "dp", "w2.new", "_,_", share(w2, 4)],
    ["update", "reduce-scatter", "dp", "w1.grad", "dp,_", share(w1, 4)],
    ["update", "all-gather", "dp", "w1.new", "_,_", share(w1, 4)],
  ]);
  const split = programOf("zero");
  const whole = split.replace("zero=1, ", "");
  expect(whole).not.toBe(split);
  const state = (program: string) => compile(program).memory.optimizerBytes;
  expect(state(split)).toBe(state(whole) / 4);
});

test("every layer of a stack adds its sums once", () => {
  const layers = Array.from({ length: 24 }, (_, layer) => layer);
  expect(rowsOf("transformer-stack")).toEqual(
    layers.map((layer) => [
      "forward",
      "all-reduce",
      "tp",
      `layers[${layer}].o`,
      "dp,_",
      share((8 * 16) / 2, 4, 2),
    ]),
  );
});

/** Examples without training: collectives in order, with the bytes of the busiest device. */
test.each`
  name                           | rows
  ${"three-cuts"}                | ${["all-reduce mp summed -> _,_ 4608"]}
  ${"mindspore-two-nodes"}       | ${["all-gather d0 y -> _,_ 96"]}
  ${"mindspore-net"}             | ${["all-gather d0 y -> _,_ 144"]}
  ${"mindspore-layouts-two"}     | ${[]}
  ${"mindspore-layouts-four"}    | ${[]}
  ${"mindspore-higher-order"}    | ${["reduce-scatter dp,sp y -> mp*sp*dp,_ 144"]}
  ${"mindspore-interleaved"}     | ${["all-reduce mp y -> dp*~2,_ 192"]}
  ${"nnscaler-matmul"}           | ${["all-reduce tp out -> _,_ 128"]}
  ${"nnscaler-policy"}           | ${["all-reduce gpus out -> _,_,_ 6144"]}
  ${"nnscaler-norm"}             | ${[]}
  ${"grouped-query"}             | ${["all-reduce tp y -> _,_,_ 3584"]}
  ${"uneven-dim"}                | ${["all-to-all dp h -> _,dp 108"]}
  ${"two-axes-one-dim"}          | ${["collective-permute a,b u -> b*a,_ 256"]}
  ${"device-order"}              | ${["all-gather mp h -> dp,_ 1536"]}
  ${"mesh-8x8x8"}                | ${["all-reduce z h -> x,y 56", "all-reduce y y -> x,z 56"]}
  ${"redistribution-two-nodes"}  | ${["all-to-all d rows -> _,d 16", "all-gather d columns -> _,_ 32"]}
  ${"redistribution-four-nodes"} | ${["all-gather c both -> r,_ 64", "all-gather r rows -> _,c 64", "all-to-all c columns -> r*c,_ 32", "all-gather r,c fours -> _,_ 192"]}
  ${"carry"}                     | ${["all-reduce mp y -> _,_ 4608"]}
`("$name sends what it says", ({ name, rows }) => {
  const said = rowsOf(name).map(([phase, kind, axes, tensor, layout, bytes]) => {
    expect(phase).toBe("forward");
    return `${kind} ${axes} ${tensor} -> ${layout} ${bytes}`;
  });
  expect(said).toEqual(rows);
});

test("uneven rows lie as 3, 3, 3 and 1", () => {
  const { tensors } = compiled("uneven-dim");
  const h = tensors.find(({ tensor }) => tensor === "h");
  const rows = h && slicesOf(h.layout, [10, 12]).map(({ ranges }) => ranges[0]);
  expect(rows?.map((range) => range && range.stop - range.start)).toEqual([3, 3, 3, 1]);
});

test("a strided order of devices groups 0 4, 1 5, 2 6 and 3 7", () => {
  const [gather] = compiled("device-order").program.stages.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === "collective" ? [step.groups] : [])),
  );
  expect(gather).toEqual([
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
  ]);
});

test.each(examples)("$name has no error but the one on purpose", ({ name, fault, shows = [] }) => {
  const { diagnostics, program } = compiled(name);
  expect(program.graph.tensors.map((tensor) => tensor.name)).toEqual(
    expect.arrayContaining([...shows]),
  );
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code }) => code)).toEqual(fault === undefined ? [] : [fault]);
});

test("the forbidden product says which dim of which tensor has the axis", () => {
  const { diagnostics, source } = compiled("forbidden-axis");
  const [error] = diagnostics;
  expect(error?.message).toBe('"x" already splits "i" of "A"; it cannot split "k" too');
  const { from, to } = error?.span ?? { from: 0, to: 0 };
  expect(source.slice(from, to)).toBe('strategy(C, i="x", k="x")');
});
