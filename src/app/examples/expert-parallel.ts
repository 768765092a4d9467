import type { Example } from "#app/first-example";

export const expertParallel: Example = {
  name: "expert-parallel",
  title: "Mixture of experts: tokens travel to their experts and back",
  note: "Two all-to-alls forward, two backward; the experts' own gradients need no collective (GShard, Lepikhin et al. 2020).",
  program: `# Groups of tokens g and experts e are cut by the same axis.
# A gate sends each token to its best two experts, which live on other devices.
mesh = Mesh(ep=4)

x = Tensor((8, 64, 256), "bf16")
s = Parameter((256,), "bf16")
wg = Parameter((256, 16), "bf16")
wi = Parameter((16, 256, 1024), "bf16")
wo = Parameter((16, 1024, 256), "bf16")

t = layer_norm(x, s)
logits = einsum("g t d, d e -> g t e", t, wg)
gates = moe_gate(logits, k=2)
sent = moe_dispatch(t, gates, capacity=16)
up = einsum("e g c d, e d h -> e g c h", sent, wi)
act = gelu(up)
down = einsum("e g c h, e h d -> e g c d", act, wo)
y = moe_combine(down, gates)

strategy(t, a="ep")
strategy(logits, g="ep")
strategy(gates, g="ep")
strategy(sent, g="ep")
strategy(up, e="ep")
strategy(down, e="ep")
strategy(y, g="ep")
train(y)
`,
};
