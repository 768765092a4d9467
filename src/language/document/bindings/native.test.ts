import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { reading } from "../reading.testing.ts";

const head = "mesh = Mesh(dp=2, mp=4)\nx = Tensor((8, 16))\ny = relu(x)\n";

// architecture.md §2.1: table of native words
test.each`
  text                                                                       | said
  ${""}                                                                      | ${[]}
  ${'strategy(y, a="dp", b=("mp",))'}                                        | ${[]}
  ${'strategy("*", {"a": "dp"})'}                                            | ${[]}
  ${'strategy(y, a="dp", carry="mp")'}                                       | ${[]}
  ${'strategy(3, a="dp")'}                                                   | ${["error python/type-error TypeError"]}
  ${"strategy(y, a=3)"}                                                      | ${["error python/type-error TypeError"]}
  ${'strategy(y, "dp")'}                                                     | ${["error python/type-error TypeError"]}
  ${'strategy("q", a="dp")'}                                                 | ${["error document/no-such-operator"]}
  ${'strategy(y, a="tp")'}                                                   | ${["error document/unknown-axis"]}
  ${'place(x, layout("dp", "None"))'}                                        | ${[]}
  ${'place("x", mesh.layout(("dp", "mp"), None))'}                           | ${[]}
  ${'place(x, "dp")'}                                                        | ${["error python/type-error TypeError"]}
  ${"place(x, layout(3))"}                                                   | ${["error python/value-error ValueError"]}
  ${'place(x, layout("dp"))'}                                                | ${["error document/layout-rank"]}
  ${'place("q", layout("dp"))'}                                              | ${["error document/no-such-tensor"]}
  ${"shapes((8, 16))"}                                                       | ${["error python/type-error TypeError"]}
  ${"shapes(x=(8, 16))"}                                                     | ${[]}
  ${"shapes(x=(65537**70, 16))"}                                             | ${["error python/value-error ValueError"]}
  ${"shapes(x=(4, 4))"}                                                      | ${["error document/shape-contradicts"]}
  ${"Mesh(4)"}                                                               | ${["error python/type-error TypeError"]}
  ${"Mesh(dp=0)"}                                                            | ${["error python/value-error ValueError"]}
  ${'Mesh(dp="2")'}                                                          | ${["error python/type-error TypeError"]}
  ${"Mesh(dp=2)"}                                                            | ${["warning document/second-mesh"]}
  ${"Tensor((2, -1))"}                                                       | ${["error python/value-error ValueError"]}
  ${'Tensor((2, 2), "f7")'}                                                  | ${["error python/type-error TypeError"]}
  ${"train(y)"}                                                              | ${[]}
  ${"train(y)\ntrain(y)"}                                                    | ${["warning document/second-train"]}
  ${"train(x)"}                                                              | ${["error document/no-such-tensor"]}
  ${'train("y", optimizer="sgd", microbatches=4, zero=1, recompute=["y"])'}  | ${[]}
  ${"train(y, recompute=[x])"}                                               | ${["error document/no-such-operator"]}
  ${'train(y, optimizer="adamw", lr=0.1, betas=(0.8, 0.9), weight_decay=0)'} | ${[]}
  ${'train(y, optimizer="adam", momentum=0.9)'}                              | ${["error python/type-error TypeError"]}
  ${'train(y, optimizer="sgd", betas=(0.9, 0.9))'}                           | ${["error python/type-error TypeError"]}
  ${"train(y, betas=(0.9, 1))"}                                              | ${["error python/value-error ValueError"]}
  ${"train(y, lr=-1)"}                                                       | ${["error python/value-error ValueError"]}
  ${"train()"}                                                               | ${["error python/type-error TypeError"]}
  ${'train(y, optimizer="lion")'}                                            | ${["error python/value-error ValueError"]}
  ${"train(y, zero=4)"}                                                      | ${["error python/value-error ValueError"]}
  ${"train(y, microbatches=0)"}                                              | ${["error python/value-error ValueError"]}
  ${"train(y, recompute=3)"}                                                 | ${["error document/no-such-operator"]}
  ${'train(y, recompute="half")'}                                            | ${["error python/type-error TypeError"]}
  ${'train(y, precision="half")'}                                            | ${["error python/value-error ValueError"]}
  ${"train(y, precision=None)"}                                              | ${["error python/value-error ValueError"]}
  ${'train(y, gradients="bf16")'}                                            | ${["error python/value-error ValueError"]}
  ${'train(y, precision="megatron", gradients="i8")'}                        | ${["error python/value-error ValueError"]}
  ${"train(y, compiled=1)"}                                                  | ${["error python/value-error ValueError"]}
  ${'train(y, precision="fsdp", compiled=True)'}                             | ${[]}
  ${"train(y, rate=0.1)"}                                                    | ${["error python/type-error TypeError"]}
  ${"pin(y)\nstage(y)"}                                                      | ${["info document/reserved-word"]}
`("$text says $said", ({ text, said }) => {
  expect(reading(head + text).said).toEqual(said);
});

test.each`
  said                                                     | optimizer     | numbers
  ${"train(y)"}                                            | ${"adam"}     | ${{}}
  ${'train(y, optimizer="adamw", lr=1, weight_decay=0.5)'} | ${"adamw"}    | ${{ lr: 1, weight_decay: 0.5 }}
  ${"train(y, betas=(0.5, 0.25), eps=1e-3)"}               | ${"adam"}     | ${{ beta1: 0.5, beta2: 0.25, eps: 1e-3 }}
  ${'train(y, optimizer="sgd", momentum=0.5)'}             | ${"momentum"} | ${{ beta1: 0.5 }}
  ${'train(y, optimizer="sgd", momentum=0)'}               | ${"sgd"}      | ${{ beta1: 0 }}
`("$said trains by $optimizer with $numbers", ({ said, optimizer, numbers }) => {
  expect(readDocument(`${head}${said}\n`).trace.training).toMatchObject([{ optimizer, numbers }]);
});

test("train() leaves the graph as it is and is kept with its places", () => {
  const document = readDocument(`${head}train(y, zero=2)\n`);
  expect(document.graph.operators).toHaveLength(1);
  expect(document.trace.training).toMatchObject([
    { optimizer: "adam", microbatches: 1, zero: 2, recompute: [] },
  ]);
});
