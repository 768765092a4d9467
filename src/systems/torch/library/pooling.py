# Pooling and resampling of `torch.nn.functional`, by PyTorch 2's signatures.
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
        sizes.append(max(0, count))
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

def _powers(spatial):
    def function(input, norm_type, kernel_size, stride=None, ceil_mode=False):
        return _pool("lp_pool%dd" % spatial, input, spatial, kernel_size, stride, 0, 1, ceil_mode)
    return function

lp_pool1d, lp_pool2d, lp_pool3d = _powers(1), _powers(2), _powers(3)

def _fractional(spatial, pairs=False):
    def function(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        if output_size is None:
            ratios = _many(output_ratio, spatial)
            sizes = [int(input.shape[i - spatial] * r) for i, r in enumerate(ratios)]
        else:
            sizes = _many(output_size, spatial)
        for i, (kernel, size) in enumerate(zip(_many(kernel_size, spatial), sizes)):
            if kernel + size - 1 > input.shape[i - spatial]:
                raise RuntimeError("fractional_max_pool%dd(): pool size %s too large relative to the input size %s" % (spatial, kernel, input.shape[i - spatial]))
        result = _images("fractional_max_pool%dd" % spatial, input, sizes)
        if not (pairs or return_indices):
            return result
        return result, _images("fractional_max_pool%dd_indices" % spatial, input, sizes)
    return function

fractional_max_pool2d, fractional_max_pool3d = _fractional(2), _fractional(3)
fractional_max_pool2d_with_indices = _fractional(2, True)
fractional_max_pool3d_with_indices = _fractional(3, True)

def _adaptive(name, spatial):
    def function(input, output_size, return_indices=False):
        asked = _many(output_size, spatial)
        if len(asked) != spatial:
            raise RuntimeError("%s: output_size must be %d" % (name, spatial))
        sizes = [input.shape[i - spatial] if s is None else s for i, s in enumerate(asked)]
        if all(s == 1 for s in sizes) and not return_indices:
            reduce = torch.mean if "avg" in name else torch.amax
            return reduce(input, dim=list(range(-spatial, 0)), keepdim=True)
        kernel = [input.shape[i - spatial] // s if s else 0 for i, s in enumerate(sizes)]
        if name == "adaptive_avg_pool2d" and all(s and k * s == input.shape[i - 2] for i, (k, s) in enumerate(zip(kernel, sizes))):
            return F.avg_pool2d(input, kernel)
        result = _images(name, input, sizes)
        return (result, _images(name + "_indices", input, sizes)) if return_indices else result
    return function

adaptive_avg_pool1d = _adaptive("adaptive_avg_pool1d", 1)
adaptive_avg_pool2d = _adaptive("adaptive_avg_pool2d", 2)
adaptive_avg_pool3d = _adaptive("adaptive_avg_pool3d", 3)
adaptive_max_pool1d = _adaptive("adaptive_max_pool1d", 1)
adaptive_max_pool2d = _adaptive("adaptive_max_pool2d", 2)
adaptive_max_pool3d = _adaptive("adaptive_max_pool3d", 3)

def _with_indices(function):
    def pairs(*args, **options):
        options["return_indices"] = True
        return function(*args, **options)
    return pairs

max_pool1d_with_indices = _with_indices(max_pool1d)
max_pool2d_with_indices = _with_indices(max_pool2d)
max_pool3d_with_indices = _with_indices(max_pool3d)
adaptive_max_pool1d_with_indices = _with_indices(adaptive_max_pool1d)
adaptive_max_pool2d_with_indices = _with_indices(adaptive_max_pool2d)
adaptive_max_pool3d_with_indices = _with_indices(adaptive_max_pool3d)

def _whole(factor):
    if isinstance(factor, (tuple, list)):
        factor = factor[0] if all(each == factor[0] for each in factor) else None
    if isinstance(factor, float) and factor == int(factor):
        factor = int(factor)
    return factor if isinstance(factor, int) else None

def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False):
    spatial = input.dim() - 2
    factor = _whole(scale_factor)
    if mode == "nearest" and spatial == 2 and size is None and factor is not None:
        return F.upsample_nearest(input, scale_factor=factor)
    if size is not None:
        sizes = _many(size, spatial)
    else:
        scales = _many(scale_factor, spatial)
        sizes = [int(math.floor(input.shape[2 + i] * s)) for i, s in enumerate(scales)]
    return _images("interpolate", input, sizes)

upsample = interpolate

def upsample_nearest(input, size=None, scale_factor=None):
    return interpolate(input, size, scale_factor)

def upsample_bilinear(input, size=None, scale_factor=None):
    return interpolate(input, size, scale_factor, "bilinear", True)

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

def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    if input.dim() == 5:
        return operator("grid_sample", "n c h^ w^ d^, n p r s 3 -> n c p r s", input, grid)
    return operator("grid_sample", "n c h^ w^, n p r 2 -> n c p r", input, grid)

grid_sampler = grid_sampler_2d = grid_sampler_3d = grid_sample

def affine_grid(theta, size, align_corners=None):
    if any(isinstance(s, (int, float)) and s <= 0 for s in size):
        raise ValueError("Expected non-zero, positive output size. Got %s" % (tuple(size),))
    if size[0] != theta.shape[0]:
        raise RuntimeError("Expected size for first two dimensions of batch2 tensor to be: [%s, 3] but got: [%s, 3]." % (size[0], theta.shape[0]))
    sizes = " ".join(str(s) for s in list(size)[2:])
    return operator("affine_grid", "n %d %d -> n %s %d" % (len(size) - 2, len(size) - 1, sizes, len(size) - 2), theta)
