from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    sequence: int = 64
    vocabulary: int = 512
    layers: int = 2
    heads: int = 4
    key_heads: int = 2
    width: int = 64


def norm(x):
    return F.rms_norm(x, (x.size(-1),))


def rotated(x, cos, sin):
    half = x.shape[3] // 2
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos + b * sin, b * cos - a * sin], 3).to(x.dtype)


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads, self.key_heads = config.heads, config.key_heads
        self.size = config.width // config.heads
        self.q = nn.Linear(config.width, self.heads * self.size, bias=False)
        self.k = nn.Linear(config.width, self.key_heads * self.size, bias=False)
        self.v = nn.Linear(config.width, self.key_heads * self.size, bias=False)
        self.out = nn.Linear(config.width, config.width, bias=False)

    def forward(self, x, cos, sin):
        B, T, C = x.size()
        q = self.q(x).view(B, T, self.heads, self.size)
        k = self.k(x).view(B, T, self.key_heads, self.size)
        v = self.v(x).view(B, T, self.key_heads, self.size)
        q, k = norm(rotated(q, cos, sin)), norm(rotated(k, cos, sin))
        q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.out(y.transpose(1, 2).contiguous().view(B, T, -1))


class MLP(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.up = nn.Linear(config.width, 4 * config.width, bias=False)
        self.down = nn.Linear(4 * config.width, config.width, bias=False)

    def forward(self, x):
        return self.down(F.relu(self.up(x)).square())


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attn, self.mlp = Attention(config), MLP(config)

    def forward(self, x, cos, sin):
        x = x + self.attn(norm(x), cos, sin)
        return x + self.mlp(norm(x))


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.wte = nn.Embedding(config.vocabulary, config.width)
        self.blocks = nn.ModuleList([Block(config) for _ in range(config.layers)])
        self.head = nn.Linear(config.width, config.vocabulary, bias=False)
        half = config.width // config.heads // 2
        angles = torch.outer(torch.arange(config.sequence), 10000 ** (-torch.arange(half) / half))
        self.register_buffer("cos", angles.cos()[None, :, None, :], persistent=False)
        self.register_buffer("sin", angles.sin()[None, :, None, :], persistent=False)

    def forward(self, ids, targets=None):
        B, T = ids.size()
        cos, sin = self.cos[:, :T], self.sin[:, :T]
        x = norm(self.wte(ids))
        for block in self.blocks:
            x = block(x, cos, sin)
        logits = self.head(norm(x)).float()
        logits = 15 * torch.tanh(logits / 15)
        if targets is None:
            return logits
        return F.cross_entropy(
            logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1
        )


mesh = Mesh(dp=4)
ids = Tensor((16, 64), "int64")
targets = Tensor((16, 64), "int64")
gpt = GPT(Config())
loss = gpt(ids, targets)
train(loss)
