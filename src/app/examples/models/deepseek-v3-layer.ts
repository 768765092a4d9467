import type { Example } from "#app/first-example";

export const deepseekLayer: Example = {
  name: "deepseek-v3-layer",
  title: "DeepSeek-V3: one layer on 64 H100",
  note: "A forward pass of latent attention and experts: each device reads its own sequences and holds four of the 256 experts (DeepSeek-AI 2024).",
  parameters: 11_507_286_016,
  program: `# One layer of DeepSeek-V3, read at prefill: "DeepSeek-V3 Technical Report", DeepSeek-AI 2024.
# By hand: attention data parallel, experts over all 64 devices, four of 256 on each.
import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(ep=64, hardware="64xH100")


class LatentAttention(nn.Module):
    """Multi-head latent attention: queries, keys and values through narrow latents."""

    def __init__(self, width=7168, heads=128, q_rank=1536, kv_rank=512, nope=128, rope=64, v=128):
        super().__init__()
        self.heads, self.kv_rank = heads, kv_rank
        self.nope, self.rope, self.value = nope, rope, v
        self.q_down = nn.Linear(width, q_rank, bias=False)
        self.q_norm = nn.RMSNorm(q_rank)
        self.q_up = nn.Linear(q_rank, heads * (nope + rope), bias=False)
        self.kv_down = nn.Linear(width, kv_rank + rope, bias=False)
        self.kv_norm = nn.RMSNorm(kv_rank)
        self.kv_up = nn.Linear(kv_rank, heads * (nope + v), bias=False)
        self.out = nn.Linear(heads * v, width, bias=False)

    def forward(self, x):
        batch, length, _ = x.shape
        q = self.q_up(self.q_norm(self.q_down(x)))
        q = q.view(batch, length, self.heads, self.nope + self.rope).transpose(1, 2)
        q_nope, q_rope = q.split([self.nope, self.rope], dim=-1)
        latent, k_rope = self.kv_down(x).split([self.kv_rank, self.rope], dim=-1)
        kv = self.kv_up(self.kv_norm(latent))
        kv = kv.view(batch, length, self.heads, self.nope + self.value).transpose(1, 2)
        k_nope, v = kv.split([self.nope, self.value], dim=-1)
        k_rope = rotary(k_rope.unsqueeze(1)).expand(-1, self.heads, -1, -1)
        q = torch.cat((q_nope, rotary(q_rope)), dim=-1)
        k = torch.cat((k_nope, k_rope), dim=-1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(batch, length, -1))


class FeedForward(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


def best(scores, count):
    return scores >= scores.topk(count, dim=-1).values[..., -1:]


class Experts(nn.Module):
    """Eight of 256 experts for each token, from the best four of eight groups, and one for all."""

    def __init__(self, width=7168, hidden=2048, experts=256, chosen=8, groups=8, best_groups=4):
        super().__init__()
        self.chosen, self.groups, self.best_groups = chosen, groups, best_groups
        self.router = nn.Linear(width, experts, bias=False)
        self.register_buffer("balance", torch.zeros(experts))
        self.w_gate = nn.Parameter(torch.empty(experts, width, hidden))
        self.w_up = nn.Parameter(torch.empty(experts, width, hidden))
        self.w_down = nn.Parameter(torch.empty(experts, hidden, width))
        self.shared = FeedForward(width, hidden)

    def route(self, x):
        scores = self.router(x).sigmoid()
        ranked = (scores + self.balance).unflatten(-1, (self.groups, -1))
        of_groups = ranked.topk(2, dim=-1).values.sum(dim=-1)
        ranked = ranked.masked_fill(~best(of_groups, self.best_groups).unsqueeze(-1), float("-inf"))
        kept = torch.where(best(ranked.flatten(-2), self.chosen), scores, 0.0)
        return 2.5 * kept / kept.sum(dim=-1, keepdim=True)

    def forward(self, x):
        gates = self.route(x)
        # Each expert has room for an even share of a sequence; the model itself drops no token.
        sent = moe_dispatch(x, gates, capacity=x.shape[1] * self.chosen // len(self.w_up))
        gate = torch.einsum("egcd,edh->egch", sent, self.w_gate)
        up = torch.einsum("egcd,edh->egch", sent, self.w_up)
        down = torch.einsum("egch,ehd->egcd", F.silu(gate) * up, self.w_down)
        back = moe_combine(down, gates)
        return back + self.shared(x)


class Layer(nn.Module):
    def __init__(self, width=7168):
        super().__init__()
        self.attention_norm = nn.RMSNorm(width)
        self.attention = LatentAttention(width)
        self.moe_norm = nn.RMSNorm(width)
        self.moe = Experts(width)

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.moe(self.moe_norm(x))


x = Tensor((64, 4096, 7168), "bf16")
layer = Layer().to(torch.bfloat16)
y = layer(x)

place("x", layout("ep", "None", "None"))
strategy("gate", e="ep")
strategy("up", e="ep")
strategy("down", e="ep")
strategy("back", g="ep")

# Sixty other layers need the memory too, so a planner leaves the experts where they are.
pin("gate")
pin("up")
pin("down")
`,
};
