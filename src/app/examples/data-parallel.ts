import type { Example } from "#app/first-example";

export const dataParallel: Example = {
  name: "data-parallel",
  title: "Data parallel: the batch is cut, the model is not",
  note: "Each device has the whole model and a fourth of the batch; backward, one all-reduce per weight adds the gradients (DDP, Li et al. 2020).",
  program: `# Forward sends nothing. Each device then has a gradient of its own part of x.
# Their sum is what the optimizer needs.
mesh = Mesh(dp=4)

x = Tensor((256, 128), "bf16")
w1 = Parameter((128, 256), "bf16")
w2 = Parameter((256, 64), "bf16")

h = matmul(x, w1)
a = relu(h)
y = matmul(a, w2)

strategy(h, m="dp")
strategy(y, m="dp")
train(y, optimizer="adam")
`,
  shows: ["x", "w1", "h", "w1.grad"],
};
