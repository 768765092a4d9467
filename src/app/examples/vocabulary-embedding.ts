import type { Example } from "#app/first-example";

export const vocabularyEmbedding: Example = {
  name: "vocabulary-embedding",
  title: "An embedding split by its vocabulary",
  note: "A device that lacks a token adds zeros: one all-reduce forward, nothing backward, and each device updates the rows that it has.",
  program: `# 50,304 rows over eight devices. Each looks every token up in its own rows.
mesh = Mesh(tp=8)

tokens = Tensor((4, 2048), "i32")
table = Parameter((50304, 1024), "bf16")
g = Parameter((1024,), "bf16")

e = embedding(tokens, table)
n = layer_norm(e, g)

strategy(e, n="tp")
train(n)
`,
  shows: ["tokens", "table", "e"],
};
