/** Functions of `torch.nn.functional` whose results follow from shapes, by PyTorch 2's signatures. */
export const functional = `
import math
import torch
import torch.nn.functional as F
from torch._operators import operator, is_tensor, unknown

_letters = "abcdefghijlmopqrstuvwxyz"
_spatial = ["h", "w", "d"]

def _many(value, count):
    return list(value) if isinstance(value, (tuple, list)) else [value] * count

def _images(name, x, sizes, channels=None, *weights):
    spatial = len(sizes)
    lead = ["n", "c"][2 - (x.dim() - spatial):]
    if channels is not None:
        lead[-1] = "c^"
    given = lead + [_spatial[i] + "^" for i in range(spatial)]
    out = lead[:-1] + [str(channels) if channels is not None else "c"] + [str(s) for s in sizes]
    return operator(name, " ".join(given) + " -> " + " ".join(out).replace("c^", "c"), x)

def _pool(name, x, spatial, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, pairs=False):
    kernel = _many(kernel_size, spatial)
    stride = kernel if stride is None or stride == [] else _many(stride, spatial)
    padding, dilation = _many(padding, spatial), _many(dilation, spatial)
    sizes = []
    for i in range(spatial):
        size = x.shape[i - spatial]
        reach = size + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1
        if ceil_mode:
            count = -(-reach // stride[i]) + 1
            if (count - 1) * stride[i] >= size + padding[i]:
                count -= 1
        else:
            count = reach // stride[i] + 1
        sizes.append(count)
    result = _images(name, x, sizes)
    return (result, _images(name + "_indices", x, sizes)) if pairs else result

def _max(spatial):
    def function(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
        return _pool("max_pool%dd" % spatial, input, spatial, kernel_size, stride, padding, dilation, ceil_mode, return_indices)
    return function

def _avg(spatial):
    def function(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        return _pool("avg_pool%dd" % spatial, input, spatial, kernel_size, stride, padding, 1, ceil_mode)
    return function

max_pool1d, max_pool2d, max_pool3d = _max(1), _max(2), _max(3)
avg_pool1d, avg_pool2d, avg_pool3d = _avg(1), _avg(2), _avg(3)

def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return _pool("lp_pool2d", input, 2, kernel_size, stride, 0, 1, ceil_mode)

def _adaptive(name, spatial):
    def function(input, output_size, return_indices=False):
        asked = _many(output_size, spatial)
        sizes = [input.shape[i - spatial] if s is None else s for i, s in enumerate(asked)]
        result = _images(name, input, sizes)
        return (result, _images(name + "_indices", input, sizes)) if return_indices else result
    return function

adaptive_avg_pool1d = _adaptive("adaptive_avg_pool1d", 1)
adaptive_avg_pool2d = _adaptive("adaptive_avg_pool2d", 2)
adaptive_avg_pool3d = _adaptive("adaptive_avg_pool3d", 3)
adaptive_max_pool1d = _adaptive("adaptive_max_pool1d", 1)
adaptive_max_pool2d = _adaptive("adaptive_max_pool2d", 2)
adaptive_max_pool3d = _adaptive("adaptive_max_pool3d", 3)

def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False):
    spatial = input.dim() - 2
    if size is not None:
        sizes = _many(size, spatial)
    else:
        scales = _many(scale_factor, spatial)
        sizes = [int(math.floor(input.shape[2 + i] * s)) for i, s in enumerate(scales)]
    return _images("interpolate", input, sizes)

upsample = interpolate

def upsample_bilinear(input, size=None, scale_factor=None):
    return interpolate(input, size, scale_factor, "bilinear", True)

def conv_transpose(input, weight, bias, spatial, stride, padding, output_padding, groups, dilation):
    stride, padding = _many(stride, spatial), _many(padding, spatial)
    extra, dilation = _many(output_padding, spatial), _many(dilation, spatial)
    sizes = []
    for i in range(spatial):
        size, kernel = input.shape[i - spatial], weight.shape[2 + i]
        sizes.append((size - 1) * stride[i] - 2 * padding[i] + dilation[i] * (kernel - 1) + extra[i] + 1)
    places = " ".join(_spatial[i] + "^" for i in range(spatial))
    taps = " ".join("yxz"[i] + "^" for i in range(spatial))
    lead = "n " if input.dim() == spatial + 2 else ""
    out = " ".join(str(s) for s in sizes)
    if groups > 1:
        made = weight.shape[1] * groups
        text = "%sc^ %s, e^ o^ %s%s -> %s%d %s" % (lead, places, taps, ", b^" if bias is not None else "", lead, made, out)
    else:
        mark = "+" if bias is None else "^"
        text = "%sc%s %s, c%s o %s%s -> %so %s" % (lead, mark, places, mark, taps, ", o" if bias is not None else "", lead, out)
    args = [input, weight] + ([bias] if bias is not None else [])
    return operator("conv_transpose%dd" % spatial, text, *args)

def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return conv_transpose(input, weight, bias, 1, stride, padding, output_padding, groups, dilation)

def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return conv_transpose(input, weight, bias, 2, stride, padding, output_padding, groups, dilation)

def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return conv_transpose(input, weight, bias, 3, stride, padding, output_padding, groups, dilation)

def _conv(name, spatial):
    def function(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        conv = getattr(F, name)
        if padding != "same":
            return conv(input, weight, bias, stride, 0, dilation, groups)
        reach = [d * (k - 1) for d, k in zip(_many(dilation, spatial), weight.shape[-spatial:])]
        if all(r % 2 == 0 for r in reach):
            return conv(input, weight, bias, stride, [r // 2 for r in reach], dilation, groups)
        sides = [s for r in reversed(reach) for s in (r // 2, r - r // 2)]
        return conv(F.pad(input, sides), weight, bias, stride, 0, dilation, groups)
    return function

conv1d, conv2d, conv3d = _conv("conv1d", 1), _conv("conv2d", 2), _conv("conv3d", 3)

def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpool("max_unpool1d", input, 1, kernel_size, stride, padding, output_size)

def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpool("max_unpool2d", input, 2, kernel_size, stride, padding, output_size)

def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _unpool("max_unpool3d", input, 3, kernel_size, stride, padding, output_size)

def _unpool(name, x, spatial, kernel_size, stride, padding, output_size):
    kernel = _many(kernel_size, spatial)
    steps = kernel if stride is None else _many(stride, spatial)
    padding = _many(padding, spatial)
    sizes = [(x.shape[i - spatial] - 1) * steps[i] - 2 * padding[i] + kernel[i] for i in range(spatial)]
    return _images(name, x, sizes if output_size is None else list(output_size)[-spatial:])

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
    s = k.shape[2]
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
    return input / torch.norm(input, dim=dim, keepdim=True)

def glu(input, dim=-1):
    a, b = input.chunk(2, dim=dim)
    return a * torch.sigmoid(b)

def prelu(input, weight):
    rank = input.dim()
    names = [_letters[i] for i in range(rank)]
    one = weight.shape[0] == 1
    at = min(1, rank - 1)
    return operator("prelu", "%s, %s -> %s" % (" ".join(names), "1" if one else names[at], " ".join(names)), input, weight)

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

def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    kernel, dilation = _many(kernel_size, 2), _many(dilation, 2)
    padding, stride = _many(padding, 2), _many(stride, 2)
    blocks = 1
    for i in range(2):
        blocks *= (input.shape[2 + i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1
    rows = input.shape[1] * kernel[0] * kernel[1]
    return operator("unfold", "n c^ h^ w^ -> n %d %d" % (rows, blocks), input)

def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    kernel, size = _many(kernel_size, 2), _many(output_size, 2)
    return operator("fold", "n c^ l^ -> n %d %d %d" % (input.shape[1] // (kernel[0] * kernel[1]), size[0], size[1]), input)

def bilinear(input1, input2, weight, bias=None):
    lead = " ".join(_letters[i] for i in range(input1.dim() - 1))
    text = "%s p^, %s r^, o p^ r^%s -> %s o" % (lead, lead, ", o" if bias is not None else "", lead)
    return operator("bilinear", text, *([input1, input2, weight] + ([bias] if bias is not None else [])))

def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean", sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None):
    bags = input.shape[0] if offsets is None else offsets.shape[0] - (1 if include_last_offset else 0)
    ids = "b^ l^" if input.dim() == 2 else "l^"
    given = [(ids, input), ("n^ k", weight), ("o^", offsets), (ids, per_sample_weights)]
    given = [(dims, t) for dims, t in given if t is not None]
    return operator("embedding_bag_" + mode, ", ".join(dims for dims, _ in given) + " -> %d k" % bags, *[t for _, t in given])

def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    return torch.softmax(logits, dim=dim)

def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    rest = " ".join(_letters[i] for i in range(input.dim() - 2))
    text = "n c^ " + rest.replace("n", "nn").replace("c", "cc")
    return operator("local_response_norm", text + " -> " + text, input)

def _reduction(size_average, reduce, reduction):
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        return "none"
    return "sum" if size_average is False else "mean"

def _named(order, args, options):
    given = dict(zip(order.split(), args))
    given.update(options)
    return _reduction(given.get("size_average"), given.get("reduce"), given.get("reduction", "mean"))

def _loss(name, order, without=0):
    def function(input, target, *args, **options):
        reduction = _named(order, args, options)
        if without and reduction == "none":
            return _kept(name, input.shape[:input.dim() - without], input, target)
        return _joined(name, reduction, input, target)
    return function

def _kept(name, shape, *tensors):
    return _whole(name, *tensors, out=" ".join(str(s) for s in shape) or "()")

def _joined(name, reduction, *tensors):
    shape = torch.broadcast_shapes(*[t.shape for t in tensors])
    rank = len(shape)
    texts = []
    for t in tensors:
        lead = rank - t.dim()
        texts.append(" ".join("1" if t.shape[i] == 1 and shape[lead + i] != 1 else _letters[lead + i] + ("^" if reduction != "none" else "") for i in range(t.dim())))
    out = "()" if reduction != "none" else " ".join(_letters[i] for i in range(rank))
    return operator(name, ", ".join(texts) + " -> " + out, *tensors)

_old = " size_average reduce reduction"
smooth_l1_loss = _loss("smooth_l1_loss", _old + " beta")
huber_loss = _loss("huber_loss", "reduction delta weight")
binary_cross_entropy = _loss("binary_cross_entropy", "weight" + _old)
poisson_nll_loss = _loss("poisson_nll_loss", "log_input full size_average eps reduce reduction")
soft_margin_loss = _loss("soft_margin_loss", _old)
hinge_embedding_loss = _loss("hinge_embedding_loss", "margin" + _old)
multilabel_soft_margin_loss = _loss("multilabel_soft_margin_loss", "weight" + _old, 1)

def _loss_of_three(name, order, shape):
    def function(first, second, third, *args, **options):
        tensors = [first, second, third]
        is_kept = _named(order, args, options) == "none"
        return _kept(name, shape(*tensors), *tensors) if is_kept else _whole(name, *tensors)
    return function

def _broadcast(*tensors):
    return torch.broadcast_shapes(*[t.shape for t in tensors])

cosine_embedding_loss = _loss_of_three("cosine_embedding_loss", "margin" + _old, lambda a, b, t: _broadcast(a, b)[:-1])
margin_ranking_loss = _loss_of_three("margin_ranking_loss", "margin" + _old, _broadcast)
triplet_margin_loss = _loss_of_three("triplet_margin_loss", "margin p eps swap" + _old, lambda a, p, n: _broadcast(a, p, n)[:-1])

def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    if not is_tensor(var):
        var = torch.full_like(input, var)
    if reduction == "none":
        return _kept("gaussian_nll_loss", _broadcast(input, target), input, target, var)
    return _whole("gaussian_nll_loss", input, target, var)

def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    if reduction == "none":
        return _kept("ctc_loss", log_probs.shape[1:-1], log_probs, targets)
    return _whole("ctc_loss", log_probs, targets)

def _whole(name, *tensors, out="()"):
    used = 0
    texts = []
    for t in tensors:
        texts.append(" ".join(_letters[used + i] + "^" for i in range(t.dim())))
        used += t.dim()
    return operator(name, ", ".join(texts) + " -> " + out, *tensors)

def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    return operator("grid_sample", "n c h^ w^, n p r 2 -> n c p r", input, grid)

def affine_grid(theta, size, align_corners=None):
    return operator("affine_grid", "n a^ b^ -> n %d %d 2" % (size[2], size[3]), theta)
`;
