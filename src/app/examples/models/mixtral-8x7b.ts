import type { Example } from "#app/first-example";

export const mixtral: Example = {
  name: "mixtral-8x7b",
  title: "Mixtral 8x7B: a training step on 64 H100",
  note: "Experts live on the eight devices of a node, and tokens travel to them and back by all-to-all; every weight rests in pieces (Jiang et al. 2024).",
  parameters: 46_702_792_704,
  program: `# Mixtral 8x7B: "Mixtral of Experts", Jiang et al. 2024.
# By hand: expert parallel over ep, inside a node. Tokens are cut by both axes; weights rest in pieces.
import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(dp=8, ep=8, hardware="64xH100")


class Attention(nn.Module):
    def __init__(self, width, heads, kv_heads):
        super().__init__()
        self.head = width // heads
        self.wq = nn.Linear(width, heads * self.head, bias=False)
        self.wk = nn.Linear(width, kv_heads * self.head, bias=False)
        self.wv = nn.Linear(width, kv_heads * self.head, bias=False)
        self.wo = nn.Linear(heads * self.head, width, bias=False)

    def forward(self, x):
        batch, length, _ = x.shape
        q = self.wq(x).view(batch, length, -1, self.head).transpose(1, 2)
        k = self.wk(x).view(batch, length, -1, self.head).transpose(1, 2)
        v = self.wv(x).view(batch, length, -1, self.head).transpose(1, 2)
        q, k = rotary(q, base=1000000), rotary(k, base=1000000)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.wo(y.transpose(1, 2).reshape(batch, length, -1))


class Experts(nn.Module):
    def __init__(self, width, hidden, experts, best):
        super().__init__()
        self.best = best
        self.gate = nn.Linear(width, experts, bias=False)
        self.w1 = nn.Parameter(torch.empty(experts, width, hidden))
        self.w2 = nn.Parameter(torch.empty(experts, hidden, width))
        self.w3 = nn.Parameter(torch.empty(experts, width, hidden))

    def forward(self, x):
        batch, length, _ = x.shape
        scores = F.softmax(self.gate(x), dim=-1)
        kept = torch.where(scores >= scores.topk(self.best).values[..., -1:], scores, 0.0)
        gates = kept / kept.sum(dim=-1, keepdim=True)
        # Each expert has room for an even share of a sequence; the model itself drops no token.
        sent = moe_dispatch(x, gates, capacity=length * self.best // len(self.w1))
        up = torch.einsum("egcd,edh->egch", sent, self.w1)
        side = torch.einsum("egcd,edh->egch", sent, self.w3)
        down = torch.einsum("egch,ehd->egcd", F.silu(up) * side, self.w2)
        back = moe_combine(down, gates)
        return back


class Block(nn.Module):
    def __init__(self, width, heads, kv_heads, hidden, experts, best):
        super().__init__()
        self.attention_norm = nn.RMSNorm(width)
        self.attention = Attention(width, heads, kv_heads)
        self.ffn_norm = nn.RMSNorm(width)
        self.moe = Experts(width, hidden, experts, best)

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.moe(self.ffn_norm(x))


class Mixtral(nn.Module):
    def __init__(self, vocab=32000, width=4096, layers=32, experts=8, best=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.layers = nn.ModuleList(
            Block(width, 32, 8, 14336, experts, best) for _ in range(layers)
        )
        self.norm = nn.RMSNorm(width)
        self.output = nn.Linear(width, vocab, bias=False)

    def forward(self, tokens):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.output(self.norm(x))


tokens = Tensor((64, 4096), "int64")
targets = Tensor((64, 4096), "int64")
model = Mixtral().to(torch.bfloat16)
logits = model(tokens)
loss = F.cross_entropy(logits.view(-1, 32000), targets.view(-1))

place("tokens", layout(("dp", "ep"), "None"))
place("targets", layout(("dp", "ep"), "None"))
strategy("layers[*].up", e="ep", g="dp")
strategy("layers[*].side", e="ep", g="dp")
strategy("layers[*].down", e="ep", g="dp")
strategy("layers[*].back", g=("dp", "ep"))
train(loss, optimizer="adamw", zero=3)
`,
};
