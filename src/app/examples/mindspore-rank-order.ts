import type { Example } from "#app/first-example";

export const mindsporeRankOrder: Example = {
  name: "mindspore-rank-order",
  title: "MindSpore: one matrix on ranks 0, 4, 2, 6 and on 0, 1, 2, 3",
  note: "The two arrangements of [[a0, a1, a2, a3], [a4, a5, a6, a7]] in Operator-level Parallelism: by a Layout, and by the strategy (2, 4).",
  program: `# Each card holds one element. Row 0 of a is on 0, 4, 2, 6, that of b on 0 to 3.
from mindspore import Layout

layout = Layout((2, 2, 2), alias_name=("dp", "sp", "mp"))

a = Tensor((2, 4))
b = Tensor((2, 4))

place(a, layout("mp", ("sp", "dp")))
place(b, layout("dp", ("sp", "mp")))
`,
};
