# DeiT with a distillation token: DeiTForImageClassificationWithTeacher of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of DeiT Base 16 distilled; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B = 1
hidden_size = 768
intermediate_size = 3072
num_hidden_layers = 12
num_attention_heads = 12
image_size = 224
patch_size = 16
num_channels = 3
num_labels = 1000
layer_norm_eps = 1e-12
qkv_bias = True
num_patches = (image_size // patch_size) ** 2

mesh = Mesh(dp=8, tp=8)

class DeiTPatchEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.projection = nn.Conv2d(num_channels, hidden_size, patch_size, stride=patch_size)

    def forward(self, x):
        B = x.shape[0]
        return self.projection(x).view(B, hidden_size, num_patches).transpose(1, 2)

class DeiTAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=qkv_bias)
        self.k_proj = nn.Linear(hidden_size, hidden_size, bias=qkv_bias)
        self.v_proj = nn.Linear(hidden_size, hidden_size, bias=qkv_bias)
        self.o_proj = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, num_patches + 2, -1, hidden_size // num_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, num_patches + 2, -1, hidden_size // num_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, num_patches + 2, -1, hidden_size // num_attention_heads).transpose(1, 2)
        transpose = F.scaled_dot_product_attention(
            q, k, v, scale=(hidden_size // num_attention_heads) ** -0.5
        ).transpose(1, 2)
        return self.o_proj(transpose.reshape(B, num_patches + 2, -1))

class DeiTMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x)))

class DeiTEmbeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.cls_token = nn.Parameter(torch.empty(1, 1, hidden_size))
        self.position_embeddings = nn.Parameter(torch.empty(1, num_patches + 2, hidden_size))
        self.distillation_token = nn.Parameter(torch.empty(1, 1, hidden_size))
        self.patch_embeddings = DeiTPatchEmbeddings()

    def forward(self, x):
        B = x.shape[0]
        joined = torch.cat(
            (self.cls_token.expand(B, -1, -1), self.distillation_token.expand(B, -1, -1), self.patch_embeddings(x)),
            dim=1,
        )
        return joined + self.position_embeddings

class DeiTLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = DeiTAttention()
        self.layernorm_before = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.layernorm_after = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.mlp = DeiTMLP()

    def forward(self, x):
        x = self.attention(self.layernorm_before(x)) + x
        return self.mlp(self.layernorm_after(x)) + x

class DeiTModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = DeiTEmbeddings()
        self.layers = nn.ModuleList([DeiTLayer() for _ in range(num_hidden_layers)])
        self.layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, x):
        x2 = self.embeddings(x)
        for layer in self.layers:
            x2 = layer(x2)
        return self.layernorm(x2)

class DeiTForImageClassificationWithTeacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.deit = DeiTModel()
        self.cls_classifier = nn.Linear(hidden_size, num_labels)
        self.distillation_classifier = nn.Linear(hidden_size, num_labels)

    def forward(self, pixel_values):
        deit = self.deit(pixel_values)
        x = self.cls_classifier(deit[:, 0]) + self.distillation_classifier(deit[:, 1])
        return x / 2

pixel_values = Tensor((B, num_channels, image_size, image_size), "bfloat16")
model = DeiTForImageClassificationWithTeacher().to(torch.bfloat16)
y = model(pixel_values)
