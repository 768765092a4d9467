import type { Example } from "./example.ts";

export const jaxReshard: Example = {
  name: "jax-reshard",
  title: "One all-to-all where others send up to 8 times as much",
  note: "The resharding of jax#21562. Elements received per device: here 448; Shardy 640; DTensor 1280 greedy, 2048 by its graph planner; XLA in JAX 3584.",
  program: `# jax#21562: a 16 × 16 × 16 array leaves dims 0 and 2 for dim 1, cut by both axes.
mesh = Mesh(x=4, y=2)

t = Tensor((16, 16, 16), "f32")
u = neg(t)

place(t, layout("y", "None", "x"))
strategy(u, b=("x", "y"))
`,
};
