import type { Example } from "#app/first-example";

export const groupedQuery: Example = {
  name: "grouped-query",
  title: "Grouped-query attention: 8 groups, 8 devices",
  note: "Four query heads share each key head, and a group stays on one device, so nothing is copied and only the output is added (Ainslie et al. 2023).",
  program: `# 32 query heads, 8 key heads: attention's axis h counts the groups, not the heads.
# With 16 devices there would be too few groups to cut.
mesh = Mesh(tp=8)

x = Tensor((1, 16, 64), "bf16")
wq = Parameter((64, 32, 2), "bf16")
wk = Parameter((64, 8, 2), "bf16")
wv = Parameter((64, 8, 2), "bf16")
wo = Parameter((32, 2, 64), "bf16")

q = einsum("b s d, d h e -> b h s e", x, wq)
k = einsum("b s d, d h e -> b h s e", x, wk)
v = einsum("b s d, d h e -> b h s e", x, wv)
o = attention(q, k, v, is_causal=True)
y = einsum("b h s e, h e d -> b s d", o, wo)

strategy(q, h="tp")
strategy(k, h="tp")
strategy(v, h="tp")
strategy(o, h="tp")
strategy(y, h="tp")
`,
  shows: ["wq", "wk", "y"],
};
