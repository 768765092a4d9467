import type { Example } from "#app/first-example";

export const mindsporeLayoutsTwo: Example = {
  name: "mindspore-layouts-two",
  title: "MindSpore: a matrix on two nodes, in three ways",
  note: "Row slicing, column slicing and replication, as in the first figure of Operator-level Parallelism.",
  program: `# Nothing is computed here: three tensors, three layouts on two devices.
from mindspore import Layout

layout = Layout((2,), alias_name=("d",))

rows = Tensor((4, 4))
columns = Tensor((4, 4))
replicated = Tensor((4, 4))

place(rows, layout("d", "None"))
place(columns, layout("None", "d"))
place(replicated, layout("None", "None"))
`,
};
