import type { Example } from "#app/first-example";

export const zero: Example = {
  name: "zero",
  title: "ZeRO: data parallel with the optimizer in pieces",
  note: "A reduce-scatter and an all-gather per weight take the place of one all-reduce: the same bytes, a fourth of the optimizer state (ZeRO-1, Rajbhandari et al. 2019).",
  program: `# As in data parallel, but each device updates a fourth of every weight and sends it on.
mesh = Mesh(dp=4)

x = Tensor((256, 128), "bf16")
w1 = Parameter((128, 256), "bf16")
w2 = Parameter((256, 64), "bf16")

h = matmul(x, w1)
a = relu(h)
y = matmul(a, w2)

strategy(h, m="dp")
strategy(y, m="dp")
train(y, optimizer="adam", zero=1, precision="megatron", gradients="bf16")
`,
  shows: ["w1", "w1.grad", "w1.m"],
};
