import type { Example } from "#app/first-example";

export const carry: Example = {
  name: "carry",
  title: "A partial sum carried over two operators",
  note: "Adding and transposing are linear, so the parts are added once at the end instead of twice: one all-reduce.",
  program: `# Both products are cut along the summed dim; carry= hands the parts on.
# Without it h1 and h2 would each be added before s.
mesh = Mesh(mp=4)

x = Tensor((32, 64), "bf16")
w1 = Parameter((64, 48), "bf16")
w2 = Parameter((64, 48), "bf16")

h1 = matmul(x, w1)
h2 = matmul(x, w2)
s = add(h1, h2)
y = transpose(s, 0, 1)

strategy(h1, k="mp")
strategy(h2, k="mp")
strategy(s, carry="mp")
strategy(y, carry="mp")
`,
};
