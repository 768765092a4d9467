import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(p=1)

class MoE(nn.Module):
    def __init__(self, d, f, n, k):
        super().__init__()
        self.n, self.k = n, k
        self.gate = nn.Linear(d, n, bias=False)
        self.up, self.down = nn.Parameter(torch.randn(n, d, f)), nn.Parameter(torch.randn(n, f, d))
    def forward(self, x):
        b, t, d = x.shape
        h = x.reshape(-1, d)
        scores = F.softmax(self.gate(h), dim=-1)
        top, chosen = torch.topk(scores, self.k, dim=-1)
        top = top / top.sum(-1, keepdim=True)
        mix = torch.zeros_like(scores).scatter(1, chosen, top)
        y = F.silu(torch.einsum("td,ndf->ntf", h, self.up))
        y = torch.einsum("ntf,nfd->ntd", y, self.down)
        return torch.einsum("ntd,tn->td", y, mix).reshape(b, t, d)

x = Tensor((2, 16, 32))
net = nn.Sequential(nn.LayerNorm(32), MoE(32, 64, 4, 2))
loss = net(x).pow(2).mean()
train(loss, optimizer="sgd")
