import type { Example } from "#app/first-example";

export const megatronMlp: Example = {
  name: "megatron-mlp",
  title: "Megatron's MLP: cut columns, then rows",
  note: "The hidden layer never leaves its device: one all-reduce forward, one backward (Shoeybi et al. 2019).",
  program: `# One feed-forward block of a transformer, trained on eight devices.
# w1 is cut by columns and w2 by rows, so gelu works on what each device has.
mesh = Mesh(tp=8)

x = Tensor((2048, 4096), "bf16")
g = Parameter((4096,), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 4096), "bf16")

n = layer_norm(x, g)
h = matmul(n, w1)
a = gelu(h)
y = matmul(a, w2)

strategy(h, n="tp")
strategy(y, k="tp")
train(y)
`,
  shows: ["w1", "h", "w2", "y"],
};
