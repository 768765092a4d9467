# Heads, norms with activations, and rotary positions of timm's models, by the signatures of timm 1.0.
from collections import OrderedDict
import functools
import torch
from torch import nn
import torch.nn.functional as F
from timm.layers import AvgPool2dSame, BatchNormAct2d, get_act_layer, get_norm_layer, get_padding, to_2tuple

def extend_tuple(x, n):
    given = tuple(x) if isinstance(x, (tuple, list)) else (x,)
    return given[:n] if len(given) >= n else given + (given[-1],) * (n - len(given))

def _pooled(x, pool_type, dims):
    if pool_type == "avg":
        return x.mean(dim=dims)
    if pool_type == "max":
        return x.amax(dim=dims)
    if pool_type == "avgmax":
        return 0.5 * (x.amax(dim=dims) + x.mean(dim=dims))
    raise AssertionError(f"Unknown pool type {pool_type}")

def global_pool_nlc(x, pool_type="token", num_prefix_tokens=1, reduce_include_prefix=False):
    if not pool_type:
        return x
    if pool_type == "token":
        return x[:, 0]
    return _pooled(x if reduce_include_prefix else x[:, num_prefix_tokens:], pool_type, 1)

class ClNormMlpClassifierHead(nn.Module):
    def __init__(self, in_features, num_classes, hidden_size=None, pool_type="avg", drop_rate=0.0, norm_layer="layernorm", act_layer="gelu", input_fmt="NHWC", device=None, dtype=None):
        super().__init__()
        assert pool_type in ("", "avg", "max", "avgmax"), "Only avg, max or avgmax pooling (or none) is supported."
        assert input_fmt in ("NHWC", "NLC")
        self.in_features, self.hidden_size, self.num_features = in_features, hidden_size, hidden_size or in_features
        self.pool_type, self.pool_dim = pool_type, 1 if input_fmt == "NLC" else (1, 2)
        self.norm = get_norm_layer(norm_layer)(in_features)
        self.pre_logits = nn.Identity()
        if hidden_size:
            first = nn.Linear(in_features, hidden_size)
            self.pre_logits = nn.Sequential(OrderedDict([("fc", first), ("act", get_act_layer(act_layer)())]))
        self.drop = nn.Dropout(drop_rate)
        self.fc = nn.Linear(self.num_features, num_classes) if num_classes > 0 else nn.Identity()
    def forward(self, x, pre_logits=False):
        if self.pool_type:
            x = _pooled(x, self.pool_type, self.pool_dim)
        x = self.drop(self.pre_logits(self.norm(x)))
        return x if pre_logits else self.fc(x)

def _activation(act_layer, apply_act):
    made = get_act_layer(act_layer) if apply_act else None
    return nn.Identity() if made is None else made()

class LayerNormAct(nn.LayerNorm):
    def __init__(self, normalization_shape, eps=1e-5, affine=True, apply_act=True, act_layer=nn.ReLU, act_kwargs=None, inplace=True, drop_layer=None, device=None, dtype=None):
        super().__init__(normalization_shape, eps=eps, elementwise_affine=affine)
        self.drop = drop_layer() if drop_layer is not None else nn.Identity()
        self.act = _activation(act_layer, apply_act)
    def forward(self, x):
        return self.act(self.drop(super().forward(x)))

class LayerNormAct2d(LayerNormAct):
    def forward(self, x):
        x = F.layer_norm(x.permute(0, 2, 3, 1), self.normalized_shape, self.weight, self.bias, self.eps)
        return self.act(self.drop(x.permute(0, 3, 1, 2)))

class GroupNormAct(nn.GroupNorm):
    def __init__(self, num_channels, num_groups=32, eps=1e-5, affine=True, group_size=None, apply_act=True, act_layer=nn.ReLU, act_kwargs=None, inplace=True, drop_layer=None, device=None, dtype=None):
        super().__init__(num_channels // group_size if group_size else num_groups, num_channels, eps=eps, affine=affine)
        self.drop = drop_layer() if drop_layer is not None else nn.Identity()
        self.act = _activation(act_layer, apply_act)
    def forward(self, x):
        return self.act(self.drop(super().forward(x)))

class GroupNorm1Act(GroupNormAct):
    def __init__(self, num_channels, **options):
        super().__init__(num_channels, 1, **options)

_norm_acts = {"batchnorm": BatchNormAct2d, "batchnorm2d": BatchNormAct2d, "groupnorm": GroupNormAct, "groupnorm1": GroupNorm1Act, "layernorm": LayerNormAct, "layernorm2d": LayerNormAct2d}

def get_norm_act_layer(norm_layer, act_layer=None):
    given = {}
    if not norm_layer:
        return None
    if isinstance(norm_layer, functools.partial):
        given, norm_layer = dict(norm_layer.keywords), norm_layer.func
    if isinstance(norm_layer, str):
        norm_layer = _norm_acts[norm_layer.replace("_", "").lower().split("-")[0]]
    elif norm_layer not in _norm_acts.values():
        norm_layer = _norm_acts[norm_layer.__name__.lower()]
    given.setdefault("act_layer", act_layer)
    return functools.partial(norm_layer, **given)

def create_norm_act_layer(layer_name, num_features, act_layer=None, apply_act=True, **options):
    return get_norm_act_layer(layer_name, act_layer)(num_features, apply_act=apply_act, **options)

class RotaryEmbeddingCat(nn.Module):
    def __init__(self, dim, max_res=224, temperature=10000.0, in_pixels=True, linear_bands=False, feat_shape=None, ref_feat_shape=None, **options):
        super().__init__()
        self.dim, self.feat_shape = dim, feat_shape
        self.bands = torch.empty(dim // 4) if feat_shape is None else None
        self.pos_embed = None if feat_shape is None else self._made(feat_shape)
    def _made(self, shape):
        places = 1
        for size in shape:
            places *= size
        return torch.empty(places, self.dim * 2)
    def get_embed(self, shape=None, dtype=None):
        if self.bands is not None and shape is not None:
            return self._made(shape)
        assert self.pos_embed is not None, "get_embed() requires pre-computed pos embed or valid shape w/ pre-computed bands"
        return self.pos_embed

def create_rope_embed(rope_type="cat", dim=768, num_heads=12, **options):
    if rope_type == "cat":
        return RotaryEmbeddingCat(dim // num_heads, **options)
    raise NotImplementedError(f'RoPE of type "{rope_type}"')

class RelPosBias(nn.Module):
    def __init__(self, window_size, num_heads, prefix_tokens=0, device=None, dtype=None):
        super().__init__()
        assert prefix_tokens <= 1
        rows, columns = window_size
        self.window_size, self.window_area, self.prefix_tokens = window_size, rows * columns, prefix_tokens
        places = self.window_area + prefix_tokens
        self.bias_shape = (places, places, num_heads)
        distances = (2 * rows - 1) * (2 * columns - 1) + 3 * prefix_tokens
        self.relative_position_bias_table = nn.Parameter(torch.empty(distances, num_heads))
        self.register_buffer("relative_position_index", torch.empty(places * places, dtype=torch.long), persistent=False)
    def get_bias(self):
        bias = self.relative_position_bias_table[self.relative_position_index]
        return bias.view(self.bias_shape).permute(2, 0, 1).unsqueeze(0).contiguous()
    def forward(self, attn, shared_rel_pos=None):
        return attn + self.get_bias()

class MaxPool2dSame(nn.Module):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False):
        super().__init__()
        self.kernel_size, self.stride, self.dilation = to_2tuple(kernel_size), to_2tuple(stride or kernel_size), to_2tuple(dilation)
    def forward(self, x):
        sides = []
        for size, k, s, d in zip(reversed(x.shape[-2:]), reversed(self.kernel_size), reversed(self.stride), reversed(self.dilation)):
            missing = max((-(-size // s) - 1) * s + (k - 1) * d + 1 - size, 0)
            sides += [missing // 2, missing - missing // 2]
        return F.max_pool2d(F.pad(x, sides, value=-float("inf")), self.kernel_size, self.stride, 0, self.dilation)

def create_pool2d(pool_type, kernel_size, stride=None, padding="", dilation=1, **options):
    assert pool_type in ("avg", "max"), f"Unsupported pool type {pool_type}"
    stride, given = stride or kernel_size, padding.lower() if isinstance(padding, str) else padding
    if given == "same" and (stride != 1 or dilation * (kernel_size - 1) % 2 != 0):
        return (AvgPool2dSame if pool_type == "avg" else MaxPool2dSame)(kernel_size, stride=stride, **options)
    if isinstance(given, str):
        given = 0 if given == "valid" else get_padding(kernel_size, stride, dilation)
    return (nn.AvgPool2d if pool_type == "avg" else nn.MaxPool2d)(kernel_size, stride=stride, padding=given, **options)

class ClassAttn(nn.Module):
    def __init__(self, dim, num_heads=8, qkv_bias=False, attn_drop=0.0, proj_drop=0.0, device=None, dtype=None):
        super().__init__()
        self.num_heads = num_heads
        self.q, self.k, self.v = [nn.Linear(dim, dim, bias=qkv_bias) for _ in range(3)]
        self.attn_drop, self.proj, self.proj_drop = nn.Dropout(attn_drop), nn.Linear(dim, dim), nn.Dropout(proj_drop)
    def forward(self, x):
        b, n, c = x.shape
        split = (self.num_heads, c // self.num_heads)
        q = self.q(x[:, 0]).reshape(b, 1, *split).permute(0, 2, 1, 3)
        k, v = [linear(x).reshape(b, n, *split).permute(0, 2, 1, 3) for linear in (self.k, self.v)]
        made = F.scaled_dot_product_attention(q, k, v)
        return self.proj_drop(self.proj(made.transpose(1, 2).reshape(b, 1, c)))
