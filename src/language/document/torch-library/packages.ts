/** einops: patterns become reshapes and permutations, reductions the functions of torch. */
export const einops = `
import torch
from torch._operators import operator, is_tensor

def _parse(side):
    groups, group = [], None
    word = ""
    for c in side + " ":
        if c.isalnum() or c == "_":
            word += c
            continue
        if word:
            (groups.append([word]) if group is None else group.append(word))
            word = ""
        if c == "(":
            group = []
        elif c == ")":
            groups.append(group)
            group = None
        elif c == "." and group is None and (not groups or groups[-1] != "..."):
            groups.append("...")
        elif c == "." and group is not None and "..." not in group:
            group.append("...")
    return groups

def _spread(groups, stars):
    result = []
    for g in groups:
        if g == "...":
            result.extend([[s] for s in stars])
        else:
            flat = []
            for n in g:
                flat.extend(stars if n == "..." else [n])
            result.append(flat)
    return result

def _sizes(groups, shape, given):
    sizes = dict(given)
    for names, size in zip(groups, shape):
        known, missing = 1, []
        for n in names:
            if n.isdigit():
                known *= int(n)
            elif n in sizes:
                known *= sizes[n]
            else:
                missing.append(n)
        if len(missing) > 1:
            raise ValueError("could not infer sizes for " + str(missing))
        if missing:
            if size % known:
                raise ValueError("shape mismatch, can't divide axis of length %d in chunks of %d" % (size, known))
            sizes[missing[0]] = size // known
        elif known != size:
            raise ValueError("shape mismatch, %d != %d" % (size, known))
    return sizes

def _size(name, sizes):
    return int(name) if name.isdigit() else sizes[name]

def _unfolded(x, pattern, given):
    left, _, right = pattern.partition("->")
    one, two = _parse(left), _parse(right)
    stars = ["_%d" % i for i in range(x.dim() - len([g for g in one if g != "..."]))] if "..." in left else []
    one, two = _spread(one, stars), _spread(two, stars)
    if len(one) != x.dim():
        raise ValueError("the pattern has %d axes, the tensor %d" % (len(one), x.dim()))
    sizes = _sizes(one, x.shape, given)
    flat = [n for g in one for n in g]
    dims = [_size(n, sizes) for n in flat]
    if dims != list(x.shape):
        x = x.reshape(*dims)
    return x, flat, two, sizes

def _ordered(x, flat, names):
    order = [flat.index(n) for n in names]
    return x if order == list(range(len(order))) else x.permute(*order)

def _folded(x, groups, sizes):
    shape = []
    for g in groups:
        size = 1
        for n in g:
            size *= _size(n, sizes)
        shape.append(size)
    return x if shape == list(x.shape) else x.reshape(*shape)

def rearrange(tensor, pattern, **axes_lengths):
    if isinstance(tensor, (list, tuple)):
        tensor = torch.stack(list(tensor))
    x, flat, two, sizes = _unfolded(tensor, pattern, axes_lengths)
    ones = [i for i, n in enumerate(flat) if n == "1"]
    if ones:
        x = x.reshape(*[_size(n, sizes) for n in flat if n != "1"])
        flat = [n for n in flat if n != "1"]
    names = [n for g in two for n in g if n != "1"]
    return _folded(_ordered(x, flat, names), two, sizes)

def repeat(tensor, pattern, **axes_lengths):
    left, _, right = pattern.partition("->")
    known = set(n for g in _parse(left) for n in g)
    fresh = {n: v for n, v in axes_lengths.items() if n not in known}
    x, flat, two, sizes = _unfolded(tensor, pattern, {n: v for n, v in axes_lengths.items() if n in known})
    ones = [n for n in flat if n == "1"]
    if ones:
        x = x.reshape(*[_size(n, sizes) for n in flat if n != "1"])
        flat = [n for n in flat if n != "1"]
    sizes.update(fresh)
    names = [n for g in two for n in g if n != "1"]
    kept = [n for n in names if n in flat]
    x = _ordered(x, flat, kept)
    for at, n in enumerate(names):
        if n not in flat:
            x = x.unsqueeze(at)
    wide = [_size(n, sizes) for n in names]
    if wide != list(x.shape):
        x = x.expand(*wide)
    return _folded(x, two, sizes)

def reduce(tensor, pattern, reduction, **axes_lengths):
    if isinstance(tensor, (list, tuple)):
        tensor = torch.stack(list(tensor))
    x, flat, two, sizes = _unfolded(tensor, pattern, axes_lengths)
    names = [n for g in two for n in g if n != "1"]
    gone = [i for i, n in enumerate(flat) if n not in names]
    if gone:
        function = {"mean": torch.mean, "sum": torch.sum, "max": torch.amax, "min": torch.amin, "prod": torch.prod}.get(reduction, reduction)
        x = function(x, tuple(gone)) if callable(function) else x
        flat = [n for n in flat if n in names]
    return _folded(_ordered(x, flat, names), two, sizes)

def einsum(*args):
    *tensors, pattern = args
    left, _, right = pattern.partition("->")
    names = []
    for g in _parse(left.replace(",", " ")) + _parse(right):
        names.extend([g] if g == "..." else g)
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    short = {}
    for n in names:
        if n not in short:
            short[n] = "..." if n == "..." else next(letters)
    spelt = lambda side: "".join(short[n] for g in _parse(side) for n in ([g] if g == "..." else g))
    return torch.einsum(",".join(spelt(t) for t in left.split(",")) + "->" + spelt(right), *tensors)

def asnumpy(tensor):
    return tensor

def parse_shape(x, pattern):
    return {n: s for n, s in zip(pattern.split(), x.shape) if n != "_"}

def pack(tensors, pattern):
    at = pattern.split().index("*")
    rest = len(pattern.split()) - 1 - at
    shapes = [tuple(t.shape[at:t.dim() - rest]) for t in tensors]
    flat = [t.reshape(*t.shape[:at], -1, *t.shape[t.dim() - rest:]) for t in tensors]
    return (torch.cat(flat, dim=at) if len(flat) > 1 else flat[0]), shapes

def unpack(tensor, packed_shapes, pattern):
    at = pattern.split().index("*")
    lengths = []
    for s in packed_shapes:
        size = 1
        for n in s:
            size *= n
        lengths.append(size)
    parts = torch.split(tensor, lengths, dim=at) if len(lengths) > 1 else [tensor]
    return [p.reshape(*p.shape[:at], *s, *p.shape[at + 1:]) for p, s in zip(parts, packed_shapes)]
`;

/** `einops.layers.torch`. */
export const einopsLayers = `
import torch
from torch import nn
import einops

class Rearrange(nn.Module):
    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern, self.axes_lengths = pattern, axes_lengths
    def forward(self, input):
        return einops.rearrange(input, self.pattern, **self.axes_lengths)

class Reduce(nn.Module):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths
    def forward(self, input):
        return einops.reduce(input, self.pattern, self.reduction, **self.axes_lengths)
`;

/** What torchvision's models are made of, by torchvision 0.20. */
export const torchvision = `
import torch
from torch import nn
from torch._operators import unknown

class ConvNormActivation(nn.Sequential):
    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=nn.BatchNorm2d, activation_layer=nn.ReLU, dilation=1, inplace=True, bias=None, conv_layer=nn.Conv2d):
        if padding is None:
            if isinstance(kernel_size, int) and isinstance(dilation, int):
                padding = (kernel_size - 1) // 2 * dilation
            else:
                sizes = kernel_size if isinstance(kernel_size, (tuple, list)) else (kernel_size,) * len(dilation)
                steps = dilation if isinstance(dilation, (tuple, list)) else (dilation,) * len(sizes)
                padding = tuple((k - 1) // 2 * d for k, d in zip(sizes, steps))
        if bias is None:
            bias = norm_layer is None
        layers = [conv_layer(in_channels, out_channels, kernel_size, stride, padding, dilation=dilation, groups=groups, bias=bias)]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer())
        super().__init__(*layers)
        self.out_channels = out_channels

class Conv2dNormActivation(ConvNormActivation):
    pass

ConvBNActivation = ConvBNReLU = ConvNormActivation

class Conv3dNormActivation(ConvNormActivation):
    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=nn.BatchNorm3d, activation_layer=nn.ReLU, dilation=1, inplace=True, bias=None):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, groups, norm_layer, activation_layer, dilation, inplace, bias, nn.Conv3d)

class SqueezeExcitation(nn.Module):
    def __init__(self, input_channels, squeeze_channels, activation=nn.ReLU, scale_activation=nn.Sigmoid):
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation = activation()
        self.scale_activation = scale_activation()
    def forward(self, input):
        scale = self.scale_activation(self.fc2(self.activation(self.fc1(self.avgpool(input)))))
        return scale * input

class MLP(nn.Sequential):
    def __init__(self, in_channels, hidden_channels, norm_layer=None, activation_layer=nn.ReLU, inplace=None, bias=True, dropout=0.0):
        layers = []
        size = in_channels
        for hidden in hidden_channels[:-1]:
            layers.append(nn.Linear(size, hidden, bias=bias))
            if norm_layer is not None:
                layers.append(norm_layer(hidden))
            layers.append(activation_layer())
            layers.append(nn.Dropout(dropout))
            size = hidden
        layers.append(nn.Linear(size, hidden_channels[-1], bias=bias))
        layers.append(nn.Dropout(dropout))
        super().__init__(*layers)

class Permute(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.dims = dims
    def forward(self, x):
        return torch.permute(x, self.dims)

class StochasticDepth(nn.Module):
    def __init__(self, p, mode):
        super().__init__()
        self.p, self.mode = p, mode
    def forward(self, input):
        return input if self.p == 0 else nn.functional.dropout(input, self.p)

DropPath = StochasticDepth

def stochastic_depth(input, p, mode, training=True):
    return input if p == 0 else nn.functional.dropout(input, p)

class FrozenBatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5):
        super().__init__()
        self.eps = eps
        for name in ["weight", "bias", "running_mean", "running_var"]:
            self.register_buffer(name, torch.zeros(num_features))
    def forward(self, x):
        scale = self.weight.reshape(1, -1, 1, 1)
        return x * scale + self.bias.reshape(1, -1, 1, 1)

def _make_divisible(v, divisor, min_value=None):
    if min_value is None:
        min_value = divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < 0.9 * v:
        new_v += divisor
    return new_v

def _log_api_usage_once(obj):
    return None

class Weights:
    def __init__(self, url=None, transforms=None, meta=None):
        self.url, self.transforms, self.meta = url, transforms, meta

class WeightsEnum:
    @classmethod
    def verify(cls, obj):
        return obj
    def get_state_dict(self, *args, **options):
        return {}

def get_weight(name):
    return None

def handle_legacy_interface(**weights):
    return lambda function: function

def register_model(name=None):
    return lambda function: function

def _ovewrite_named_param(kwargs, param, new_value):
    kwargs[param] = new_value
`;
