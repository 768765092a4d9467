import type { Example } from "#app/first-example";

export const threeCuts: Example = {
  name: "three-cuts",
  title: "One matmul, cut in three ways",
  note: "Rows or columns of the result cost nothing; along the summed dim every device has a part of each sum, and an all-reduce adds them.",
  program: `# The same product three times. Both operands rest whole, so any cut is free at first.
# Only the cut along the summed dim k has to send anything.
mesh = Mesh(mp=4)

x = Tensor((32, 64), "bf16")
w = Parameter((64, 48), "bf16")
place(x, layout("None", "None"))
place(w, layout("None", "None"))

rows = matmul(x, w)
columns = matmul(x, w)
summed = matmul(x, w)

strategy(rows, m="mp")
strategy(columns, n="mp")
strategy(summed, k="mp")
`,
  shows: ["rows", "columns", "summed"],
};
