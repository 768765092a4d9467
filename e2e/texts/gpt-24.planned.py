# A GPT of 24 layers as a person writes it: 1,315,377,152 parameters without the tied head, batch 64 of 2048 tokens.
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(dp=8, tp=8, hardware="8x8xH100")


class Attention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.proj = nn.Linear(d, d, bias=False)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).split(d, dim=2)
        q = q.view(b, t, self.h, d // self.h).transpose(1, 2)
        k = k.view(b, t, self.h, d // self.h).transpose(1, 2)
        v = v.view(b, t, self.h, d // self.h).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(y.transpose(1, 2).contiguous().view(b, t, d))


class MLP(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc = nn.Linear(d, 4 * d, bias=False)
        self.out = nn.Linear(4 * d, d, bias=False)

    def forward(self, x):
        return self.out(F.gelu(self.fc(x)))


class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn, self.mlp = Attention(d, h), MLP(d)

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, v, d, L, h, t):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(v, d), nn.Embedding(t, d)
        self.blocks = nn.ModuleList(Block(d, h) for _ in range(L))
        self.ln_f, self.head = nn.LayerNorm(d), nn.Linear(d, v, bias=False)
        self.head.weight = self.wte.weight

    def forward(self, i):
        x = self.wte(i) + self.wpe(torch.arange(i.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln_f(x))


ids = Tensor((64, 2048), "int64")
gpt = GPT(50304, 2048, 24, 16, 2048).to(torch.bfloat16)
logits = gpt(ids)
loss = F.cross_entropy(logits.float().view(-1, 50304), ids.view(-1))
train(loss, optimizer="adamw")
strategy("wte", a="dp", k="tp")
strategy("wpe", k="dp")
strategy("blocks[*].ln1", a=("dp", "tp"))
strategy("blocks[*].x", a=("dp", "tp"))
strategy(logits, a="dp", n="tp")
place(ids, layout("None", "None"))
place("wte.weight", layout(("tp", "dp"), "None"))
place("blocks[*].ln*", layout("tp"))
place("blocks[*].attn.*.weight", layout("tp", "None"))
place("blocks[*].mlp.*.weight", layout("tp", "None"))
place("ln_f.*", layout("tp"))
