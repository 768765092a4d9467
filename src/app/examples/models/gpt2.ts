import type { Example } from "#app/first-example";

export const gpt2: Example = {
  name: "gpt2",
  title: "GPT-2 (124M): a training step on 8 H100",
  note: "Data parallel: every device holds the whole model, and gradients are summed while the backward pass still runs (Radford et al. 2019).",
  parameters: 124_439_808,
  program: `# GPT-2 (124M): Radford et al. 2019, "Language Models are Unsupervised Multitask Learners".
# By hand: data parallel, as such a model is trained on one node.
import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(dp=8, hardware="8xH100")


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(batch, length, width))


class MLP(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, 4 * width)
        self.proj = nn.Linear(4 * width, width)

    def forward(self, x):
        return self.proj(F.gelu(self.fc(x), approximate="tanh"))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = Attention(width, heads)
        self.ln_2 = nn.LayerNorm(width)
        self.mlp = MLP(width)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT2(nn.Module):
    def __init__(self, vocab=50257, length=1024, width=768, layers=12, heads=12):
        super().__init__()
        self.wte = nn.Embedding(vocab, width)
        self.wpe = nn.Embedding(length, width)
        self.h = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.ln_f = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocab, bias=False)
        self.head.weight = self.wte.weight

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1]))
        for block in self.h:
            x = block(x)
        return self.head(self.ln_f(x))


tokens = Tensor((128, 1024), "int64")
targets = Tensor((128, 1024), "int64")
model = GPT2()
with torch.autocast("cuda", dtype=torch.bfloat16):
    logits = model(tokens)
    loss = F.cross_entropy(logits.view(-1, 50257), targets.view(-1))

place("tokens", layout("dp", "None"))
place("targets", layout("dp", "None"))
train(loss, optimizer="adamw")
`,
};
