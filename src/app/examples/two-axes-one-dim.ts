import type { Example } from "#app/first-example";

export const twoAxesOneDim: Example = {
  name: "two-axes-one-dim",
  title: "Two axes on one dim: the order counts",
  note: "The outer axis makes the large blocks, the inner one cuts those. To swap them moves blocks between devices, and nothing else.",
  program: `# ("a", "b") is outermost first. u and v have equal blocks, but on other devices.
mesh = Mesh(a=2, b=4)

t = Tensor((64, 8), "f32")
u = neg(t)
v = neg(u)

strategy(u, a=("a", "b"))
strategy(v, a=("b", "a"))
`,
};
