import { expect, test } from "vitest";
import { compile } from "#compile";
import { tensorId } from "#core/ir";
import { applyGesture } from "./gesture.ts";

/** A primitive of MindSpore on four devices. */
function primitive(made: string, call: string): string {
  return `from mindspore import ops
mesh = Mesh(a=4)
x = Tensor((8, 8))
w = Parameter((8, 8))
b = Parameter((8,))
i = Tensor((8,), "int32")
f = ${made}
y = f(${call})
`;
}

/** An annotated function on four devices. */
function annotated(annotation: string, more = ""): string {
  return `mesh = Mesh(a=4)
# annotation: ${annotation}
def f(x, w, h=None):
    return x
x = Tensor((8, 8))
w = Parameter((8, 8))
y = f(x, w${more})
`;
}

function policy(annotation: string): string {
  return `import nnscaler
@nnscaler.register_op('${annotation}', name='mm')
def f(x, w):
    return torch.matmul(x, w)
def PAS(graph, cfg):
    for node in graph.nodes():
        graph.partition(node, node.algorithm('dim'), idx=0, dim=0, num=4)
    return graph
x = Tensor((8, 8))
w = Parameter((8, 8))
y = f(x, w)
`;
}

const constraints = "Usage Constraints During Operator Parallel";

test.each`
  made                                                 | call           | rule                                                  | source                         | allowed
  ${"ops.MatMul().shard(((1, 2), (1, 1)))"}            | ${"x, w"}      | ${"The summed dim is cut alike in both inputs"}       | ${`${constraints}, MatMul`}    | ${'"m", "k" and "n" of "y"'}
  ${"ops.Softmax(-1).shard(((1, 4),))"}                | ${"x"}         | ${"Of Softmax what it normalises along stays whole"}  | ${`${constraints}, Softmax`}   | ${'"a" of "y"'}
  ${"ops.LayerNorm(1, 1).shard(((1, 4), (4,), (4,)))"} | ${"x, b, b"}   | ${"Dims from begin_norm_axis on stay whole"}          | ${`${constraints}, LayerNorm`} | ${'"a" of'}
  ${"ops.Gather().shard(((4, 1), (2,)))"}              | ${"w, i, 0"}   | ${/Where the gathered axis is cut|The pieces of all/} | ${/, Gather|Basic Principle/}  | ${'of "y" may be split'}
  ${"ops.Reshape().shard(((3, 1),))"}                  | ${"x, (64,)"}  | ${"Every number of pieces divides its dim"}           | ${"Basic Principle"}           | ${'of "y" may be split'}
  ${"ops.Transpose().shard(((3, 1),))"}                | ${"x, (1, 0)"} | ${"Every number of pieces divides its dim"}           | ${"Basic Principle"}           | ${'"a" and "b" of "y"'}
  ${"ops.Add().shard(((4, 1), (1, 1)))"}               | ${"x, w"}      | ${"aligned dims are cut alike"}                       | ${`${constraints}, Add`}       | ${'"a" and "b" of "y"'}
`("$made is refused by its rule, with its section and what is allowed", (row) => {
  const errors = compile(primitive(row.made, row.call)).diagnostics.filter(
    ({ severity }) => severity === "error",
  );
  expect(errors.map(({ code }) => code)).toEqual(["mindspore/strategy-refused"]);
  const [message = ""] = errors.map((error) => error.message);
  for (const part of [row.rule, row.source, row.allowed, "may be split"]) {
    expect(message).toMatch(part);
  }
});

test.each`
  text                                                                  | says
  ${`${annotated("m^ k+, k+ n -> m^ n")}strategy(y, m="a")\n`}          | ${'"^" keeps "m" whole (Dimops, Reductions): "k" and "n" of "y" may be split'}
  ${`${annotated("(h t) k, ? -> h t k", ", h=4")}strategy(y, t="a")\n`} | ${'"t" is not the first of its bracket "(h t)" (Dimops, Hidden dimension): "h" and "k" of "y" may be split'}
  ${policy("m^ k+, k+ n -> m^ n")}                                      | ${'"^" keeps "m" whole (Dimops, Reductions)'}
  ${policy("8 k+, k+ n -> 8 n")}                                        | ${'"8" is a number, which stands for a fixed size and is never cut (Dimops, Identifiers)'}
`("an error of the annotation names nnScaler's rule: $says", ({ text, says }) => {
  const errors = compile(text).diagnostics.filter(({ severity }) => severity === "error");
  expect(errors).toHaveLength(1);
  expect(errors[0]?.message).toContain(says);
  expect(errors[0]?.message).toContain("others only by a transform rule");
});

test.each`
  text                                                                       | tensor | dim  | note
  ${primitive("ops.Softmax(-1).shard(((1, 1),))", "x")}                      | ${"y"} | ${1} | ${"stays whole (Usage Constraints"}
  ${primitive("ops.LayerNorm(1, 1).shard(((1, 1), (1,), (1,)))", "x, b, b")} | ${"x"} | ${1} | ${"from begin_norm_axis on"}
  ${primitive("ops.Reshape()", "x, (64,)")}                                  | ${"x"} | ${1} | ${"Reshape follows the operators before and behind it"}
  ${annotated("m^ k+, k+ n -> m^ n")}                                        | ${"y"} | ${0} | ${'"^" keeps "m" whole'}
  ${annotated("(h t) k, ? -> h t k", ", h=4")}                               | ${"y"} | ${1} | ${"Dimops, Hidden dimension"}
  ${annotated("8 k, ? -> 8 k")}                                              | ${"y"} | ${0} | ${"Dimops, Identifiers"}
`("a split of $tensor.$dim by hand says which rule has it placed instead: $note", (row) => {
  const gesture = { kind: "split", tensor: tensorId(row.tensor), dim: row.dim, axis: "a" } as const;
  const outcome = applyGesture(row.text, gesture);
  expect(outcome).toMatchObject({ ok: true, note: expect.stringContaining(row.note) });
});

test("what the operator may split, or a transform rule opens, is written without a word", () => {
  const open = { kind: "split", tensor: tensorId("w"), dim: 1, axis: "a" } as const;
  expect(applyGesture(annotated("m^ k+, k+ n -> m^ n"), open)).not.toHaveProperty("note");
  const ruled = `import nnscaler
from nnscaler.graph.function.dimops import DimopSplit, TransformRule
rule = TransformRule((DimopSplit.D(1), DimopSplit.D(0)), (DimopSplit.V(),))
@nnscaler.register_op('m k^, k^ n -> m n', transform_rules=(rule,))
def f(x, w):
    return torch.matmul(x, w)
mesh = Mesh(a=4)
x = Tensor((8, 8))
w = Parameter((8, 8))
y = f(x, w)
`;
  const summed = { ...open, dim: 0 };
  expect(applyGesture(ruled, summed)).toMatchObject({ ok: true });
  expect(applyGesture(ruled, summed)).not.toHaveProperty("note");
});

test("a refused gesture on such a dim says the rule behind what is in its way", () => {
  const text = primitive("ops.LayerNorm(1, 1).shard(((4, 1), (1,), (1,)))", "x, b, b");
  const gesture = { kind: "split", tensor: tensorId("x"), dim: 1, axis: "a" } as const;
  expect(applyGesture(text, gesture)).toMatchObject({
    ok: false,
    reason: expect.stringMatching(/already splits "a" of "x"\. Dims from begin_norm_axis on/u),
  });
});
