import type { Example } from "#app/first-example";

export const forbiddenAxis: Example = {
  name: "forbidden-axis",
  title: "Forbidden: one axis for two dims of a result",
  note: "A[I@x] · B[J, K@x] would cut both dims of the product by x. The error on purpose says which dim has the axis already.",
  program: `# Device c has row block c and column block c: it makes only the diagonal of C.
# Gather one operand instead: drop k="x" from the last line.
mesh = Mesh(x=4)

A = Tensor((32, 16), "f32")
B = Tensor((16, 64), "f32")
place(A, layout("x", "None"))
place(B, layout("None", "x"))

C = einsum("i j, j k -> i k", A, B)
strategy(C, i="x", k="x")
`,
  fault: "plan/axis-used-twice",
};
