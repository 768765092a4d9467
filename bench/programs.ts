/**
 * A chain of matmuls, cut by rows and columns in turn, so that about half of them need a
 * redistribution.
 */
export function chainProgram(operators: number, dp: number, mp: number): string {
  const layers = Array.from({ length: operators }, (_, at) => [
    `w${at} = Parameter((4096, 4096), "bf16")`,
    `h${at + 1} = project(h${at}, w${at})`,
    `strategy(h${at + 1}, b="dp", ${at % 2 === 0 ? 'f="mp"' : 'k="mp"'})`,
  ]);
  return [
    `mesh = Mesh(dp=${dp}, mp=${mp})`,
    "# annotation: b k+, k+ f -> b f",
    "def project(x, w):",
    "    return torch.matmul(x, w)",
    'h0 = Tensor((4096, 4096), "bf16")',
    ...layers.flat(),
    "",
  ].join("\n");
}

/**
 * The same chain with a different shape for every tensor, so that no operator repeats an earlier
 * one.
 */
export function distinctProgram(operators: number, dp = 8, mp = 8): string {
  const layers = Array.from({ length: operators }, (_, at) => {
    const [inner, outer] = [1024 + 64 * at, 1024 + 64 * (at + 1)];
    return [
      `h${at + 1} = matmul(h${at}, Parameter((${inner}, ${outer}), "bf16"))`,
      `strategy(h${at + 1}, m="dp", ${at % 2 === 0 ? 'n="mp"' : 'k="mp"'})`,
    ];
  });
  return [
    `mesh = Mesh(dp=${dp}, mp=${mp})`,
    'h0 = Tensor((4096, 1024), "bf16")',
    ...layers.flat(),
    "",
  ].join("\n");
}

/**
 * GPT-3 with 175 billion parameters (Brown et al. 2020, table 2.1), with Megatron's cuts on 512
 * devices.
 */
export function gpt3Program(): string {
  return `mesh = Mesh(dp=64, tp=8)
tokens = Tensor((512, 2048), "int64")
table = Parameter((50257, 12288), "bf16")

def weight(*shape):
    return Parameter(shape, "bf16")

def heads(x):
    return x.view(512, 2048, 96, 128).transpose(1, 2)

def layers(x):
    n = layer_norm(x, weight(12288), weight(12288))
    q = linear(n, weight(12288, 12288))
    k = linear(n, weight(12288, 12288))
    v = linear(n, weight(12288, 12288))
    a = attention(heads(q), heads(k), heads(v), is_causal=True)
    o = linear(a.transpose(1, 2).view(512, 2048, 12288), weight(12288, 12288))
    r = add(x, o)
    m = layer_norm(r, weight(12288), weight(12288))
    u = linear(m, weight(49152, 12288))
    g = gelu(u)
    d = linear(g, weight(12288, 49152))
    return add(r, d)

h = embedding(tokens, table)
for layer in range(96):
    h = layers(h)
logits = linear(h, table)
strategy("h", a="dp")
strategy("layers[*].q", a="dp", n="tp")
strategy("layers[*].k", a="dp", n="tp")
strategy("layers[*].v", a="dp", n="tp")
strategy("layers[*].o", a="dp", k="tp")
strategy("layers[*].u", a="dp", n="tp")
strategy("layers[*].d", a="dp", k="tp")
`;
}

/** A training step of a GPT with 1.3 billion parameters per 24 layers, as PyTorch modules. */
export function gptTraining(layers: number, words = ""): string {
  return `import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(dp=8, tp=8, hardware="8x8xH100")

class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def split(self, x):
        b, s, d = x.shape
        return x.view(b, s, self.heads, d // self.heads).transpose(1, 2)

    def forward(self, x):
        q, k, v = map(self.split, self.qkv(x).chunk(3, dim=-1))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(mixed.transpose(1, 2).reshape(x.shape))

class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.up = nn.Linear(width, 4 * width, bias=False)
        self.down = nn.Linear(4 * width, width, bias=False)

    def forward(self, x):
        x = x + self.attention(self.before(x))
        return x + self.down(F.gelu(self.up(self.between(x))))

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(50304, 2048)
        self.layers = nn.ModuleList(Layer(2048, 16) for _ in range(${layers}))
        self.last = nn.LayerNorm(2048)

    def forward(self, tokens):
        x = self.table(tokens)
        for layer in self.layers:
            x = layer(x)
        return F.linear(self.last(x), self.table.weight)

tokens = Tensor((64, 2048), "int64")
logits = Model().to(torch.bfloat16)(tokens)
loss = F.cross_entropy(logits.float().view(-1, 50304), tokens.view(-1))
strategy("x", a="dp")
train(loss, optimizer="adamw"${words === "" ? "" : `, ${words}`})
`;
}

/** A given number of operators from a short text: a loop of matmuls and activations. */
export function loopProgram(operators: number): string {
  return [
    "mesh = Mesh(dp=8, mp=8)",
    'h = Tensor((4096, 4096), "bf16")',
    'w = Parameter((4096, 4096), "bf16")',
    `for layer in range(${operators / 2}):`,
    "    h = gelu(matmul(h, w))",
    'strategy("h#2", m="dp", n="mp")',
    "",
  ].join("\n");
}
