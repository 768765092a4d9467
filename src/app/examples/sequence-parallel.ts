import type { Example } from "#app/first-example";

export const sequenceParallel: Example = {
  name: "sequence-parallel",
  title: "Sequence parallel: norms cut along the sequence",
  note: "Each all-reduce becomes an all-gather before the block and a reduce-scatter behind it: the same bytes, but the norm and the sum keep an eighth (Korthikanti et al. 2022).",
  program: `# Between products a device keeps an eighth of s, inside them one of the hidden layer.
# The layout of y is what the sum behind it wants: cut along s.
mesh = Mesh(tp=8)

x = Tensor((4, 2048, 4096), "bf16")
g = Parameter((4096,), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 4096), "bf16")

n = layer_norm(x, g)
h = einsum("b s d, d f -> b s f", n, w1)
a = gelu(h)
y = einsum("b s f, f d -> b s d", a, w2)
z = add(x, y)

strategy(n, b="tp")
strategy(h, f="tp")
strategy(y, f="tp")
strategy(z, b="tp")
train(z)
`,
};
