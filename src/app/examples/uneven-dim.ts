import type { Example } from "#app/first-example";

export const unevenDim: Example = {
  name: "uneven-dim",
  title: "Ten rows on four devices",
  note: "Blocks have the size of the ceiling: 3, 3, 3 and 1 rows. The warning says so; results stay exact.",
  program: `mesh = Mesh(dp=4)

x = Tensor((10, 16), "f32")
w = Parameter((16, 12), "f32")

h = matmul(x, w)
y = softmax(h, dim=0)

strategy(h, m="dp")
strategy(y, b="dp")
`,
};
