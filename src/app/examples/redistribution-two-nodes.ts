import type { Example } from "#app/first-example";

export const redistributionTwoNodes: Example = {
  name: "redistribution-two-nodes",
  title: "Between the layouts of two nodes",
  note: "Rows to columns is an all-to-all, columns to replication an all-gather, and back to rows a slice that sends nothing (the redistribution figure of Operator-level Parallelism).",
  program: `mesh = Mesh(d=2)

t = Tensor((4, 4), "f32")
rows = neg(t)
columns = neg(rows)
replicated = neg(columns)
again = neg(replicated)

strategy(rows, a="d")
strategy(columns, b="d")
strategy(replicated, a=())
strategy(again, a="d")
`,
};
