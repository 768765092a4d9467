import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(p=1)

class Attention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.q, self.k, self.v, self.o = [nn.Linear(d, d, bias=False) for _ in range(4)]
        self.register_buffer("mask", torch.tril(torch.ones(32, 32)).view(1, 1, 32, 32))
    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (f(x).view(b, t, self.h, d // self.h).transpose(1, 2) for f in (self.q, self.k, self.v))
        a = (q @ k.transpose(-2, -1)) / (d // self.h) ** 0.5
        a = a.masked_fill(self.mask[:, :, :t, :t] == 0, float("-inf"))
        a = F.dropout(F.softmax(a, dim=-1), 0.1)
        return self.o((a @ v).transpose(1, 2).reshape(b, t, d))

x = Tensor((2, 32, 64))
net = nn.Sequential(nn.LayerNorm(64), Attention(64, 4), nn.LayerNorm(64))
loss = net(x).pow(2).mean()
train(loss, optimizer="sgd")
