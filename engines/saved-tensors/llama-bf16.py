import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(p=1)

class Norm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d))
    def forward(self, x):
        h = x.float()
        h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-5)
        return self.weight * h.to(x.dtype)

def rotate(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)

class Block(nn.Module):
    def __init__(self, d, h, kv, f):
        super().__init__()
        self.h, self.kv, self.e = h, kv, d // h
        self.n1, self.n2 = Norm(d), Norm(d)
        self.q, self.o = nn.Linear(d, d, bias=False), nn.Linear(d, d, bias=False)
        self.k, self.v = nn.Linear(d, kv * self.e, bias=False), nn.Linear(d, kv * self.e, bias=False)
        self.gate, self.up, self.down = nn.Linear(d, f, bias=False), nn.Linear(d, f, bias=False), nn.Linear(f, d, bias=False)
    def forward(self, x, cos, sin):
        b, t, d = x.shape
        h = self.n1(x)
        q = self.q(h).view(b, t, self.h, self.e).transpose(1, 2)
        k = self.k(h).view(b, t, self.kv, self.e).transpose(1, 2)
        v = self.v(h).view(b, t, self.kv, self.e).transpose(1, 2)
        q, k = q * cos + rotate(q) * sin, k * cos + rotate(k) * sin
        k, v = (z.repeat_interleave(self.h // self.kv, dim=1) for z in (k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(y.transpose(1, 2).reshape(b, t, d))
        h = self.n2(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))

x = Tensor((2, 32, 64), "bfloat16")
cos = Tensor((32, 16), "bfloat16")
sin = Tensor((32, 16), "bfloat16")
net = Block(64, 4, 2, 128).to(torch.bfloat16)
loss = net(x, cos, sin).float().pow(2).mean()
train(loss, optimizer="sgd")
