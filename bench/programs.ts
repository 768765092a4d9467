/** A chain of matmuls, cut by rows and columns in turn, so that about half of them redistribute. */
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

/** The same with another shape for every tensor, so that no operator repeats an earlier one. */
export function distinctProgram(operators: number): string {
  const layers = Array.from({ length: operators }, (_, at) => {
    const [inner, outer] = [1024 + 64 * at, 1024 + 64 * (at + 1)];
    return [
      `h${at + 1} = matmul(h${at}, Parameter((${inner}, ${outer}), "bf16"))`,
      `strategy(h${at + 1}, m="dp", ${at % 2 === 0 ? 'n="mp"' : 'k="mp"'})`,
    ];
  });
  return [
    "mesh = Mesh(dp=8, mp=8)",
    'h0 = Tensor((4096, 1024), "bf16")',
    ...layers.flat(),
    "",
  ].join("\n");
}

/** GPT-3 of 175 billion parameters (Brown et al. 2020, table 2.1), Megatron's cuts on 512 devices. */
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

/** So many operators out of a short text: a loop of matmuls and activations. */
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
