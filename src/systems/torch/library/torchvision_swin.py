# Swin transformers of torchvision (Liu et al. 2021).
import functools
import torch
from torch import nn
from torchvision import MLP, Permute, StochasticDepth, _settled
import torch.nn.functional as F

class PatchMerging(nn.Module):
    def __init__(self, dim, norm_layer=nn.LayerNorm):
        super().__init__()
        self.dim = dim
        self.reduction = nn.Linear(4 * dim, 2 * dim, bias=False)
        self.norm = norm_layer(4 * dim)
    def forward(self, x):
        height, width = x.shape[-3], x.shape[-2]
        x = F.pad(x, (0, 0, 0, width % 2, 0, height % 2))
        parts = [x[..., i::2, j::2, :] for j in (0, 1) for i in (0, 1)]
        return self.reduction(self.norm(torch.cat(parts, -1)))

# Which bias stands between two places of a window, by their distance.
@functools.lru_cache
def _places(high, wide):
    spots = [(y, x) for y in range(high) for x in range(wide)]
    return [(y - v + high - 1) * (2 * wide - 1) + x - u + wide - 1 for y, x in spots for v, u in spots]

# The parts of one dim that a shift brings beside each other.
def _parts(size, window, shift):
    at = torch.arange(size)
    return (at >= size - window).int() + (at >= size - shift).int()

class ShiftedWindowAttention(nn.Module):
    def __init__(self, dim, window_size, shift_size, num_heads, qkv_bias=True, proj_bias=True, attention_dropout=0.0, dropout=0.0):
        super().__init__()
        self.window_size, self.shift_size, self.num_heads = window_size, shift_size, num_heads
        self.attention_dropout, self.dropout = attention_dropout, dropout
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = nn.Linear(dim, dim, bias=proj_bias)
        high, wide = window_size
        self.relative_position_bias_table = nn.Parameter(torch.zeros((2 * high - 1) * (2 * wide - 1), num_heads))
        self.register_buffer("relative_position_index", torch.tensor(_places(high, wide)))
    def get_relative_position_bias(self):
        area = self.window_size[0] * self.window_size[1]
        bias = self.relative_position_bias_table[self.relative_position_index].view(area, area, -1)
        return bias.permute(2, 0, 1).contiguous().unsqueeze(0)
    def forward(self, x):
        n, height, width, channels = x.shape
        high, wide = self.window_size
        below, right = -height % high, -width % wide
        x = F.pad(x, (0, 0, 0, right, 0, below))
        rows, columns = (height + below) // high, (width + right) // wide
        shift = [s if count > 1 else 0 for s, count in zip(self.shift_size, (rows, columns))]
        is_shifted = sum(shift) > 0
        if is_shifted:
            x = torch.roll(x, shifts=(-shift[0], -shift[1]), dims=(1, 2))
        x = x.view(n, rows, high, columns, wide, channels).permute(0, 1, 3, 2, 4, 5).reshape(n * rows * columns, high * wide, channels)
        qkv = self.qkv(x).reshape(x.shape[0], high * wide, 3, self.num_heads, channels // self.num_heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        scores = (q * (channels // self.num_heads) ** -0.5).matmul(k.transpose(-2, -1)) + self.get_relative_position_bias()
        if is_shifted:
            mask = self._mask(rows, columns, shift)
            scores = scores.view(n, rows * columns, self.num_heads, high * wide, high * wide) + mask.unsqueeze(1).unsqueeze(0)
            scores = scores.view(-1, self.num_heads, high * wide, high * wide)
        scores = F.dropout(F.softmax(scores, dim=-1), p=self.attention_dropout, training=self.training)
        x = scores.matmul(v).transpose(1, 2).reshape(n * rows * columns, high * wide, channels)
        x = F.dropout(self.proj(x), p=self.dropout, training=self.training)
        x = x.view(n, rows, columns, high, wide, channels).permute(0, 1, 3, 2, 4, 5).reshape(n, rows * high, columns * wide, channels)
        if is_shifted:
            x = torch.roll(x, shifts=(shift[0], shift[1]), dims=(1, 2))
        return x[:, :height, :width, :].contiguous()
    # What a shift brings together does not attend to each other.
    def _mask(self, rows, columns, shift):
        high, wide = self.window_size
        part = _parts(rows * high, high, shift[0]).unsqueeze(1) * 3 + _parts(columns * wide, wide, shift[1]).unsqueeze(0)
        part = part.view(rows, high, columns, wide).permute(0, 2, 1, 3).reshape(rows * columns, high * wide)
        apart = part.unsqueeze(1) - part.unsqueeze(2)
        return torch.zeros(rows * columns, high * wide, high * wide).masked_fill(apart != 0, -100.0)

class SwinTransformerBlock(nn.Module):
    def __init__(self, dim, num_heads, window_size, shift_size, mlp_ratio=4.0, dropout=0.0, attention_dropout=0.0, stochastic_depth_prob=0.0, norm_layer=nn.LayerNorm):
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = ShiftedWindowAttention(dim, window_size, shift_size, num_heads, attention_dropout=attention_dropout, dropout=dropout)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
        self.norm2 = norm_layer(dim)
        self.mlp = MLP(dim, [int(dim * mlp_ratio), dim], activation_layer=nn.GELU, dropout=dropout)
    def forward(self, x):
        x = x + self.stochastic_depth(self.attn(self.norm1(x)))
        return x + self.stochastic_depth(self.mlp(self.norm2(x)))

class SwinTransformer(nn.Module):
    def __init__(self, patch_size, embed_dim, depths, num_heads, window_size, mlp_ratio=4.0, dropout=0.0, attention_dropout=0.0, stochastic_depth_prob=0.1, num_classes=1000, norm_layer=None):
        super().__init__()
        self.num_classes = num_classes
        norm_layer = norm_layer or functools.partial(nn.LayerNorm, eps=1e-5)
        layers = [nn.Sequential(nn.Conv2d(3, embed_dim, tuple(patch_size), tuple(patch_size)), Permute([0, 2, 3, 1]), norm_layer(embed_dim))]
        total, at, dim = sum(depths), 0, embed_dim
        for i, (depth, heads) in enumerate(zip(depths, num_heads)):
            dim = embed_dim * 2 ** i
            made = []
            for j in range(depth):
                shift = [0 if j % 2 == 0 else size // 2 for size in window_size]
                made.append(SwinTransformerBlock(dim, heads, window_size, shift, mlp_ratio, dropout, attention_dropout, stochastic_depth_prob * at / (total - 1), norm_layer))
                at += 1
            layers.append(nn.Sequential(*made))
            if i < len(depths) - 1:
                layers.append(PatchMerging(dim, norm_layer))
        self.features = nn.Sequential(*layers)
        self.norm = norm_layer(dim)
        self.permute = Permute([0, 3, 1, 2])
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten(1)
        self.head = nn.Linear(dim, num_classes)
    def forward(self, x):
        x = self.permute(self.norm(self.features(x)))
        return self.head(self.flatten(self.avgpool(x)))

def swin_t(weights=None, progress=True, **options):
    return SwinTransformer([4, 4], 96, [2, 2, 6, 2], [3, 6, 12, 24], [7, 7], **_settled(weights, options, stochastic_depth_prob=0.2))

def swin_s(weights=None, progress=True, **options):
    return SwinTransformer([4, 4], 96, [2, 2, 18, 2], [3, 6, 12, 24], [7, 7], **_settled(weights, options, stochastic_depth_prob=0.3))

def swin_b(weights=None, progress=True, **options):
    return SwinTransformer([4, 4], 128, [2, 2, 18, 2], [4, 8, 16, 32], [7, 7], **_settled(weights, options, stochastic_depth_prob=0.5))
