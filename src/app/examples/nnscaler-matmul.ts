import type { Example } from "#app/first-example";

export const nnscalerMatmul: Example = {
  name: "nnscaler-matmul",
  title: "nnScaler: an annotated matmul, its sum cut in two",
  note: "The annotated operator of nnScaler's documentation, Dimops, called and cut along kd: the output is a partial sum.",
  program: `# annotation: m^ kd+, kd+ n -> m^ n
def operator(x: torch.Tensor, w: torch.Tensor, h: float) -> torch.Tensor:
    out = torch.matmul(x, w)
    return out

mesh = Mesh(tp=2)
x = Tensor((4, 6))
w = Parameter((6, 8))
out = operator(x, w, 1.0)
strategy(out, kd="tp")
`,
  shows: ["x", "w", "out"],
};
