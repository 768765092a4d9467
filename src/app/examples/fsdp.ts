import type { Example } from "#app/first-example";

export const fsdp: Example = {
  name: "fsdp",
  title: "FSDP: weights rest in pieces, and are gathered to be used",
  note: "Per weight one all-gather forward, one backward, and one reduce-scatter of its gradient (ZeRO-3, Rajbhandari et al. 2019).",
  program: `# The batch is cut, and at rest so is every weight; it is gathered for its use.
# Its gradient is summed into the pieces.
mesh = Mesh(dp=8)

x = Tensor((1024, 4096), "bf16")
g = Parameter((4096,), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 4096), "bf16")

n = layer_norm(x, g)
h = matmul(n, w1)
a = gelu(h)
y = matmul(a, w2)

strategy(n, a="dp")
strategy(h, m="dp")
strategy(y, m="dp")
train(y, optimizer="adam", zero=3)
`,
};
