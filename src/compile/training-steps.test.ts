import { expect, test } from "vitest";
import type { Operator } from "#core/ir";
import { compile } from "./compile.ts";

const net = `import torch
from torch import nn
from torch.nn import functional as F

class Net(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.n = nn.LayerNorm(d)
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d, bias=False)
    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (z.view(b, t, 2, d // 2).transpose(1, 2) for z in self.qkv(self.n(x)).split(d, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.o(y.transpose(1, 2).reshape(b, t, d))
`;

const head = `${net}
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(64, 16)
        self.block = Net(16)
    def forward(self, i):
        return self.block(self.e(i))

i = Tensor((4, 8), "int64")
model = Model()
`;

/** Operators of the backward pass as `operator:dtype`, in order. */
function backwardOf(text: string): readonly string[] {
  const { program } = compile(text);
  const types = new Map(program.graph.tensors.map(({ id, dtype }) => [id, dtype]));
  const kernels = new Set<string>();
  const isFirst = ({ id, of = id, sharedBy }: Operator) => {
    const kernel = sharedBy === undefined ? id : of;
    return !kernels.has(kernel) && kernels.add(kernel);
  };
  const steps = program.graph.operators.filter(
    (each) => each.phase === "backward" && isFirst(each),
  );
  return steps.map(({ op, outputs }) => `${op}:${outputs.map(({ tensor }) => types.get(tensor))}`);
}

const views = /^(identity|permute|reshape):/u;

test("a step in bf16 launches what autograd launches, and a cast of the logits back", () => {
  const steps = backwardOf(`${head}
model = model.to(torch.bfloat16)
loss = model(i).float().mean()
train(loss)
`);
  expect(steps.filter((step) => !views.test(step))).toEqual([
    ...["mean_backward:f32", "cast:bf16"],
    // The output projection: gradients of its input and weight.
    ...["einsum:bf16", "einsum:bf16", "attention_backward:bf16", "concat:bf16"],
    // Query, key and value: gradients of input, weight and bias.
    ...["einsum:bf16", "einsum:bf16", "einsum:bf16", "layer_norm_backward:bf16"],
    // The residual stream has two readers.
    ...["add:bf16", "embedding_backward:bf16"],
  ]);
});

test("under autocast every cast has one back, to the type of the tensor that was cast", () => {
  const steps = backwardOf(`${head}
with torch.autocast("cuda", dtype=torch.bfloat16):
    loss = model(i).mean()
train(loss)
`);
  expect(steps.filter((step) => !views.test(step))).toEqual([
    ...["mean_backward:f32", "cast:bf16"],
    ...["einsum:bf16", "einsum:bf16", "cast:f32", "attention_backward:bf16", "concat:bf16"],
    ...["einsum:bf16", "einsum:bf16", "einsum:bf16"],
    // Gradients of bias, weight, and the input that the norm makes in f32.
    ...["cast:f32", "cast:f32", "cast:f32", "layer_norm_backward:f32"],
    ...["add:f32", "embedding_backward:f32"],
  ]);
});

test("a gradient passes a view, a transposition and an addition without a kernel", () => {
  const steps = backwardOf(`${head}
train(model(i).mean())
`);
  const passed = steps.filter((step) => views.test(step)).map((step) => step.split(":")[0]);
  expect(new Set(passed)).toEqual(new Set(["identity", "permute", "reshape"]));
  expect(steps.filter((step) => step.startsWith("einsum"))).toHaveLength(5);
});

const sharded = (precision: string) => `mesh = Mesh(dp=4)
x = Tensor((8, 16), "bf16")
w = Parameter((16, 32), "bf16")
place(x, layout("dp", "None"))
y = matmul(matmul(relu(x), w), w.T)
strategy(y, m="dp")
train(y, optimizer="adamw"${precision})
`;

/** `collective tensor:dtype`, in order. */
function sentIn(text: string): readonly string[] {
  const { program } = compile(text);
  const types = new Map(program.graph.tensors.map(({ id, dtype }) => [id, dtype]));
  const values = new Map(program.values.map(({ id, tensor }) => [id, tensor]));
  return program.stages
    .flatMap(({ steps }) => steps)
    .flatMap((step) => {
      if (step.kind !== "collective" || step.collective === "slice") return [];
      const tensor = values.get(step.output);
      return tensor === undefined ? [] : [`${step.collective} ${types.get(tensor)}`];
    });
}

// The cast of a parameter precedes its gather, so it runs on the shard; the gradient is cast before
// it is reduced.
test.each`
  precision                                     | sent
  ${", zero=3"}                                 | ${["all-gather bf16", "all-gather bf16", "reduce-scatter bf16"]}
  ${', zero=3, precision="fsdp"'}               | ${["all-gather bf16", "all-gather bf16", "reduce-scatter f32"]}
  ${', precision="autocast"'}                   | ${["all-reduce f32"]}
  ${', precision="megatron"'}                   | ${["all-reduce f32"]}
  ${', precision="megatron", gradients="bf16"'} | ${["all-reduce bf16"]}
`("train($precision) sends $sent", ({ precision, sent }) => {
  expect(sentIn(sharded(precision))).toEqual(sent);
});

test("weights that are moved in turns of each other's kinds are all gathered, none waits for itself", () => {
  const text = (first: string, second: string) => `mesh = Mesh(X=4, Y=4)

x = Tensor((64, 128), "bf16")
w_in = Parameter((128, 512), "bf16")
w_out = Parameter((512, 128), "bf16")

place(w_in, layout("X", "Y"))
place(w_out, layout("Y", "X"))

tmp = matmul(x, w_in)
out = matmul(tmp, w_out)
train(out, optimizer="sgd")

strategy(tmp, ${first})
strategy(out, ${second})
`;
  const both = ['("X", "Y")', '("Y", "X")'];
  for (const first of both) {
    for (const second of both) {
      for (const [a, b] of [
        ["n", "n"],
        ["k", "k"],
        ["n", "k"],
        ["k", "n"],
      ]) {
        const { diagnostics, cost } = compile(text(`${a}=${first}`, `${b}=${second}`));
        expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        expect(cost.seconds).toBeGreaterThan(0);
      }
    }
  }
});
