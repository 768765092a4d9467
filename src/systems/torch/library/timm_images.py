# Convolutions, pooling and heads of timm's image models, by the signatures of timm 1.0.
from collections import OrderedDict
import torch
from torch import nn
import torch.nn.functional as F
from timm.layers import get_act_layer, get_norm_layer, make_divisible

class SelectAdaptivePool2d(nn.Module):
    def __init__(self, output_size=1, pool_type="fast", flatten=False, input_fmt="NCHW"):
        super().__init__()
        self.pool_type, self.output_size = (pool_type or "").lower().replace("fast", ""), output_size
        if pool_type in ("fast", "fastavg"):
            self.pool_type = "avg"
        self.dims = (1, 2) if input_fmt == "NHWC" else (2, 3)
        self.is_flat, self.channels_last = flatten, input_fmt == "NHWC"
    def is_identity(self):
        return not self.pool_type
    def feat_mult(self):
        return 2 if self.pool_type == "catavgmax" else 1
    def _pooled(self, x, kind):
        if self.output_size == 1:
            return x.mean(self.dims, keepdim=True) if kind == "avg" else x.amax(self.dims, keepdim=True)
        function = F.adaptive_avg_pool2d if kind == "avg" else F.adaptive_max_pool2d
        return function(x, self.output_size)
    def forward(self, x):
        if self.pool_type in ("avg", "max"):
            x = self._pooled(x, self.pool_type)
        elif self.pool_type:
            a, b = self._pooled(x, "avg"), self._pooled(x, "max")
            x = torch.cat([a, b], dim=-1 if self.channels_last else 1) if self.pool_type == "catavgmax" else 0.5 * (a + b)
        return x.flatten(1) if self.is_flat else x

def _classifier(features, num_classes, use_conv=False):
    if num_classes <= 0:
        return nn.Identity()
    return nn.Conv2d(features, num_classes, 1, bias=True) if use_conv else nn.Linear(features, num_classes, bias=True)

def create_classifier(num_features, num_classes, pool_type="avg", use_conv=False, input_fmt="NCHW", drop_rate=None, device=None, dtype=None):
    pool = SelectAdaptivePool2d(pool_type=pool_type, flatten=not use_conv and bool(pool_type), input_fmt=input_fmt)
    fc = _classifier(num_features * pool.feat_mult(), num_classes, use_conv)
    return (pool, fc) if drop_rate is None else (pool, nn.Dropout(drop_rate), fc)

class ClassifierHead(nn.Module):
    def __init__(self, in_features, num_classes, pool_type="avg", drop_rate=0.0, use_conv=False, input_fmt="NCHW", device=None, dtype=None):
        super().__init__()
        self.in_features, self.num_features = in_features, in_features
        self.global_pool, self.fc = create_classifier(in_features, num_classes, pool_type, use_conv, input_fmt)
        self.drop = nn.Dropout(drop_rate)
        self.flatten = nn.Flatten(1) if use_conv and pool_type else nn.Identity()
    def forward(self, x, pre_logits=False):
        x = self.drop(self.global_pool(x))
        return self.flatten(x) if pre_logits else self.flatten(self.fc(x))

class NormMlpClassifierHead(nn.Module):
    def __init__(self, in_features, num_classes, hidden_size=None, pool_type="avg", drop_rate=0.0, norm_layer="layernorm2d", act_layer="tanh", device=None, dtype=None):
        super().__init__()
        self.in_features, self.num_features = in_features, hidden_size or in_features
        self.use_conv = not pool_type
        self.global_pool = SelectAdaptivePool2d(pool_type=pool_type)
        self.norm = get_norm_layer(norm_layer)(in_features)
        self.flatten = nn.Flatten(1) if pool_type else nn.Identity()
        self.pre_logits = nn.Identity()
        if hidden_size:
            first = nn.Conv2d(in_features, hidden_size, 1) if self.use_conv else nn.Linear(in_features, hidden_size)
            self.pre_logits = nn.Sequential(OrderedDict([("fc", first), ("act", get_act_layer(act_layer)())]))
        self.drop = nn.Dropout(drop_rate)
        self.fc = _classifier(self.num_features, num_classes, self.use_conv)
    def forward(self, x, pre_logits=False):
        x = self.drop(self.pre_logits(self.flatten(self.norm(self.global_pool(x)))))
        return x if pre_logits else self.fc(x)

def get_padding(kernel_size, stride=1, dilation=1):
    if isinstance(kernel_size, (tuple, list)):
        return tuple(get_padding(k, stride, dilation) for k in kernel_size)
    return (stride - 1 + dilation * (kernel_size - 1)) // 2

def create_conv2d(in_channels, out_channels, kernel_size, stride=1, padding="", dilation=1, groups=1, depthwise=False, bias=False, **options):
    given = padding.lower() if isinstance(padding, str) else padding
    if given == "":
        given = get_padding(kernel_size, stride, dilation)
    elif given == "valid":
        given = 0
    return nn.Conv2d(in_channels, out_channels, kernel_size, stride, given, dilation, in_channels if depthwise else groups, bias)

class BatchNormAct2d(nn.BatchNorm2d):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, apply_act=True, act_layer=nn.ReLU, **options):
        super().__init__(num_features, eps, momentum, affine, track_running_stats)
        self.drop = nn.Identity()
        self.act = get_act_layer(act_layer)() if apply_act and act_layer is not None else nn.Identity()
    def forward(self, x):
        return self.act(self.drop(super().forward(x)))

class _NormAct(nn.Module):
    def __init__(self, norm, act):
        super().__init__()
        self.norm, self.act = norm, act
    def forward(self, x):
        return self.act(self.norm(x))

class ConvNormAct(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size=1, stride=1, padding="", dilation=1, groups=1, bias=False, apply_norm=True, apply_act=True, norm_layer=nn.BatchNorm2d, act_layer=nn.ReLU, aa_layer=None, drop_layer=None, conv_kwargs=None, norm_kwargs=None, act_kwargs=None, device=None, dtype=None):
        super().__init__()
        self.conv = create_conv2d(in_channels, out_channels, kernel_size, stride=stride, padding=padding, dilation=dilation, groups=groups, bias=bias)
        act = get_act_layer(act_layer)() if apply_act and act_layer is not None else nn.Identity()
        norm = get_norm_layer(norm_layer)(out_channels) if apply_norm else nn.Identity()
        self.bn = _NormAct(norm, act)
        self.aa = nn.Identity()
    def forward(self, x):
        return self.aa(self.bn(self.conv(x)))

ConvBnAct = ConvNormActAa = ConvNormAct

class SqueezeExcite(nn.Module):
    def __init__(self, channels, rd_ratio=1.0 / 16, rd_channels=None, rd_divisor=8, add_maxpool=False, bias=True, act_layer=nn.ReLU, norm_layer=None, gate_layer="sigmoid", device=None, dtype=None):
        super().__init__()
        self.add_maxpool = add_maxpool
        if not rd_channels:
            rd_channels = make_divisible(channels * rd_ratio, rd_divisor, round_limit=0.0)
        self.fc1 = nn.Conv2d(channels, rd_channels, 1, bias=bias)
        self.bn = norm_layer(rd_channels) if norm_layer else nn.Identity()
        self.act = get_act_layer(act_layer)()
        self.fc2 = nn.Conv2d(rd_channels, channels, 1, bias=bias)
        self.gate = get_act_layer(gate_layer)()
    def forward(self, x):
        size = x.mean((2, 3), keepdim=True)
        if self.add_maxpool:
            size = 0.5 * size + 0.5 * x.amax((2, 3), keepdim=True)
        return x * self.gate(self.fc2(self.act(self.bn(self.fc1(size)))))

SEModule = SqueezeExcite

def create_attn(attn_type, channels, **options):
    if not attn_type:
        return None
    return (SqueezeExcite if attn_type == "se" else attn_type)(channels, **options)

def create_aa(aa_layer, channels=None, stride=2, enable=True, noop=nn.Identity, device=None, dtype=None):
    if not aa_layer or not enable:
        return noop() if noop is not None else None
    return aa_layer(channels=channels, stride=stride)

class AvgPool2dSame(nn.Module):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        self.stride = kernel_size if stride is None else stride
    def forward(self, x):
        step = self.stride if isinstance(self.stride, (tuple, list)) else (self.stride, self.stride)
        return F.adaptive_avg_pool2d(x, [-(-size // s) for size, s in zip(x.shape[-2:], step)])

class DropBlock2d(nn.Module):
    def __init__(self, drop_prob=0.1, *args, **options):
        super().__init__()
        self.drop_prob = drop_prob
    def forward(self, x):
        return F.dropout(x, self.drop_prob)

# What files of timm's own models make theirs with: a model's class with the keywords that are left.

def build_model_with_cfg(model_cls, variant, pretrained=False, pretrained_cfg=None, pretrained_cfg_overlay=None, model_cfg=None, feature_cfg=None, pretrained_strict=True, pretrained_filter_fn=None, cache_dir=None, kwargs_filter=None, **options):
    dropped = set(kwargs_filter or ()) | {"features_only", "out_indices"}
    given = {key: value for key, value in options.items() if key not in dropped}
    return model_cls(**given) if model_cfg is None else model_cls(cfg=model_cfg, **given)

def register_model(target):
    return target

register_notrace_module = register_notrace_function = register_model

def generate_default_cfgs(cfgs):
    return cfgs

def register_model_deprecations(*args, **options):
    return None

def checkpoint_seq(functions, x, every=1, flatten=False, skip_last=False, preserve_rng_state=True):
    for each in functions:
        x = each(x)
    return x

def named_apply(fn, module, name="", depth_first=True, include_root=False):
    return module

def apply_rot_embed_cat(x, emb, half=False):
    sin, cos = emb.chunk(2, -1)
    turned = torch.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    return x * cos + turned * sin

