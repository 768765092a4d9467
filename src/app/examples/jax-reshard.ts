import type { Example } from "#app/first-example";

export const jaxReshard: Example = {
  name: "jax-reshard",
  title: "One all-to-all where others send several times the bytes",
  note: "The resharding of jax#21562, whose array has 16 in each dim, on one of 256. What Shardy, DTensor and XLA in JAX send stands beside it, step by step, under its redistribution.",
  program: `# jax#21562: an array leaves dims 0 and 2 for dim 1, cut by both axes.
# It has 16 in each dim there: where so little is sent, other steps may take less time.
mesh = Mesh(x=4, y=2)

t = Tensor((256, 256, 256), "f32")
u = neg(t)

place(t, layout("y", "None", "x"))
strategy(u, b=("x", "y"))
`,
};
