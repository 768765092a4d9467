import type { Example } from "#app/first-example";

export const llama3EightB: Example = {
  name: "llama3-8b",
  title: "Llama 3 8B: a training step on 8 H100",
  note: "FSDP: each weight rests in eighths, and is gathered while the layer before it runs; what layers keep is computed again (Grattafiori et al. 2024).",
  parameters: 8_030_261_248,
  program: `# Llama 3 8B: "The Llama 3 Herd of Models", Grattafiori et al. 2024.
# By hand: FSDP. Each device reads its own sequences; every weight rests in eighths.
import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(dp=8, hardware="8xH100")


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
        q, k = rotary(q, base=500000), rotary(k, base=500000)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.wo(y.transpose(1, 2).reshape(batch, length, -1))


class FeedForward(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.w1 = nn.Linear(width, hidden, bias=False)
        self.w2 = nn.Linear(hidden, width, bias=False)
        self.w3 = nn.Linear(width, hidden, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self, width, heads, kv_heads, hidden):
        super().__init__()
        self.attention_norm = nn.RMSNorm(width)
        self.attention = Attention(width, heads, kv_heads)
        self.ffn_norm = nn.RMSNorm(width)
        self.ffn = FeedForward(width, hidden)

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.ffn(self.ffn_norm(x))


class Llama(nn.Module):
    def __init__(self, vocab=128256, width=4096, layers=32, heads=32, kv_heads=8, hidden=14336):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.layers = nn.ModuleList(Block(width, heads, kv_heads, hidden) for _ in range(layers))
        self.norm = nn.RMSNorm(width)
        self.output = nn.Linear(width, vocab, bias=False)

    def forward(self, tokens):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.output(self.norm(x))


tokens = Tensor((8, 8192), "int64")
targets = Tensor((8, 8192), "int64")
model = Llama().to(torch.bfloat16)
logits = model(tokens)
loss = F.cross_entropy(logits.view(-1, 128256), targets.view(-1))

place("tokens", layout("dp", "None"))
place("targets", layout("dp", "None"))
train(loss, optimizer="adamw", zero=3, recompute=["layers[*]"])
`,
};
