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

class GPT(nn.Module):
    def __init__(self, v, d, n, h, t, p=0.0):
        super().__init__()
        self.te, self.pe = nn.Embedding(v, d), nn.Embedding(t, d)
        self.blocks = nn.ModuleList([Block(d, h, p) for _ in range(n)])
        self.n, self.out = nn.LayerNorm(d), nn.Linear(d, v, bias=False)
    def forward(self, i):
        x = self.te(i) + self.pe(torch.arange(i.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.out(self.n(x))


i = Tensor((2, 32), "int64")
net = GPT(64, 64, 2, 4, 32)
with torch.autocast("cuda", dtype=torch.bfloat16):
    y = net(i)
    loss = F.cross_entropy(y.float().view(-1, 64), i.view(-1))
train(loss, optimizer="sgd")
