import type { Example } from "#app/first-example";

export const ditXl: Example = {
  name: "dit-xl",
  title: "DiT-XL/2: a training step on 8 H100",
  note: "A diffusion transformer, data parallel; each device updates an eighth of the weights and sends it on (Peebles and Xie 2022).",
  parameters: 675_129_632,
  program: `# DiT-XL/2 for images of 256 x 256: "Scalable Diffusion Models with Transformers", Peebles and Xie 2022.
# By hand: data parallel, with AdamW's states in eighths (ZeRO-1).
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(dp=8, hardware="8xH100")


def modulate(x, shift, scale):
    return x * (1 + scale.unsqueeze(1)) + shift.unsqueeze(1)


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v)
        return self.proj(y.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(width, eps=1e-6, elementwise_affine=False)
        self.attn = Attention(width, heads)
        self.norm2 = nn.LayerNorm(width, eps=1e-6, elementwise_affine=False)
        self.fc1 = nn.Linear(width, 4 * width)
        self.fc2 = nn.Linear(4 * width, width)
        self.condition = nn.Linear(width, 6 * width)

    def forward(self, x, c):
        shift1, scale1, gate1, shift2, scale2, gate2 = self.condition(F.silu(c)).chunk(6, dim=1)
        x = x + gate1.unsqueeze(1) * self.attn(modulate(self.norm1(x), shift1, scale1))
        h = F.gelu(self.fc1(modulate(self.norm2(x), shift2, scale2)), approximate="tanh")
        return x + gate2.unsqueeze(1) * self.fc2(h)


class Timestep(nn.Module):
    def __init__(self, width, waves=256):
        super().__init__()
        self.waves = waves
        self.fc1 = nn.Linear(waves, width)
        self.fc2 = nn.Linear(width, width)

    def forward(self, t):
        half = self.waves // 2
        rates = torch.exp(-math.log(10000) * torch.arange(half) / half)
        angles = t[:, None].float() * rates[None]
        waves = torch.cat((angles.cos(), angles.sin()), dim=-1)
        return self.fc2(F.silu(self.fc1(waves)))


class DiT(nn.Module):
    def __init__(self, size=32, patch=2, channels=4, width=1152, layers=28, heads=16, classes=1000):
        super().__init__()
        self.size, self.patch, self.channels = size, patch, channels
        self.patches = nn.Conv2d(channels, width, kernel_size=patch, stride=patch)
        self.pos = nn.Parameter(torch.zeros(1, (size // patch) ** 2, width), requires_grad=False)
        self.time = Timestep(width)
        self.label = nn.Embedding(classes + 1, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width, eps=1e-6, elementwise_affine=False)
        self.condition = nn.Linear(width, 2 * width)
        self.final = nn.Linear(width, patch * patch * 2 * channels)

    def forward(self, x, t, y):
        x = self.patches(x).flatten(2).transpose(1, 2) + self.pos
        c = self.time(t) + self.label(y)
        for block in self.blocks:
            x = block(x, c)
        shift, scale = self.condition(F.silu(c)).chunk(2, dim=1)
        x = self.final(modulate(self.norm(x), shift, scale))
        side = self.size // self.patch
        x = x.view(-1, side, side, self.patch, self.patch, 2 * self.channels)
        return x.permute(0, 5, 1, 3, 2, 4).reshape(-1, 2 * self.channels, self.size, self.size)


noised = Tensor((256, 4, 32, 32))
noise = Tensor((256, 4, 32, 32))
steps = Tensor((256,), "int64")
classes = Tensor((256,), "int64")
model = DiT()
with torch.autocast("cuda", dtype=torch.bfloat16):
    predicted = model(noised, steps, classes)
    loss = F.mse_loss(predicted[:, :4], noise)

place("noised", layout("dp", "None", "None", "None"))
place("noise", layout("dp", "None", "None", "None"))
place("steps", layout("dp"))
place("classes", layout("dp"))
train(loss, optimizer="adamw", zero=1)
`,
};
