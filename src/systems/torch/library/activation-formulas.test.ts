import { expect, test } from "vitest";
import { compile } from "#compile";

const [batch, sequence, width, heads] = [4, 512, 1024, 16];
/** `sbh` and `as²b`: elements of a layer's input, and of its attention's scores. */
const input = sequence * batch * width;
const scores = heads * sequence * sequence * batch;

const model = `from torch import nn
import torch.nn.functional as F
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.g1, self.b1 = Parameter((1024,), "bf16"), Parameter((1024,), "bf16")
        self.wq = Parameter((1024, 16, 64), "bf16")
        self.wk = Parameter((1024, 16, 64), "bf16")
        self.wv = Parameter((1024, 16, 64), "bf16")
        self.wo = Parameter((16, 64, 1024), "bf16")
        self.g2, self.b2 = Parameter((1024,), "bf16"), Parameter((1024,), "bf16")
        self.w1, self.w2 = Parameter((1024, 4096), "bf16"), Parameter((4096, 1024), "bf16")
    def forward(self, x):
        n1 = layer_norm(x, self.g1, self.b1)
        q = einsum("b s d, d h e -> b h s e", n1, self.wq)
        k = einsum("b s d, d h e -> b h s e", n1, self.wk)
        v = einsum("b s d, d h e -> b h s e", n1, self.wv)
        c = einsum("b h s e, b h t e -> b h s t", q, k)
        m = c * 0.125
        p = F.softmax(m, dim=-1)
        r = F.dropout(p, p=0.1)
        o = einsum("b h s t, b h t e -> b h s e", r, v)
        a = einsum("b h s e, h e d -> b s d", o, self.wo)
        d1 = F.dropout(a, p=0.1)
        x1 = add(x, d1)
        n2 = layer_norm(x1, self.g2, self.b2)
        u = einsum("b s d, d f -> b s f", n2, self.w1)
        z = F.gelu(u)
        y = einsum("b s f, f d -> b s d", z, self.w2)
        d2 = F.dropout(y, p=0.1)
        x2 = add(x1, d2)
        return x2
class Model(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.e = Parameter((1024,), "bf16")
        self.layers = nn.ModuleList([Block() for _ in range(count)])
    def forward(self, x):
        x = add(x, self.e)
        for layer in self.layers:
            x = layer(x)
        return x.sum()
`;

const tensorCuts = "q h, k h, v h, c h, o h, a h, u f, y f";
/** Norms, dropouts and sums on pieces of the sequence. */
const sequencePlaces = "n1 x1 n2 x2";

interface Case {
  readonly parts: number;
  readonly isSequence: boolean;
  readonly again: string;
}

function programOf(count: number, { parts, isSequence, again }: Case): string {
  const cuts = parts === 1 ? [] : tensorCuts.split(", ");
  const strategies = cuts.map((cut) => {
    const [name, axis] = cut.split(" ");
    return `strategy("layers[*].${name}", ${axis}="tp")`;
  });
  const places = isSequence
    ? sequencePlaces
        .split(" ")
        .map((name) => `place("layers[*].${name}", layout("None", "tp", "None"))`)
        .concat('strategy("layers[*].d1", b="tp")', 'strategy("layers[*].d2", b="tp")')
    : [];
  const names = again.split(" ").filter(Boolean);
  const list = names.map((name) => `"layers[*].${name}"`).join(", ");
  return [
    `mesh = Mesh(tp=${parts})`,
    model,
    'x = Tensor((4, 512, 1024), "bf16")',
    `loss = Model(${count})(x)`,
    ...strategies,
    ...places,
    `train(loss, optimizer="adam", precision="megatron", recompute=[${list}])`,
  ].join("\n");
}

/** Bytes between the passes that one layer more takes beside its parameters and their state. */
function activationsOfLayer(about: Case): number {
  const [two, four] = [2, 4].map((count) => {
    const { memory, diagnostics } = compile(programOf(count, about));
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return memory.afterForwardBytes - memory.parameterBytes - memory.optimizerBytes;
  });
  return ((four ?? 0) - (two ?? 0)) / 2;
}

const core = "c m p r";
const all = "n1 q k v c m p r o a d1 x1 n2 u z y d2";

// Korthikanti et al. 2022 (arXiv 2205.05198), table 2: bytes of activations of a layer of 16-bit floats.
test.each`
  how                                     | parts | isSequence | again   | formula
  ${"on one device"}                      | ${1}  | ${false}   | ${""}   | ${34 * input + 5 * scores}
  ${"tensor-parallel"}                    | ${8}  | ${false}   | ${""}   | ${10 * input + (24 * input + 5 * scores) / 8}
  ${"tensor- and sequence-parallel"}      | ${8}  | ${true}    | ${""}   | ${(34 * input + 5 * scores) / 8}
  ${"tensor-parallel, attention again"}   | ${8}  | ${false}   | ${core} | ${10 * input + (24 * input) / 8}
  ${"sequence-parallel, attention again"} | ${8}  | ${true}    | ${core} | ${(34 * input) / 8}
  ${"wholly again"}                       | ${8}  | ${false}   | ${all}  | ${2 * input}
`("a layer $how keeps what the published formula says", ({ formula, ...about }) => {
  expect(activationsOfLayer(about) / formula).toBeCloseTo(1, 2);
});
