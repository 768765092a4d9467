import type { Example } from "#app/first-example";

export const jaxReshard: Example = {
  name: "jax-reshard",
  title: "One all-to-all where others send up to 8 times the bytes",
  note: "The resharding of jax#21562, whose array has 16 in each dim, on one of 256. Bytes received per device: here 7.34 MB; Shardy 10.5 MB; DTensor 21.0 MB greedy, 33.6 MB by its graph planner; XLA in JAX 58.7 MB.",
  program: `# jax#21562: an array leaves dims 0 and 2 for dim 1, cut by both axes.
# It has 16 in each dim there: two shorter all-to-alls are faster by the model for so few bytes.
mesh = Mesh(x=4, y=2)

t = Tensor((256, 256, 256), "f32")
u = neg(t)

place(t, layout("y", "None", "x"))
strategy(u, b=("x", "y"))
`,
};
