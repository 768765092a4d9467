import type { Example } from "#app/first-example";

export const attentionHeads: Example = {
  name: "attention-heads",
  title: "Attention split by heads",
  note: "Each device has a fourth of the heads from the projections to the output: one all-reduce forward, one backward (Shoeybi et al. 2019).",
  program: `# b batch, s sequence, d model, h heads, e their width. No head reads another.
# Only the product with wo sums over all of them, so only that has to be added up.
mesh = Mesh(tp=4)

x = Tensor((2, 8, 16), "bf16")
g = Parameter((16,), "bf16")
wq = Parameter((16, 8, 2), "bf16")
wk = Parameter((16, 8, 2), "bf16")
wv = Parameter((16, 8, 2), "bf16")
wo = Parameter((8, 2, 16), "bf16")

n = layer_norm(x, g)
q = einsum("b s d, d h e -> b h s e", n, wq)
k = einsum("b s d, d h e -> b h s e", n, wk)
v = einsum("b s d, d h e -> b h s e", n, wv)
o = attention(q, k, v, is_causal=True)
y = einsum("b h s e, h e d -> b s d", o, wo)

strategy(q, h="tp")
strategy(k, h="tp")
strategy(v, h="tp")
strategy(o, h="tp")
strategy(y, h="tp")
train(y)
`,
  shows: ["wq", "wo", "y"],
};
