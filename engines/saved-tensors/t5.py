import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(p=1)

class Norm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d))
    def forward(self, x):
        v = x.to(torch.float32).pow(2).mean(-1, keepdim=True)
        return self.weight * (x * torch.rsqrt(v + 1e-6))

class Attention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h, self.e = h, d // h
        self.q, self.k, self.v, self.o = [nn.Linear(d, d, bias=False) for _ in range(4)]
        self.bias = nn.Embedding(8, h)
    def forward(self, x, places):
        b, t, d = x.shape
        q, k, v = (f(x).view(b, -1, self.h, self.e).transpose(1, 2) for f in (self.q, self.k, self.v))
        a = torch.matmul(q, k.transpose(3, 2))
        a += self.bias(places).permute(2, 0, 1).unsqueeze(0)
        a = F.softmax(a.float(), dim=-1).type_as(a)
        a = F.dropout(a, p=0.1, training=self.training)
        y = torch.matmul(a, v).transpose(1, 2).contiguous().view(b, -1, d)
        return self.o(y)

class Block(nn.Module):
    def __init__(self, d, h, f):
        super().__init__()
        self.n1, self.n2, self.attn = Norm(d), Norm(d), Attention(d, h)
        self.a, self.b, self.c = nn.Linear(d, f, bias=False), nn.Linear(d, f, bias=False), nn.Linear(f, d, bias=False)
        self.drop = nn.Dropout(0.1)
    def forward(self, x, places):
        x = x + self.drop(self.attn(self.n1(x), places))
        h = self.n2(x)
        return x + self.drop(self.c(self.drop(F.gelu(self.a(h), approximate="tanh") * self.b(h))))

x = Tensor((2, 32, 64))
places = Tensor((32, 32), "int64")
net = Block(64, 4, 128)
loss = net(x, places).pow(2).mean()
train(loss, optimizer="sgd")
