import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(p=1)

class Attention(nn.Module):
    def __init__(self, d, h, causal=True):
        super().__init__()
        self.h, self.causal = h, causal
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).split(d, dim=2)
        q, k, v = (z.view(b, t, self.h, d // self.h).transpose(1, 2) for z in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return self.o(y.transpose(1, 2).contiguous().view(b, t, d))

class Block(nn.Module):
    def __init__(self, d, h, p=0.0, causal=True):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = Attention(d, h, causal)
        self.f1, self.f2 = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.drop = nn.Dropout(p)
    def forward(self, x):
        x = x + self.drop(self.attn(self.n1(x)))
        return x + self.drop(self.f2(F.gelu(self.f1(self.n2(x)))))


class ViT(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.patch = nn.Conv2d(3, d, 8, 8)
        self.cls, self.pos = nn.Parameter(torch.zeros(1, 1, d)), nn.Parameter(torch.zeros(1, 17, d))
        self.blocks = nn.Sequential(*[Block(d, 4, 0.1, False) for _ in range(2)])
        self.n, self.head = nn.LayerNorm(d), nn.Linear(d, 10)
    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat((self.cls.expand(x.shape[0], -1, -1), x), dim=1) + self.pos
        return self.head(self.n(self.blocks(x))[:, 0])

x = Tensor((4, 3, 32, 32))
y = Tensor((4,), "int64")
net = ViT(64)
with torch.autocast("cuda", dtype=torch.bfloat16):
    loss = F.cross_entropy(net(x), y)
train(loss, optimizer="sgd")
