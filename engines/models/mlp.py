import torch.nn as nn
import torch.nn.functional as F


class MLP(nn.Module):
    def __init__(self, dim, hidden, classes):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, dim), nn.ReLU())
        self.out = nn.Linear(dim, classes)

    def forward(self, x):
        return self.out(self.net(x))


# The plan.
model = MLP(32, 64, 8)
x = Tensor((16, 32))
labels = Tensor((16,), "int64")
out = model(x)
loss = F.cross_entropy(out, labels)
train(loss)
