import type { Example } from "#app/first-example";

export const mesh8x8x8: Example = {
  name: "mesh-8x8x8",
  title: "A cube of 512 devices",
  note: "Every matmul is cut along all three of its dims: x and y cut the result, z the sum, and each sum is added among 8 devices.",
  program: `mesh = Mesh(x=8, y=8, z=8)

a = Tensor((32, 32), "bf16")
w1 = Parameter((32, 32), "bf16")
w2 = Parameter((32, 32), "bf16")

h = matmul(a, w1)
y = matmul(h, w2)

strategy(h, m="x", n="y", k="z")
strategy(y, m="x", n="z", k="y")
`,
};
