import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { compileDocument } from "#compile";
import { readDocument } from "#systems";
import { patternsOf, patternText } from "./patterns.ts";

function patternOf(source: string): string | undefined {
  const document = readDocument(source);
  const { graph, mesh, plan } = compileDocument(document);
  const patterns = patternsOf({
    graph,
    mesh: mesh.mesh,
    strategies: new Map([...plan.operators].map(([id, { strategy }]) => [id, strategy])),
    rest: new Map([...plan.placements].map(([id, { layout }]) => [id, layout])),
    ...(document.training !== undefined && { zero: document.training.zero }),
  });
  return patternText(patterns, mesh.mesh);
}

function exampleOf(name: string): string {
  const example = examples.find((each) => each.name === name);
  if (example === undefined) throw new Error(`no example ${name}`);
  return exampleText(example);
}

test.each`
  name                          | pattern
  ${"data-parallel"}            | ${"data parallel"}
  ${"zero"}                     | ${"ZeRO-1"}
  ${"fsdp"}                     | ${"FSDP"}
  ${"megatron-mlp"}             | ${"megatron"}
  ${"sequence-parallel"}        | ${"sequence parallel"}
  ${"attention-heads"}          | ${"megatron"}
  ${"grouped-query"}            | ${"megatron"}
  ${"transformer-stack"}        | ${"data parallel over dp, megatron over tp"}
  ${"two-d-weights"}            | ${"FSDP over X, megatron over Y"}
  ${"expert-parallel"}          | ${"expert parallel"}
  ${"vocabulary-embedding"}     | ${"vocabulary parallel"}
  ${"vocabulary-loss"}          | ${"loss parallel"}
  ${"mesh-8x8x8"}               | ${"data parallel over x, 2-D weights over y and z"}
  ${"uneven-dim"}               | ${undefined}
  ${"redistribution-two-nodes"} | ${undefined}
`("the plan of $name is $pattern", ({ name, pattern }) => {
  expect(patternOf(exampleOf(name))).toBe(pattern);
});

const mlp = `x = Tensor((64, 32), "bf16")
w1 = Parameter((32, 128), "bf16")
w2 = Parameter((128, 32), "bf16")
h = matmul(x, w1)
a = gelu(h)
y = matmul(a, w2)
`;

const attention = `x = Tensor((2, 16, 32), "bf16")
wq = Parameter((32, 8, 4), "bf16")
wk = Parameter((32, 8, 4), "bf16")
wv = Parameter((32, 8, 4), "bf16")
wo = Parameter((8, 4, 32), "bf16")
q = einsum("b s d, d h e -> b h s e", x, wq)
k = einsum("b s d, d h e -> b h s e", x, wk)
v = einsum("b s d, d h e -> b h s e", x, wv)
o = attention(q, k, v)
y = einsum("b h s e, h e d -> b s d", o, wo)
`;

test.each`
  what                                        | body         | mesh            | plan                                                                                                                                | pattern
  ${"two axes of the batch"}                  | ${mlp}       | ${"dp=2, sp=2"} | ${'strategy(h, m=("dp", "sp"))\nstrategy(y, m=("dp", "sp"))'}                                                                       | ${"data parallel over dp and sp"}
  ${"ZeRO 2"}                                 | ${mlp}       | ${"dp=2"}       | ${'strategy(h, m="dp")\nstrategy(y, m="dp")\ntrain(y, optimizer="adam", zero=2)'}                                                   | ${"ZeRO-2"}
  ${"weights in pieces over one axis of two"} | ${mlp}       | ${"s=2, f=2"}   | ${'place(w1, layout("f", "None"))\nplace(w2, layout("f", "None"))\nstrategy(h, m=("s", "f"))\nstrategy(y, m=("s", "f"))\ntrain(y)'} | ${"HSDP over s and f"}
  ${"columns alone"}                          | ${mlp}       | ${"tp=2"}       | ${'strategy(h, n="tp")\nstrategy(a)\nstrategy(y)'}                                                                                  | ${"column parallel"}
  ${"columns, gathered, then rows"}           | ${mlp}       | ${"tp=2"}       | ${'strategy(h, n="tp")\nstrategy(a)\nstrategy(y, k="tp")'}                                                                          | ${undefined}
  ${"rows, then columns"}                     | ${mlp}       | ${"tp=2"}       | ${'strategy(h, k="tp")\nstrategy(a)\nstrategy(y, n="tp")'}                                                                          | ${undefined}
  ${"the batch, then columns"}                | ${mlp}       | ${"tp=2"}       | ${'strategy(h, m="tp")\nstrategy(a, a="tp")\nstrategy(y, n="tp")'}                                                                  | ${undefined}
  ${"weights that never move"}                | ${mlp}       | ${"X=2, Y=2"}   | ${'strategy(h, k="X", n="Y")\nstrategy(a, b="Y")\nstrategy(y, k="Y", n="X")'}                                                       | ${"2-D weights over X and Y"}
  ${"nothing"}                                | ${mlp}       | ${"tp=2"}       | ${"strategy(h)\nstrategy(a)\nstrategy(y)"}                                                                                          | ${undefined}
  ${"queries alone"}                          | ${attention} | ${"cp=4"}       | ${'strategy(q, s="cp")\nstrategy(k, s="cp")\nstrategy(v, s="cp")\nstrategy(o, l="cp")\nstrategy(y, s="cp")'}                        | ${"context parallel"}
  ${"heads between exchanges"}                | ${attention} | ${"cp=4"}       | ${'strategy(q, s="cp")\nstrategy(k, s="cp")\nstrategy(v, s="cp")\nstrategy(o, h="cp")\nstrategy(y, s="cp")'}                        | ${"Ulysses"}
`("$what: $pattern", ({ body, mesh, plan, pattern }) => {
  expect(patternOf(`mesh = Mesh(${mesh})\n${body}${plan}\n`)).toBe(pattern);
});

test("names of operators and of identifiers play no part", () => {
  const text = `import nnscaler
@nnscaler.register_op("q r+, r+ s -> q s")
def anything(x, w): ...
mesh = Mesh(z=4)
x = Tensor((64, 32))
u = Parameter((32, 128))
v = Parameter((128, 32))
d = anything(x, u)
e = anything(d, v)
strategy(d, s="z")
strategy(e, r="z")
`;
  expect(patternOf(text)).toBe("megatron");
});
