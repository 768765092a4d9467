import type { Example } from "./example.ts";

/** The example that a first visit opens, loaded with the page. */
export const twoMatmuls: Example = {
  name: "two-matmuls",
  title: "Two matmuls on a 2 × 2 mesh",
  note: "The hidden layer is gathered before the second matmul. Cut the rows of w2 instead, and it is not.",
  program: `# Two matrix products on four devices: dp cuts the batch, mp the hidden layer.
mesh = Mesh(dp=2, mp=2)

# annotation: b k+, k+ f -> b f
def project(x, w):
    return torch.matmul(x, w)

x = Tensor((512, 1024), "bf16")
w1 = Parameter((1024, 4096), "bf16")
w2 = Parameter((4096, 1024), "bf16")

h = project(x, w1)
y = project(h, w2)

strategy(h, b="dp", f="mp")
strategy(y, b="dp")
`,
  hint: { tensor: "w2", dim: 0, axis: "mp" },
};
