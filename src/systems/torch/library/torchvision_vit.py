# Vision transformers of torchvision (Dosovitskiy et al. 2020).
from collections import OrderedDict
import torch
from torch import nn
from torchvision import MLP, ViT_B_16_Weights, ViT_B_32_Weights, ViT_H_14_Weights, ViT_L_16_Weights, ViT_L_32_Weights, _settled

class MLPBlock(MLP):
    def __init__(self, in_dim, mlp_dim, dropout):
        super().__init__(in_dim, [mlp_dim, in_dim], activation_layer=nn.GELU, dropout=dropout)

class EncoderBlock(nn.Module):
    def __init__(self, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer):
        super().__init__()
        self.num_heads = num_heads
        self.ln_1 = norm_layer(hidden_dim)
        self.self_attention = nn.MultiheadAttention(hidden_dim, num_heads, dropout=attention_dropout, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.ln_2 = norm_layer(hidden_dim)
        self.mlp = MLPBlock(hidden_dim, mlp_dim, dropout)
    def forward(self, input):
        x = self.ln_1(input)
        x, _ = self.self_attention(x, x, x, need_weights=False)
        x = self.dropout(x) + input
        return x + self.mlp(self.ln_2(x))

class Encoder(nn.Module):
    def __init__(self, seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer):
        super().__init__()
        self.pos_embedding = nn.Parameter(torch.empty(1, seq_length, hidden_dim).normal_(std=0.02))
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.Sequential(OrderedDict(("encoder_layer_%d" % i, EncoderBlock(num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer)) for i in range(num_layers)))
        self.ln = norm_layer(hidden_dim)
    def forward(self, input):
        return self.ln(self.layers(self.dropout(input + self.pos_embedding)))

class VisionTransformer(nn.Module):
    def __init__(self, image_size, patch_size, num_layers, num_heads, hidden_dim, mlp_dim, dropout=0.0, attention_dropout=0.0, num_classes=1000, representation_size=None, norm_layer=None, conv_stem_configs=None):
        super().__init__()
        if image_size % patch_size != 0:
            raise ValueError("Input shape indivisible by patch size!")
        norm_layer = norm_layer or (lambda width: nn.LayerNorm(width, eps=1e-6))
        self.image_size, self.patch_size, self.hidden_dim, self.num_classes = image_size, patch_size, hidden_dim, num_classes
        self.conv_proj = nn.Conv2d(3, hidden_dim, patch_size, patch_size)
        self.seq_length = (image_size // patch_size) ** 2 + 1
        self.class_token = nn.Parameter(torch.zeros(1, 1, hidden_dim))
        self.encoder = Encoder(self.seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer)
        if representation_size is None:
            self.heads = nn.Sequential(OrderedDict(head=nn.Linear(hidden_dim, num_classes)))
        else:
            self.heads = nn.Sequential(OrderedDict(pre_logits=nn.Linear(hidden_dim, representation_size), act=nn.Tanh(), head=nn.Linear(representation_size, num_classes)))
    def _process_input(self, x):
        n, c, h, w = x.shape
        if h != self.image_size or w != self.image_size:
            raise AssertionError("Wrong image size! Expected %s but got %s x %s" % (self.image_size, h, w))
        count = (h // self.patch_size) * (w // self.patch_size)
        return self.conv_proj(x).reshape(n, self.hidden_dim, count).permute(0, 2, 1)
    def forward(self, x):
        x = self._process_input(x)
        x = torch.cat([self.class_token.expand(x.shape[0], -1, -1), x], dim=1)
        return self.heads(self.encoder(x)[:, 0])

# Some weights were trained on larger images, and hold positions for them.
def _vit(kind, weights, options, *sizes):
    options = _settled(weights, options)
    given = getattr(kind, weights) if isinstance(weights, str) else weights
    options.setdefault("image_size", given.meta["min_size"][0] if given else 224)
    return VisionTransformer(options.pop("image_size"), *sizes, **options)

def vit_b_16(weights=None, progress=True, **options):
    return _vit(ViT_B_16_Weights, weights, options, 16, 12, 12, 768, 3072)

def vit_b_32(weights=None, progress=True, **options):
    return _vit(ViT_B_32_Weights, weights, options, 32, 12, 12, 768, 3072)

def vit_l_16(weights=None, progress=True, **options):
    return _vit(ViT_L_16_Weights, weights, options, 16, 24, 16, 1024, 4096)

def vit_l_32(weights=None, progress=True, **options):
    return _vit(ViT_L_32_Weights, weights, options, 32, 24, 16, 1024, 4096)

def vit_h_14(weights=None, progress=True, **options):
    return _vit(ViT_H_14_Weights, weights, options, 14, 32, 16, 1280, 5120)
