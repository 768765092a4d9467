# DINOv2: Dinov2Model of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of DINOv2 Large; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B = 1
hidden_size = 1024
num_hidden_layers = 24
num_attention_heads = 16
image_size = 518
patch_size = 14
num_channels = 3
mlp_ratio = 4
layer_norm_eps = 1e-06
qkv_bias = True

mesh = Mesh(dp=8, tp=8)

class Dinov2PatchEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.projection = nn.Conv2d(num_channels, hidden_size, patch_size, stride=patch_size)

    def forward(self, x):
        B = x.shape[0]
        return self.projection(x).view(B, hidden_size, (image_size // patch_size) ** 2).transpose(1, 2)

class Dinov2Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=qkv_bias)
        self.k_proj = nn.Linear(hidden_size, hidden_size, bias=qkv_bias)
        self.v_proj = nn.Linear(hidden_size, hidden_size, bias=qkv_bias)
        self.o_proj = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, (image_size // patch_size) ** 2 + 1, -1, hidden_size // num_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, (image_size // patch_size) ** 2 + 1, -1, hidden_size // num_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, (image_size // patch_size) ** 2 + 1, -1, hidden_size // num_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(
            q, k, v, scale=(hidden_size // num_attention_heads) ** -0.5
        ).transpose(1, 2)
        return self.o_proj(transpose.reshape(B, (image_size // patch_size) ** 2 + 1, -1))

class Dinov2LayerScale(nn.Module):
    def __init__(self):
        super().__init__()
        self.lambda1 = nn.Parameter(torch.empty(hidden_size))

    def forward(self, x):
        return x * self.lambda1

class Dinov2MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, hidden_size * mlp_ratio)
        self.fc2 = nn.Linear(hidden_size * mlp_ratio, hidden_size)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x)))

class Dinov2Embeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.cls_token = nn.Parameter(torch.empty(1, 1, hidden_size))
        self.mask_token = nn.Parameter(torch.empty(1, hidden_size))
        self.position_embeddings = nn.Parameter(torch.empty(1, (image_size // patch_size) ** 2 + 1, hidden_size))
        self.patch_embeddings = Dinov2PatchEmbeddings()

    def forward(self, x):
        B = x.shape[0]
        joined = torch.cat((self.cls_token.expand(B, -1, -1), self.patch_embeddings(x)), dim=1)
        return joined + self.position_embeddings

class Dinov2Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1 = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.attention = Dinov2Attention()
        self.layer_scale1 = Dinov2LayerScale()
        self.norm2 = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.mlp = Dinov2MLP()
        self.layer_scale2 = Dinov2LayerScale()

    def forward(self, x):
        x = self.layer_scale1(self.attention(self.norm1(x))) + x
        return self.layer_scale2(self.mlp(self.norm2(x))) + x

class Dinov2Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ModuleList([Dinov2Layer() for _ in range(num_hidden_layers)])

    def forward(self, x):
        for layer in self.layer:
            x = layer(x)
        return x

class Dinov2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = Dinov2Embeddings()
        self.encoder = Dinov2Encoder()
        self.layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, pixel_values):
        return self.layernorm(self.encoder(self.embeddings(pixel_values)))

pixel_values = Tensor((B, num_channels, image_size, image_size), "bfloat16")
model = Dinov2Model().to(torch.bfloat16)
y = model(pixel_values)
