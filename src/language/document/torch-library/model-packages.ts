/** What models take from timm, by timm 1.0: patches, attention, the perceptron behind it. */
export const timm = `
import torch
from torch import nn
import torch.nn.functional as F

def to_2tuple(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)

class PatchEmbed(nn.Module):
    def __init__(self, img_size=224, patch_size=16, in_chans=3, embed_dim=768, norm_layer=None, flatten=True, output_fmt=None, bias=True, strict_img_size=True, dynamic_img_pad=False):
        super().__init__()
        self.img_size, self.patch_size = to_2tuple(img_size), to_2tuple(patch_size)
        self.grid_size = tuple(s // p for s, p in zip(self.img_size, self.patch_size))
        self.num_patches = self.grid_size[0] * self.grid_size[1]
        self.flatten = flatten
        self.proj = nn.Conv2d(in_chans, embed_dim, kernel_size=self.patch_size, stride=self.patch_size, bias=bias)
        self.norm = norm_layer(embed_dim) if norm_layer else nn.Identity()
    def forward(self, x):
        x = self.proj(x)
        if self.flatten:
            x = x.flatten(2).transpose(1, 2)
        return self.norm(x)

class Attention(nn.Module):
    def __init__(self, dim, num_heads=8, qkv_bias=False, qk_norm=False, scale_norm=False, proj_bias=True, attn_drop=0.0, proj_drop=0.0, norm_layer=nn.LayerNorm):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, dim // num_heads
        self.scale = self.head_dim ** -0.5
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.q_norm = norm_layer(self.head_dim) if qk_norm else nn.Identity()
        self.k_norm = norm_layer(self.head_dim) if qk_norm else nn.Identity()
        self.attn_drop = nn.Dropout(attn_drop)
        self.norm = norm_layer(dim) if scale_norm else nn.Identity()
        self.proj = nn.Linear(dim, dim, bias=proj_bias)
        self.proj_drop = nn.Dropout(proj_drop)
    def forward(self, x, attn_mask=None):
        b, n, c = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4).unbind(0)
        x = F.scaled_dot_product_attention(self.q_norm(q), self.k_norm(k), v, attn_mask=attn_mask)
        x = self.norm(x.transpose(1, 2).reshape(b, n, c))
        return self.proj_drop(self.proj(x))

class Mlp(nn.Module):
    def __init__(self, in_features, hidden_features=None, out_features=None, act_layer=nn.GELU, norm_layer=None, bias=True, drop=0.0, use_conv=False):
        super().__init__()
        hidden_features, out_features = hidden_features or in_features, out_features or in_features
        first, second = to_2tuple(bias)
        self.fc1 = nn.Linear(in_features, hidden_features, bias=first)
        self.act = act_layer()
        self.drop1 = nn.Dropout(drop)
        self.norm = norm_layer(hidden_features) if norm_layer is not None else nn.Identity()
        self.fc2 = nn.Linear(hidden_features, out_features, bias=second)
        self.drop2 = nn.Dropout(drop)
    def forward(self, x):
        return self.drop2(self.fc2(self.norm(self.drop1(self.act(self.fc1(x))))))

class DropPath(nn.Module):
    def __init__(self, drop_prob=0.0, scale_by_keep=True):
        super().__init__()
        self.drop_prob = drop_prob
    def forward(self, x):
        return x if self.drop_prob == 0 else F.dropout(x, self.drop_prob)

def drop_path(x, drop_prob=0.0, training=False, scale_by_keep=True):
    return x if drop_prob == 0 or not training else F.dropout(x, drop_prob)

def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0):
    return tensor

lecun_normal_ = trunc_normal_

def register_model(target=None):
    return target if target is not None else (lambda inner: inner)
`;

/** The configuration of minGPT and of yacs: fields that are set by name. */
export const configNode = `
class CfgNode:
    def __init__(self, init_dict=None, **options):
        self.merge_from_dict(init_dict or {})
        self.merge_from_dict(options)
    def merge_from_dict(self, fields):
        for key, value in fields.items():
            setattr(self, key, value)
    def merge_from_list(self, pairs):
        self.merge_from_dict(dict(zip(pairs[::2], pairs[1::2])))
    def merge_from_args(self, args):
        for each in args:
            key, _, value = each.lstrip("-").partition("=")
            setattr(self, key, value)
    def to_dict(self):
        return dict(self.__dict__)
    def clone(self):
        copy = CfgNode()
        copy.merge_from_dict(self.__dict__)
        return copy
    def freeze(self):
        return None
    defrost = freeze
`;

/** `packaging.version`: texts of versions and their order. */
export const packaging = `
class Version:
    def __init__(self, version):
        base, _, self.local = version.partition("+")
        self.text = version
        numbers = []
        for part in base.split("."):
            digits = ""
            for c in part:
                if not c.isdigit():
                    break
                digits += c
            numbers.append(int(digits or 0))
        self.base_version = ".".join(str(n) for n in numbers)
        while len(numbers) > 1 and numbers[-1] == 0:
            numbers.pop()
        self.release = tuple(numbers)
        self.major = numbers[0]
        self.minor = numbers[1] if len(numbers) > 1 else 0
    def __lt__(self, other):
        return self.release < other.release
    def __le__(self, other):
        return self.release <= other.release
    def __gt__(self, other):
        return self.release > other.release
    def __ge__(self, other):
        return self.release >= other.release
    def __eq__(self, other):
        return self.release == other.release
    def __str__(self):
        return self.text

def parse(version):
    return Version(version)

LegacyVersion = Version
`;
