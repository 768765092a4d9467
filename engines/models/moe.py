import torch
import torch.nn as nn
import torch.nn.functional as F


class Experts(nn.Module):
    def __init__(self, experts, dim, hidden):
        super().__init__()
        self.up = nn.Parameter(torch.randn(experts, dim, hidden) * 0.1)
        self.down = nn.Parameter(torch.randn(experts, hidden, dim) * 0.1)

    def forward(self, x, weights):
        h = F.silu(torch.einsum("td,edh->eth", x, self.up))
        y = torch.einsum("eth,ehd->etd", h, self.down)
        return torch.einsum("etd,te->td", y, weights)


class MoE(nn.Module):
    def __init__(self, dim, hidden, experts):
        super().__init__()
        self.router = nn.Linear(dim, experts, bias=False)
        self.experts = Experts(experts, dim, hidden)

    def forward(self, x):
        return x + self.experts(x, self.router(x).softmax(dim=-1))


# The plan.
model = MoE(32, 64, 8)
x = Tensor((16, 32))
y = Tensor((16, 32))
out = model(x)
loss = F.mse_loss(out, y)
train(loss)
