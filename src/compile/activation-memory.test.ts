import { expect, test } from "vitest";
import { compile } from "./compile.ts";

const [tokens, batch, width, heads] = [512, 2, 512, 8];

/**
 * A stack of transformer blocks as counted by Korthikanti et al. 2022: unfused attention, three
 * dropouts.
 */
function program(layers: number, t: number, cuts: string, recompute: string): string {
  return `from torch import nn

mesh = Mesh(tp=${t})

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.g1, self.g2 = Parameter((${width},), "bf16"), Parameter((${width},), "bf16")
        self.wq = Parameter((${width}, ${heads}, ${width / heads}), "bf16")
        self.wk = Parameter((${width}, ${heads}, ${width / heads}), "bf16")
        self.wv = Parameter((${width}, ${heads}, ${width / heads}), "bf16")
        self.wo = Parameter((${heads}, ${width / heads}, ${width}), "bf16")
        self.w1 = Parameter((${width}, ${4 * width}), "bf16")
        self.w2 = Parameter((${4 * width}, ${width}), "bf16")

    def forward(self, x):
        n1 = layer_norm(x, self.g1)
        q = einsum("b s d, d h e -> b h s e", n1, self.wq)
        k = einsum("b s d, d h e -> b h s e", n1, self.wk)
        v = einsum("b s d, d h e -> b h s e", n1, self.wv)
        c = einsum("b h s e, b h r e -> b h s r", q, k)
        p = softmax(c, dim=-1)
        m = dropout(p, p=0.1)
        o = einsum("b h s r, b h r e -> b h s e", m, v)
        a = einsum("b h s e, h e d -> b s d", o, self.wo)
        d1 = dropout(a, p=0.1)
        x1 = add(x, d1)
        n2 = layer_norm(x1, self.g2)
        u = einsum("b s d, d f -> b s f", n2, self.w1)
        z = gelu(u)
        y = einsum("b s f, f d -> b s d", z, self.w2)
        d2 = dropout(y, p=0.1)
        x2 = add(x1, d2)
        return x2

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = Parameter((64, ${width}), "bf16")
        self.layers = nn.ModuleList([Block() for _ in range(${layers})])

    def forward(self, ids):
        x = embedding(ids, self.table)
        for layer in self.layers:
            x = layer(x)
        return x

ids = Tensor((${batch}, ${tokens}), "int32")
net = Model()
loss = net(ids).sum()
${cuts}
train(loss, optimizer="adam", precision="megatron"${recompute})
`;
}

/** Bytes kept per additional layer until its backward pass, in units of tokens × batch × width. */
function perLayer(t: number, cuts: string, recompute = ""): number {
  const [less = 0, more = 0] = [2, 4].map((layers) => {
    const { memory } = compile(program(layers, t, cuts, recompute));
    return memory.afterForwardBytes - memory.parameterBytes - memory.optimizerBytes;
  });
  return (more - less) / 2 / (tokens * batch * width);
}

const tensor = ["q", "k", "v", "c", "o", "a"]
  .map((name) => `strategy("layers[*].${name}", h="tp")`)
  .concat(["p", "m"].map((name) => `strategy("layers[*].${name}", b="tp")`))
  .concat(["u", "y"].map((name) => `strategy("layers[*].${name}", f="tp")`))
  .join("\n");
const sequence = ["n1", "d1", "x1", "n2", "d2", "x2"]
  .map((name) => `strategy("layers[*].${name}", b="tp")`)
  .join("\n");
const scores = (5 * heads * tokens) / width;
const core = `, recompute=["layers[*].c", "layers[*].p", "layers[*].m"]`;

// arXiv 2205.05198, tables 2 and 3, per layer.
test.each`
  name                       | t    | cuts                        | recompute               | formula
  ${"nothing"}               | ${1} | ${""}                       | ${""}                   | ${34 + scores}
  ${"tensor parallel"}       | ${4} | ${tensor}                   | ${""}                   | ${10 + 24 / 4 + scores / 4}
  ${"and sequence parallel"} | ${4} | ${`${tensor}\n${sequence}`} | ${""}                   | ${(34 + scores) / 4}
  ${"selective"}             | ${1} | ${""}                       | ${core}                 | ${34}
  ${"full"}                  | ${1} | ${""}                       | ${', recompute="full"'} | ${2}
`("$name keeps $formula bytes per token, sample and feature", (row) => {
  expect(Math.abs(perLayer(row.t, row.cuts, row.recompute) / row.formula - 1)).toBeLessThan(0.05);
});
