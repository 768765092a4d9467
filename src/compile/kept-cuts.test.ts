import { expect, test } from "vitest";
import { printLayout } from "#core/mesh";
import { runPlan } from "#execute/verify";
import { compile } from "./compile.ts";

const indexed = `import torch
w = torch.nn.Parameter(torch.empty(8, 4, 6))
x = Tensor((4, 8, 6))
i = Tensor((4, 2), "int64")
j = Tensor((4, 1), "int64")
k = Tensor((6,), "int64")
mesh = Mesh(dp=2, ep=2)
`;

/** Layout of the last value of a text, and the collectives sent for it. */
function madeBy(text: string) {
  const compiled = compile(text);
  const { graph, program } = compiled;
  const last = graph.outputs.at(-1);
  const value = program.values.find(({ tensor }) => tensor === last);
  const sent = program.stages
    .flatMap((stage) => stage.steps)
    .flatMap((step) =>
      step.kind === "collective" && step.collective !== "slice"
        ? [`${step.collective} ${step.axes.join()}`]
        : [],
    );
  return { compiled, layout: value && printLayout(value.layout), sent };
}

// Indices keep their cuts, as do dims that are not indexed; a cut of an indexed dim becomes a
// partial sum.
test.each`
  written                                               | place                                | layout          | sent
  ${"w[i, ...]"}                                        | ${'i, layout("dp", "None")'}         | ${"dp,_,_,_"}   | ${[]}
  ${"w[i]"}                                             | ${'w, layout("None", "ep", "None")'} | ${"_,_,ep,_"}   | ${[]}
  ${"w[i]"}                                             | ${'w, layout("ep", "None", "None")'} | ${"_,_,_,_|ep"} | ${["all-reduce ep"]}
  ${"w[:, i % 4]"}                                      | ${'i, layout("dp", "None")'}         | ${"_,dp,_,_"}   | ${[]}
  ${"w[..., k]"}                                        | ${'k, layout("ep")'}                 | ${"_,_,ep"}     | ${[]}
  ${"w[i, j % 4]"}                                      | ${'i, layout("dp", "None")'}         | ${"dp,_,_"}     | ${[]}
  ${"torch.gather(x, 2, i[..., None].expand(4, 2, 3))"} | ${'i, layout("dp", "None")'}         | ${"dp,_,_"}     | ${[]}
  ${"torch.index_select(x, 1, k)"}                      | ${'x, layout("dp", "None", "None")'} | ${"dp,_,_"}     | ${[]}
  ${"torch.zeros(4, 8).scatter_(1, i, x[:, :2, 0])"}    | ${'i, layout("dp", "None")'}         | ${"dp,_"}       | ${[]}
  ${"x.index_add(1, k, x[:, :6])"}                      | ${'x, layout("dp", "None", "None")'} | ${"dp,_,_"}     | ${[]}
`("$written with $place lies as $layout", ({ written, place, layout, sent }) => {
  const made = madeBy(`${indexed}place(${place})\ny = ${written}`);
  expect([made.layout, made.sent]).toEqual([layout, sent]);
});

/** 8 query heads over 2 key/value heads, on 4 devices. */
const grouped = (body: string) => `import torch, torch.nn as nn, torch.nn.functional as F
mesh = Mesh(tp=4)
x = Tensor((1, 4, 8))
wq, wk, wv = nn.Linear(8, 16, bias=False), nn.Linear(8, 4, bias=False), nn.Linear(8, 4, bias=False)
for w in (wq, wk, wv):
    place(w.weight, layout("tp", "None"))
q = wq(x).view(1, 4, 8, 2).transpose(1, 2)
k = wk(x).view(1, 4, 2, 2).transpose(1, 2)
v = wv(x).view(1, 4, 2, 2).transpose(1, 2)
def repeat_kv(h):
    return h[:, :, None].expand(1, 2, 4, 4, 2).reshape(1, 8, 4, 2)
${body}`;

test.each`
  written                                                                                                               | form
  ${"y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)"}                                     | ${"enable_gqa"}
  ${"y = F.scaled_dot_product_attention(q, repeat_kv(k), repeat_kv(v))"}                                                | ${"heads that expand repeats"}
  ${"y = F.softmax(q @ k.repeat_interleave(4, 1).mT, -1) @ v.repeat_interleave(4, 1)"}                                  | ${"a product by hand"}
  ${"s = q @ repeat_kv(k).mT\nm = torch.ones(4, 4).tril() == 0\ny = s.masked_fill(m, -1e9).softmax(-1) @ repeat_kv(v)"} | ${"a mask by hand"}
`(
  "$form: queries stay on their heads, keys and values come from one other device",
  ({ written }) => {
    const { layout, sent, compiled } = madeBy(grouped(written));
    expect(layout).toBe("_,tp,_,_");
    expect(sent).toEqual(["all-gather tp:(2)2", "all-gather tp:(2)2"]);
    const run = runPlan(compiled.plan, compiled.program, { seed: 1, values: "floats" });
    expect(run.ok && run.value.equal).toBe(true);
  },
);
