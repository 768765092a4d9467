# Convolutions of `torch.nn.functional`, by PyTorch 2's signatures.
import math
import torch
import torch.nn.functional as F
from torch._operators import operator, is_tensor, unknown

_letters = "abcdefghijlmopqrstuvwxyz"
_spatial = ["h", "w", "d"]

def _many(value, count):
    return list(value) if isinstance(value, (tuple, list)) else [value] * count

def conv_transpose(input, weight, bias, spatial, stride, padding, output_padding, groups, dilation):
    stride, padding = _many(stride, spatial), _many(padding, spatial)
    extra, dilation = _many(output_padding, spatial), _many(dilation, spatial)
    if any(isinstance(e, int) and e >= max(s, d) for e, s, d in zip(extra, stride, dilation)):
        raise RuntimeError("output padding must be smaller than either stride or dilation")
    if 0 in list(weight.shape[2:]):
        raise RuntimeError("could not create a primitive descriptor for the deconvolution forward propagation primitive")
    sizes = []
    for i in range(spatial):
        size, kernel = input.shape[i - spatial], weight.shape[2 + i]
        sizes.append((size - 1) * stride[i] - 2 * padding[i] + dilation[i] * (kernel - 1) + extra[i] + 1)
    if groups > 1:
        # Each group's channels stand along a dim of their own, so that no product reaches past them.
        lead = list(input.shape[:-spatial - 1])
        input = input.reshape(*lead, groups, input.shape[-spatial - 1] // groups, *input.shape[-spatial:])
        weight = weight.reshape(groups, weight.shape[0] // groups, *weight.shape[1:])
        bias = bias.reshape(groups, -1) if bias is not None else None
    places = " ".join(_spatial[i] + "^" for i in range(spatial))
    taps = " ".join("yxz"[i] + "^" for i in range(spatial))
    group = "g " if groups > 1 else ""
    lead = ("n " if input.dim() == spatial + 2 + len(group) // 2 else "") + group
    out = " ".join(str(s) for s in sizes)
    mark = "+" if bias is None else "^"
    text = "%sc%s %s, %sc%s o %s%s -> %so %s" % (lead, mark, places, group, mark, taps, ", %so" % group if bias is not None else "", lead, out)
    args = [input, weight] + ([bias] if bias is not None else [])
    made = operator("conv_transpose%dd" % spatial, text, *args)
    return made.flatten(-spatial - 2, -spatial - 1) if groups > 1 else made

def conv_transpose1d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return conv_transpose(input, weight, bias, 1, stride, padding, output_padding, groups, dilation)

def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return conv_transpose(input, weight, bias, 2, stride, padding, output_padding, groups, dilation)

def conv_transpose3d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    return conv_transpose(input, weight, bias, 3, stride, padding, output_padding, groups, dilation)

def _conv(name, spatial):
    def function(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        if input.dim() == spatial + 1:
            return function(input.unsqueeze(0), weight, bias, stride, padding, dilation, groups).squeeze(0)
        conv = getattr(F, name)
        if padding != "same":
            return conv(input, weight, bias, stride, 0 if padding == "valid" else padding, dilation, groups)
        reach = [d * (k - 1) for d, k in zip(_many(dilation, spatial), weight.shape[-spatial:])]
        if all(r % 2 == 0 for r in reach):
            return conv(input, weight, bias, stride, [r // 2 for r in reach], dilation, groups)
        sides = [s for r in reversed(reach) for s in (r // 2, r - r // 2)]
        return conv(F.pad(input, sides), weight, bias, stride, 0, dilation, groups)
    return function

conv1d, conv2d, conv3d = _conv("conv1d", 1), _conv("conv2d", 2), _conv("conv3d", 3)

def conv_tbc(input, weight, bias, pad=0):
    steps = input.shape[0] + 2 * pad - weight.shape[0] + 1
    return operator("conv_tbc", "t^ n c^, y^ c^ o, o -> %d n o" % steps, input, weight, bias)

def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    spatial = input.dim() - 2
    if transposed:
        return conv_transpose(input, weight, bias, spatial, stride, padding, output_padding, groups, dilation)
    conv = getattr(F, "conv%dd" % spatial)
    return conv(input, weight, bias, list(stride), list(padding), list(dilation), groups)

def _batch(input, rank):
    return "n " if input.dim() == rank else ""

def _blocks(sizes, kernel, dilation, padding, stride):
    dilation, padding, stride = _many(dilation, 2), _many(padding, 2), _many(stride, 2)
    counts = [(sizes[i - 2] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1 for i in range(2)]
    if counts[0] < 1 or counts[1] < 1:
        raise RuntimeError("the array of sliding blocks has the shape (%s, %s), but its components must be at least one" % tuple(counts))
    return counts[0] * counts[1]

def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    kernel = _many(kernel_size, 2)
    blocks = _blocks(input.shape, kernel, dilation, padding, stride)
    n = _batch(input, 4)
    return operator("unfold", "%sc h^ w^ -> %s(c %d) %d" % (n, n, kernel[0] * kernel[1], blocks), input)

im2col = unfold

def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    kernel, size = _many(kernel_size, 2), _many(output_size, 2)
    n, blocks = _batch(input, 3), _blocks(size, kernel, dilation, padding, stride)
    return operator("fold", "%s(c %d) %d -> %sc %d %d" % (n, kernel[0] * kernel[1], blocks, n, size[0], size[1]), input)

col2im = fold
