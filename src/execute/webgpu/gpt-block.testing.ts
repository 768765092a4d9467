/** Sizes of a block of GPT: its mesh, its batch, its heads and their width. */
interface BlockSizes {
  readonly dp: number;
  readonly tp: number;
  readonly batch: number;
  readonly heads: number;
  readonly width: number;
}

/** A block of GPT over 8 tokens: heads over one axis, rows over the other, and both sums. */
export function gptBlock({ dp, tp, batch, heads, width }: BlockSizes): string {
  const model = heads * width;
  const perHead = `shape=(${batch}, 8, ${heads}, ${width})`;
  const byHeads = (name: string) => `permute(${name}, (0, 2, 1, 3))`;
  return `mesh = Mesh(dp=${dp}, tp=${tp})
x = Tensor((${batch}, 8, ${model}))
g1 = Parameter((${model},))
wq = Parameter((${model}, ${model}))
wk = Parameter((${model}, ${model}))
wv = Parameter((${model}, ${model}))
wo = Parameter((${model}, ${model}))
g2 = Parameter((${model},))
wi = Parameter((${model}, ${4 * model}))
wd = Parameter((${4 * model}, ${model}))
n = layer_norm(x, g1)
q = reshape(matmul(n, wq), ${perHead})
k = reshape(matmul(n, wk), ${perHead})
v = reshape(matmul(n, wv), ${perHead})
a = attention(${byHeads("q")}, ${byHeads("k")}, ${byHeads("v")}, is_causal=True)
m = reshape(${byHeads("a")}, shape=(${batch}, 8, ${model}))
h = add(x, matmul(m, wo))
u = gelu(matmul(layer_norm(h, g2), wi))
y = add(h, matmul(u, wd))
strategy("q", b="dp")
strategy(n, a="dp")
strategy(u, a="dp", c="tp")
strategy(y, a="dp")
`;
}
