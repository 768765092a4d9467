import type { Example } from "#app/first-example";

export const redistributionFourNodes: Example = {
  name: "redistribution-four-nodes",
  title: "Between the layouts of four nodes",
  note: "One axis at a time or both at once: what each change of layout has to send (the second redistribution figure of Operator-level Parallelism).",
  program: `mesh = Mesh(r=2, c=2)

t = Tensor((8, 8), "f32")
both = neg(t)
rows = neg(both)
columns = neg(rows)
fours = neg(columns)
replicated = neg(fours)

strategy(both, a="r", b="c")
strategy(rows, a="r")
strategy(columns, b="c")
strategy(fours, a=("r", "c"))
strategy(replicated, a=())
`,
};
