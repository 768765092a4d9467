# Other functions of `torch.nn.functional` whose results follow from shapes, by PyTorch 2's signatures.
import math
import torch
import torch.nn.functional as F
from torch._operators import operator, is_tensor, unknown, equal_loads, require

_letters = "abcdefghijlmopqrstuvwxyz"

def multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True, attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True, is_causal=False):
    biases = [None] * 3 if in_proj_bias is None else in_proj_bias.chunk(3)
    weights = [q_proj_weight, k_proj_weight, v_proj_weight] if use_separate_proj_weight else in_proj_weight.chunk(3)
    l, b, e = query.shape
    h, d = num_heads, e // num_heads
    heads = []
    for x, w, bias in zip((query, key, value), weights, biases):
        y = F.linear(x, w) if bias is None else F.linear(x, w, bias)
        heads.append(y.reshape(x.shape[0], b, h, d).permute(1, 2, 0, 3))
    q, k, v = heads
    if bias_k is not None:
        k = torch.cat([k, bias_k.reshape(1, h, 1, d).expand(b, h, 1, d)], dim=2)
        v = torch.cat([v, bias_v.reshape(1, h, 1, d).expand(b, h, 1, d)], dim=2)
    if add_zero_attn:
        k = torch.cat([k, torch.zeros(b, h, 1, d)], dim=2)
        v = torch.cat([v, torch.zeros(b, h, 1, d)], dim=2)
    added, s = k.shape[2] - key.shape[0], k.shape[2]
    if added and attn_mask is not None:
        attn_mask = F.pad(attn_mask, (0, added))
    if added and key_padding_mask is not None:
        key_padding_mask = F.pad(key_padding_mask, (0, added))
    scores = torch.matmul(q * (1.0 / math.sqrt(d)), k.transpose(-2, -1))
    if attn_mask is not None:
        scores = scores + (attn_mask.reshape(b, h, l, s) if attn_mask.dim() == 3 else attn_mask)
    if key_padding_mask is not None:
        scores = scores + key_padding_mask.reshape(b, 1, 1, s)
    attention = F.softmax(scores, dim=-1)
    if dropout_p > 0 and training:
        attention = F.dropout(attention, dropout_p)
    out = torch.matmul(attention, v).permute(2, 0, 1, 3).reshape(l, b, e)
    out = F.linear(out, out_proj_weight) if out_proj_bias is None else F.linear(out, out_proj_weight, out_proj_bias)
    if not need_weights:
        return out, None
    return out, (attention.mean(dim=1) if average_attn_weights else attention)

def pad(input, pad, mode="constant", value=None):
    rank = input.dim()
    names = [_letters[i] for i in range(rank)]
    sizes = list(input.shape)
    given, out = list(names), list(names)
    for i in range(len(pad) // 2):
        at = rank - 1 - i
        extra = pad[2 * i] + pad[2 * i + 1]
        if extra:
            given[at], out[at] = names[at] + "^", str(sizes[at] + extra)
    return operator("pad_" + mode, " ".join(given) + " -> " + " ".join(out), input)

def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    length = torch.norm(input, dim=dim, keepdim=True) if p == 2 else torch.norm(input, p, dim=dim, keepdim=True)
    return input / length.clamp(min=eps)

def glu(input, dim=-1):
    if input.shape[dim] % 2:
        raise RuntimeError("Halving dimension must be even, but dimension %d is size %d" % (dim % input.dim(), input.shape[dim]))
    a, b = input.chunk(2, dim=dim)
    return a * torch.sigmoid(b)

def pixel_shuffle(input, upscale_factor):
    r = upscale_factor
    *lead, c, h, w = input.shape
    n = len(lead)
    x = input.reshape(*lead, c // (r * r), r, r, h, w)
    x = x.permute(*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return x.reshape(*lead, c // (r * r), h * r, w * r)

def pixel_unshuffle(input, downscale_factor):
    r = downscale_factor
    *lead, c, h, w = input.shape
    n = len(lead)
    x = input.reshape(*lead, c, h // r, r, w // r, r)
    x = x.permute(*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return x.reshape(*lead, c * r * r, h // r, w // r)

def channel_shuffle(input, groups):
    b, c, *rest = input.shape
    x = input.reshape(b, groups, c // groups, *rest)
    return x.transpose(1, 2).reshape(b, c, *rest)

def bilinear(input1, input2, weight, bias=None):
    lead = " ".join(_letters[i] for i in range(input1.dim() - 1))
    text = "%s p^, %s r^, o p^ r^%s -> %s o" % (lead, lead, ", o" if bias is not None else "", lead)
    return operator("bilinear", text, *([input1, input2, weight] + ([bias] if bias is not None else [])))

# Bags of one length each: a mean is a sum of rows, divided.
def _bags(input, weight, mode, per_sample_weights):
    if mode == "max":
        return torch.amax(F.embedding(input, weight), dim=1)
    ids = "b l+"
    given = [(ids, input), ("n^ k", weight)] + ([] if per_sample_weights is None else [(ids, per_sample_weights)])
    text = ", ".join(dims for dims, _ in given) + " -> b k"
    operands = [input, weight] + ([] if per_sample_weights is None else [per_sample_weights])
    made = operator("embedding_bag_sum", text, *operands)
    return made / input.shape[1] if mode == "mean" else made

def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean", sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None):
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if input.dim() == 1 and offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if input.dim() == 2 and offsets is not None:
        raise ValueError("if input is 2D, then offsets has to be None")
    require("embedding_bag", input=input, weight=weight, offsets=offsets, mode=mode)
    if input.dim() == 2:
        return _bags(input, weight, mode, per_sample_weights)
    bags = input.shape[0] if offsets is None else offsets.shape[0] - (1 if include_last_offset else 0)
    given = [("l^", input), ("n^ k", weight), ("o^", offsets), ("l^", per_sample_weights)]
    given = [(dims, t) for dims, t in given if t is not None]
    return operator("embedding_bag_" + mode, ", ".join(dims for dims, _ in given) + " -> %d k" % bags, *[t for _, t in given])

def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    return torch.softmax(logits, dim=dim)

def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    rest = " ".join(_letters[i] for i in range(input.dim() - 2))
    text = "n c^ " + rest.replace("n", "nn").replace("c", "cc")
    return operator("local_response_norm", text + " -> " + text, input)

# What `nn.CrossMapLRN2d` computes, which divides by the size and takes any other.
def cross_map_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    if size == 0:
        raise ZeroDivisionError("float division by zero")
    return local_response_norm(input, size, alpha, beta, k)

native_channel_shuffle = channel_shuffle

def broadcast_attention(query, key, value, *rest, **options):
    lead = torch.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    each = [t.expand(*lead, *t.shape[-2:]) for t in (query, key, value)]
    return F.scaled_dot_product_attention(*each, *rest, **options)

# Each head of keys and of values serves as many heads of queries, which lie next to each other.
def grouped_attention(query, key, value, *rest, enable_gqa=True, **options):
    heads = query.shape[-3]
    each = [t if t.shape[-3] == heads else t.repeat_interleave(heads // t.shape[-3], dim=t.dim() - 3) for t in (key, value)]
    return broadcast_attention(query, *each, *rest, **options)

def one_hot(tensor, num_classes=-1):
    return unknown("torch.nn.functional.one_hot", tensor)

def pdist(input, p=2.0):
    rows = input.shape[0]
    return operator("pdist", "a^ b^ -> %d" % (rows * (rows - 1) // 2), input)

def grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    a, b = mat_a, mat_b
    groups = b.shape[0] if b.dim() == 3 else a.shape[0] if a.dim() == 3 else offs.shape[0]
    if offs is not None:
        equal_loads()
    if a.dim() == 2 and b.dim() == 3:
        rows = a.shape[0]
        if rows % groups:
            names = ("r^ k^", "g^ k^ n", "g^")
            text = ", ".join(names) + " -> " + str(rows) + " n"
            made = operator("grouped_mm", text, a, b, offs)
        else:
            made = torch.matmul(a.reshape(groups, rows // groups, a.shape[1]), b)
            if bias is not None:
                made = made + bias.unsqueeze(1)
            made = made.reshape(rows, b.shape[2])
    elif a.dim() == 3 and b.dim() == 3:
        made = torch.matmul(a, b)
    elif a.dim() == 2:
        made = operator("grouped_mm", "m k^, k^ n, g^ -> %d m n" % groups, a, b, offs)
    else:
        made = operator("grouped_mm", "g^ m k^, k^ n^, g^ -> m %d" % b.shape[1], a, b, offs)
    return made if out_dtype is None else made.to(out_dtype)
