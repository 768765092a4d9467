import type { Example } from "#app/first-example";

export const vitLarge: Example = {
  name: "vit-large",
  title: "ViT-L/16: a training step on 8 H100",
  note: "FSDP for images: weights rest in eighths in full precision, products are in half of it (Dosovitskiy et al. 2020).",
  parameters: 304_326_632,
  program: `# ViT-L/16 at 224 x 224: "An Image is Worth 16x16 Words", Dosovitskiy et al. 2020.
# By hand: FSDP with the weights in f32 and the products in bf16.
import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(dp=8, hardware="8xH100")


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
        self.norm1 = nn.LayerNorm(width, eps=1e-6)
        self.attn = Attention(width, heads)
        self.norm2 = nn.LayerNorm(width, eps=1e-6)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class ViT(nn.Module):
    def __init__(self, size=224, patch=16, width=1024, layers=24, heads=16, classes=1000):
        super().__init__()
        self.patches = nn.Conv2d(3, width, kernel_size=patch, stride=patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, width))
        self.pos = nn.Parameter(torch.zeros(1, 1 + (size // patch) ** 2, width))
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width, eps=1e-6)
        self.head = nn.Linear(width, classes)

    def forward(self, images):
        x = self.patches(images).flatten(2).transpose(1, 2)
        x = torch.cat((self.cls.expand(len(x), -1, -1), x), dim=1) + self.pos
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


images = Tensor((1024, 3, 224, 224))
labels = Tensor((1024,), "int64")
model = ViT()
with torch.autocast("cuda", dtype=torch.bfloat16):
    logits = model(images)
    loss = F.cross_entropy(logits, labels)

place("images", layout("dp", "None", "None", "None"))
place("labels", layout("dp"))
train(loss, optimizer="adamw", zero=3)
`,
};
