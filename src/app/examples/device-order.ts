import type { Example } from "#app/first-example";

export const deviceOrder: Example = {
  name: "device-order",
  title: "Devices in an order of your own",
  note: "devices= says which device stands where in the mesh: here mp joins 0 and 4, 1 and 5, so each dp row strides over the halves.",
  program: `# The gather over mp runs along the rows of the mesh: 0 4, 1 5, 2 6 and 3 7.
mesh = Mesh(dp=4, mp=2, devices=[0, 4, 1, 5, 2, 6, 3, 7])

x = Tensor((64, 32), "f32")
w = Parameter((32, 48), "f32")

h = matmul(x, w)
y = softmax(h)

strategy(h, m="dp", n="mp")
strategy(y, a="dp")
`,
};
