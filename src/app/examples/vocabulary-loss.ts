import type { Example } from "#app/first-example";

export const vocabularyLoss: Example = {
  name: "vocabulary-loss",
  title: "A loss over classes that no device has whole",
  note: "Maxima, sums of exponentials and the targets' logits are combined, one number per row each; the logits are never gathered (Megatron's vocabulary-parallel loss, loss_parallel of PyTorch).",
  program: `# 50,304 classes over eight devices: each has an eighth of the logits and no more.
# What the loss needs of the other devices are three numbers per row.
mesh = Mesh(tp=8)

x = Tensor((2048, 1024), "bf16")
w = Parameter((1024, 50304), "bf16")
target = Tensor((2048,), "i64")

logits = matmul(x, w)
loss = cross_entropy(logits, target)

strategy(logits, n="tp")
train(loss)
`,
  shows: ["w", "logits"],
};
