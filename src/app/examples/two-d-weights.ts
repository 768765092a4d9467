import type { Example } from "#app/first-example";

export const twoDWeights: Example = {
  name: "two-d-weights",
  title: "FSDP times tensor parallel: weights cut along both dims",
  note: "Activations are cut by X along the batch and by Y along the width; gathers of inputs and weights, reduce-scatters of results and gradients (the mixed scheme of the scaling book's training chapter).",
  program: `# W_in[D@X, F@Y], W_out[F@Y, D@X], In[B@X, D@Y]: X gathers W, Y gathers In.
mesh = Mesh(X=4, Y=4)

x = Tensor((64, 128), "bf16")
s = Parameter((128,), "bf16")
w_in = Parameter((128, 512), "bf16")
w_out = Parameter((512, 128), "bf16")

place(w_in, layout("X", "Y"))
place(w_out, layout("Y", "X"))

i = mul(x, s)
tmp = matmul(i, w_in)
out = matmul(tmp, w_out)
z = add(x, out)

strategy(i, a="X", b="Y")
strategy(tmp, m="X", n="Y")
strategy(out, m="X", k="Y")
strategy(z, a="X", b="Y")
train(z, optimizer="sgd")
`,
};
