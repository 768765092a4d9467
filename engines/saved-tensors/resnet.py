import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(p=1)

class Basic(nn.Module):
    def __init__(self, a, b, s):
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(a, b, 3, s, 1, bias=False), nn.BatchNorm2d(b)
        self.c2, self.b2 = nn.Conv2d(b, b, 3, 1, 1, bias=False), nn.BatchNorm2d(b)
        self.relu = nn.ReLU(inplace=False)
        self.down = nn.Sequential(nn.Conv2d(a, b, 1, s, bias=False), nn.BatchNorm2d(b)) if s > 1 else None
    def forward(self, x):
        y = self.relu(self.b1(self.c1(x)))
        y = self.b2(self.c2(y))
        y += x if self.down is None else self.down(x)
        return self.relu(y)

x = Tensor((2, 3, 32, 32))
t = Tensor((2,), "int64")
net = nn.Sequential(
    nn.Conv2d(3, 8, 7, 2, 3, bias=False), nn.BatchNorm2d(8), nn.ReLU(inplace=False), nn.MaxPool2d(3, 2, 1),
    Basic(8, 8, 1), Basic(8, 16, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10),
)
loss = F.cross_entropy(net(x), t)
train(loss, optimizer="sgd")
