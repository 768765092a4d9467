# What models take from timm, by the signatures of timm 1.0: blocks of transformers, heads, norms.
import torch
from torch import nn
import torch.nn.functional as F

class LayerType:
    pass

def to_ntuple(n):
    def spread(value):
        if isinstance(value, str) or not isinstance(value, (tuple, list)):
            return (value,) * n
        return tuple(value)
    return spread

to_1tuple, to_2tuple, to_3tuple, to_4tuple = to_ntuple(1), to_ntuple(2), to_ntuple(3), to_ntuple(4)

def make_divisible(v, divisor=8, min_value=None, round_limit=0.9):
    least = min_value or divisor
    made = max(least, int(v + divisor / 2) // divisor * divisor)
    return made + divisor if made < round_limit * v else made

def get_device_dtype(module, device=None, dtype=None):
    return {"device": device, "dtype": dtype}

def use_fused_attn(experimental=False):
    return True

def ndgrid(*tensors):
    return torch.meshgrid(*tensors, indexing="ij")

def calculate_drop_path_rates(drop_path_rate, depths, stagewise=False):
    total = depths if isinstance(depths, int) else sum(depths)
    rates = [drop_path_rate * i / max(1, total - 1) for i in range(total)]
    if not stagewise:
        return rates
    left = iter(rates)
    return [[next(left) for _ in range(d)] for d in depths]

class Linear(nn.Linear):
    pass

class LayerNorm(nn.LayerNorm):
    def __init__(self, num_channels, eps=1e-6, affine=True, **options):
        super().__init__(num_channels, eps=eps, elementwise_affine=affine)

class LayerNorm2d(nn.LayerNorm):
    def __init__(self, num_channels, eps=1e-6, affine=True, **options):
        super().__init__(num_channels, eps=eps, elementwise_affine=affine)
    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)

LayerNormFp32, LayerNorm2dFp32 = LayerNorm, LayerNorm2d

class RmsNorm(nn.RMSNorm):
    def __init__(self, channels, eps=1e-6, affine=True, device=None, dtype=None):
        super().__init__(channels, eps=eps, elementwise_affine=affine)

class RmsNorm2d(RmsNorm):
    def forward(self, x):
        return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)

SimpleNorm, SimpleNorm2d = RmsNorm, RmsNorm2d

class GroupNorm(nn.GroupNorm):
    def __init__(self, num_channels, num_groups=32, eps=1e-5, affine=True, **options):
        super().__init__(num_groups, num_channels, eps=eps, affine=affine)

class GroupNorm1(nn.GroupNorm):
    def __init__(self, num_channels, **options):
        super().__init__(1, num_channels)

_norms = {"batchnorm": nn.BatchNorm2d, "batchnorm2d": nn.BatchNorm2d, "layernorm": LayerNorm, "layernorm2d": LayerNorm2d, "groupnorm": GroupNorm, "groupnorm1": GroupNorm1, "rmsnorm": RmsNorm, "rmsnorm2d": RmsNorm2d}
_activations = {"relu": nn.ReLU, "relu6": nn.ReLU6, "gelu": nn.GELU, "gelu_tanh": nn.GELU, "quick_gelu": nn.GELU, "silu": nn.SiLU, "swish": nn.SiLU, "mish": nn.Mish, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "elu": nn.ELU, "leaky_relu": nn.LeakyReLU, "hard_swish": nn.Hardswish, "hard_sigmoid": nn.Hardsigmoid, "identity": nn.Identity}

def get_norm_layer(norm_layer):
    return _norms[norm_layer.replace("_", "").lower()] if isinstance(norm_layer, str) else norm_layer or None

def get_act_layer(name="relu"):
    return _activations[name.lower()] if isinstance(name, str) and name else name or None

def create_act_layer(name, inplace=None, **options):
    made = get_act_layer(name)
    return None if made is None else made()

class DropPath(nn.Module):
    def __init__(self, drop_prob=0.0, scale_by_keep=True):
        super().__init__()
        self.drop_prob = drop_prob
    def forward(self, x):
        return x if self.drop_prob == 0 else F.dropout(x, self.drop_prob)

def drop_path(x, drop_prob=0.0, training=False, scale_by_keep=True):
    return x if drop_prob == 0 or not training else F.dropout(x, drop_prob)

class LayerScale(nn.Module):
    def __init__(self, dim, init_values=1e-5, inplace=False, device=None, dtype=None):
        super().__init__()
        self.gamma = nn.Parameter(init_values * torch.ones(dim))
    def forward(self, x):
        return x * self.gamma

class PatchEmbed(nn.Module):
    def __init__(self, img_size=224, patch_size=16, in_chans=3, embed_dim=768, norm_layer=None, flatten=True, output_fmt=None, bias=True, strict_img_size=True, dynamic_img_pad=False, device=None, dtype=None):
        super().__init__()
        self.patch_size = to_2tuple(patch_size)
        self.img_size, self.grid_size, self.num_patches = None, None, None
        if img_size is not None:
            self.img_size = to_2tuple(img_size)
            self.grid_size = tuple(s // p for s, p in zip(self.img_size, self.patch_size))
            self.num_patches = self.grid_size[0] * self.grid_size[1]
        self.flatten = flatten and output_fmt is None
        self.output_fmt = output_fmt or "NCHW"
        self.proj = nn.Conv2d(in_chans, embed_dim, kernel_size=self.patch_size, stride=self.patch_size, bias=bias)
        self.norm = norm_layer(embed_dim) if norm_layer else nn.Identity()
    def feat_ratio(self, as_scalar=True):
        return max(self.patch_size) if as_scalar else self.patch_size
    def forward(self, x):
        x = self.proj(x)
        if self.flatten or self.output_fmt == "NLC":
            x = x.flatten(2).transpose(1, 2)
        elif self.output_fmt == "NHWC":
            x = x.permute(0, 2, 3, 1)
        elif self.output_fmt == "NCL":
            x = x.flatten(2)
        return self.norm(x)

class Attention(nn.Module):
    def __init__(self, dim, num_heads=8, attn_head_dim=None, dim_out=None, qkv_bias=False, qk_norm=False, scale_norm=False, proj_bias=True, gated=False, attn_drop=0.0, proj_drop=0.0, norm_layer=None, device=None, dtype=None):
        super().__init__()
        if qk_norm or scale_norm:
            assert norm_layer is not None, "norm_layer must be provided if qk_norm or scale_norm is True"
        self.num_heads, self.head_dim = num_heads, attn_head_dim or dim // num_heads
        inner = self.num_heads * self.head_dim
        self.attn_dim, self.scale = inner, self.head_dim ** -0.5
        self.qkv = nn.Linear(dim, inner * 3, bias=qkv_bias)
        self.q_norm = norm_layer(self.head_dim) if qk_norm else nn.Identity()
        self.k_norm = norm_layer(self.head_dim) if qk_norm else nn.Identity()
        self.attn_drop = nn.Dropout(attn_drop)
        self.gate = nn.Linear(dim, inner, bias=qkv_bias) if gated else None
        self.norm = norm_layer(inner) if scale_norm else nn.Identity()
        self.proj = nn.Linear(inner, dim_out or dim, bias=proj_bias)
        self.proj_drop = nn.Dropout(proj_drop)
    def forward(self, x, attn_mask=None, is_causal=False):
        b, n, c = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4).unbind(0)
        made = F.scaled_dot_product_attention(self.q_norm(q), self.k_norm(k), v, attn_mask=attn_mask)
        made = made.transpose(1, 2).reshape(b, n, self.attn_dim)
        if self.gate is not None:
            made = made * torch.sigmoid(self.gate(x))
        return self.proj_drop(self.proj(self.norm(made)))

def maybe_add_mask(scores, attn_mask=None):
    return scores if attn_mask is None else scores + attn_mask

def resolve_self_attn_mask(seq_len, attn, attn_mask=None, is_causal=False):
    if is_causal:
        return torch.zeros(1, 1, seq_len, seq_len)
    return attn_mask

def _projection(use_conv):
    return (lambda a, b, bias=True: nn.Conv2d(a, b, 1, bias=bias)) if use_conv else nn.Linear

class Mlp(nn.Module):
    def __init__(self, in_features, hidden_features=None, out_features=None, act_layer=nn.GELU, norm_layer=None, bias=True, drop=0.0, use_conv=False, device=None, dtype=None):
        super().__init__()
        hidden_features, out_features = hidden_features or in_features, out_features or in_features
        (first, second), drops, linear = to_2tuple(bias), to_2tuple(drop), _projection(use_conv)
        self.fc1 = linear(in_features, hidden_features, bias=first)
        self.act = act_layer()
        self.drop1 = nn.Dropout(drops[0])
        self.norm = norm_layer(hidden_features) if norm_layer is not None else nn.Identity()
        self.fc2 = linear(hidden_features, out_features, bias=second)
        self.drop2 = nn.Dropout(drops[1])
    def forward(self, x):
        return self.drop2(self.fc2(self.norm(self.drop1(self.act(self.fc1(x))))))

class GluMlp(nn.Module):
    def __init__(self, in_features, hidden_features=None, out_features=None, act_layer=nn.Sigmoid, norm_layer=None, bias=True, drop=0.0, use_conv=False, gate_last=True, device=None, dtype=None):
        super().__init__()
        hidden_features, out_features = hidden_features or in_features, out_features or in_features
        (first, second), drops, linear = to_2tuple(bias), to_2tuple(drop), _projection(use_conv)
        self.chunk_dim, self.gate_last = 1 if use_conv else -1, gate_last
        self.fc1 = linear(in_features, hidden_features, bias=first)
        self.act = act_layer()
        self.drop1 = nn.Dropout(drops[0])
        self.norm = norm_layer(hidden_features // 2) if norm_layer is not None else nn.Identity()
        self.fc2 = linear(hidden_features // 2, out_features, bias=second)
        self.drop2 = nn.Dropout(drops[1])
    def forward(self, x):
        a, b = self.fc1(x).chunk(2, dim=self.chunk_dim)
        x = a * self.act(b) if self.gate_last else self.act(a) * b
        return self.drop2(self.fc2(self.norm(self.drop1(x))))

def SwiGLUPacked(in_features, hidden_features=None, out_features=None, *, act_layer=nn.SiLU, gate_last=False, **options):
    return GluMlp(in_features, hidden_features, out_features, act_layer, gate_last=gate_last, **options)

class SwiGLU(nn.Module):
    def __init__(self, in_features, hidden_features=None, out_features=None, act_layer=nn.SiLU, norm_layer=None, bias=True, drop=0.0, align_to=0, device=None, dtype=None):
        super().__init__()
        hidden_features, out_features = hidden_features or in_features, out_features or in_features
        (first, second), drops = to_2tuple(bias), to_2tuple(drop)
        if align_to:
            hidden_features = hidden_features + (-hidden_features % align_to)
        self.fc1_g = nn.Linear(in_features, hidden_features, bias=first)
        self.fc1_x = nn.Linear(in_features, hidden_features, bias=first)
        self.act = act_layer()
        self.drop1 = nn.Dropout(drops[0])
        self.norm = norm_layer(hidden_features) if norm_layer is not None else nn.Identity()
        self.fc2 = nn.Linear(hidden_features, out_features, bias=second)
        self.drop2 = nn.Dropout(drops[1])
    def forward(self, x):
        return self.drop2(self.fc2(self.norm(self.drop1(self.act(self.fc1_g(x)) * self.fc1_x(x)))))

class GlobalResponseNorm(nn.Module):
    def __init__(self, dim, eps=1e-6, channels_last=True, device=None, dtype=None):
        super().__init__()
        self.dims, self.shape = ((1, 2), (1, 1, 1, -1)) if channels_last else ((2, 3), (1, -1, 1, 1))
        self.channel_dim = -1 if channels_last else 1
        self.weight, self.bias = nn.Parameter(torch.zeros(dim)), nn.Parameter(torch.zeros(dim))
    def forward(self, x):
        size = x.norm(p=2, dim=self.dims, keepdim=True)
        size = size / (size.mean(dim=self.channel_dim, keepdim=True) + 1e-6)
        return x + self.bias.view(self.shape) + self.weight.view(self.shape) * (x * size)

class GlobalResponseNormMlp(nn.Module):
    def __init__(self, in_features, hidden_features=None, out_features=None, act_layer=nn.GELU, bias=True, drop=0.0, use_conv=False, device=None, dtype=None):
        super().__init__()
        hidden_features, out_features = hidden_features or in_features, out_features or in_features
        (first, second), drops, linear = to_2tuple(bias), to_2tuple(drop), _projection(use_conv)
        self.fc1 = linear(in_features, hidden_features, bias=first)
        self.act = act_layer()
        self.drop1 = nn.Dropout(drops[0])
        self.grn = GlobalResponseNorm(hidden_features, channels_last=not use_conv)
        self.fc2 = linear(hidden_features, out_features, bias=second)
        self.drop2 = nn.Dropout(drops[1])
    def forward(self, x):
        return self.drop2(self.fc2(self.grn(self.drop1(self.act(self.fc1(x))))))

class PatchDropout(nn.Module):
    def __init__(self, prob=0.5, num_prefix_tokens=1, ordered=False):
        super().__init__()
        self.prob = prob
    def forward(self, x):
        return x

def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    return tensor

trunc_normal_tf_ = lecun_normal_ = trunc_normal_

def register_model(target=None):
    return target if target is not None else (lambda inner: inner)
