import type { Example } from "#app/first-example";

export const mindsporeLayoutsFour: Example = {
  name: "mindspore-layouts-four",
  title: "MindSpore: a matrix on four nodes, in four ways",
  note: "Both dims, replication, rows with replication and columns with replication, as in the second figure of Operator-level Parallelism.",
  program: `# Four tensors on 2 × 2 devices. An axis that cuts no dim makes copies.
from mindspore import Layout

layout = Layout((2, 2), alias_name=("r", "c"))

both = Tensor((4, 4))
replicated = Tensor((4, 4))
rows = Tensor((4, 4))
columns = Tensor((4, 4))

place(both, layout("r", "c"))
place(replicated, layout("None", "None"))
place(rows, layout("r", "None"))
place(columns, layout("None", "c"))
`,
};
