import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(p=1)

class Res(nn.Module):
    def __init__(self, a, b, e):
        super().__init__()
        self.n1, self.c1 = nn.GroupNorm(4, a), nn.Conv2d(a, b, 3, padding=1)
        self.t = nn.Linear(e, b)
        self.n2, self.c2 = nn.GroupNorm(4, b), nn.Conv2d(b, b, 3, padding=1)
        self.skip = nn.Conv2d(a, b, 1)
    def forward(self, x, t):
        h = self.c1(F.silu(self.n1(x)))
        h = h + self.t(F.silu(t))[:, :, None, None]
        h = self.c2(F.silu(self.n2(h)))
        return h + self.skip(x)

class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = Res(8, 16, 32), Res(16, 16, 32), Res(32, 8, 32)
        self.down, self.up = nn.Conv2d(16, 16, 3, 2, 1), nn.Conv2d(16, 16, 3, padding=1)
    def forward(self, x, t):
        h = self.a(x, t)
        y = self.b(self.down(h), t)
        y = self.up(F.interpolate(y, scale_factor=2.0, mode="nearest"))
        return self.c(torch.cat([y, h], dim=1), t)

x = Tensor((2, 8, 16, 16))
t = Tensor((2, 32))
net = UNet()
noise = Tensor((2, 8, 16, 16))
loss = (net(x, t) - noise).pow(2).mean()
train(loss, optimizer="sgd")
