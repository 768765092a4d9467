# Layers of `torch.nn` around the functions of torch, with the weights that PyTorch 2 gives them.
import torch
from torch import nn
import torch.nn.functional as F
from torch._operators import is_unknown, ranked, require, settings

def _many(value, count):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * count

class ModuleDict(nn.Module):
    _reserves = True
    def __init__(self, modules=None):
        super().__init__()
        self._names = []
        if modules is not None:
            self.update(modules)
    def update(self, modules):
        pairs = modules.items() if hasattr(modules, "items") else modules
        for name, module in pairs:
            self[name] = module
    def __setitem__(self, name, module):
        if isinstance(name, str) and "." in name:
            raise KeyError('module name can\'t contain ".", got: ' + name)
        if self._reserves and not is_unknown(module) and isinstance(module, (int, float, str, list, tuple)):
            raise TypeError("%s is not a Module subclass" % type(module).__name__)
        if name not in self._names:
            if self._reserves and isinstance(name, str) and hasattr(nn.ModuleDict, name):
                raise KeyError("attribute '%s' already exists" % name)
            self._names.append(name)
        setattr(self, name, module)
    def add_module(self, name, module):
        self[name] = module
    register_module = add_module
    def __getitem__(self, name):
        if name not in self._names:
            raise KeyError(name)
        return getattr(self, name)
    def __delitem__(self, name):
        self._names.remove(name)
        delattr(self, name)
    def pop(self, name):
        module = self[name]
        del self[name]
        return module
    def clear(self):
        for name in list(self._names):
            del self[name]
    def __len__(self):
        return len(self._names)
    def __iter__(self):
        return iter(self._names)
    def __contains__(self, name):
        return name in self._names
    def keys(self):
        return list(self._names)
    def values(self):
        return [getattr(self, name) for name in self._names]
    def items(self):
        return [(name, getattr(self, name)) for name in self._names]

class ParameterDict(ModuleDict):
    _reserves = False

class ParameterList(nn.Module):
    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        for value in values or []:
            self.append(value)
    def append(self, value):
        setattr(self, str(self._size), value)
        self._size += 1
        return self
    def extend(self, values):
        for value in values:
            self.append(value)
        return self
    def __getitem__(self, at):
        if isinstance(at, slice):
            return [getattr(self, str(i)) for i in range(self._size)[at]]
        return getattr(self, str(range(self._size)[at]))
    def __setitem__(self, at, value):
        setattr(self, str(range(self._size)[at]), value)
    def __len__(self):
        return self._size
    def __iter__(self):
        return iter([getattr(self, str(i)) for i in range(self._size)])

# The names of what layers are called with, in order.
_inputs = ["input", "x1", "x2", "anchor", "positive", "negative", "input1", "input2", "indices", "target"]

def _function_layer(function, *names):
    class Layer(nn.Module):
        def __init__(self, *args, **options):
            super().__init__()
            options.pop("inplace", None)
            self._given = dict(zip(names, args))
            self._given.update((k, v) for k, v in options.items() if k in names)
            for key, value in self._given.items():
                setattr(self, key, value)
        def forward(self, *inputs, **named):
            return function(*inputs, *[named[k] for k in _inputs if k in named], **self._given)
    return Layer

def _plain(function):
    class Layer(nn.Module):
        def __init__(self, *args, **options):
            super().__init__()
        def forward(self, input):
            return function(input)
    return Layer

SELU = _plain(lambda x: F.selu(x))
CELU = _function_layer(lambda x, alpha=1.0: F.celu(x, alpha), "alpha")

class Hardtanh(_function_layer(lambda x, min_val=-1.0, max_val=1.0: F.hardtanh(x, min_val, max_val), "min_val", "max_val")):
    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False):
        super().__init__(min_val, max_val)
        if not is_unknown(min_val) and not is_unknown(max_val) and max_val <= min_val:
            raise AssertionError("max_val (%s) must be greater than min_val (%s)" % (max_val, min_val))

Hardsigmoid = _plain(lambda x: F.hardsigmoid(x))
LogSigmoid = _plain(lambda x: F.logsigmoid(x))
Softsign = _plain(lambda x: F.softsign(x))
Tanhshrink = _plain(lambda x: F.tanhshrink(x))
Hardshrink = _function_layer(lambda x, lambd=0.5: F.hardshrink(x, lambd), "lambd")
Softshrink = _function_layer(lambda x, lambd=0.5: F.softshrink(x, lambd), "lambd")
Threshold = _function_layer(lambda x, threshold, value: F.threshold(x, threshold, value), "threshold", "value")
RReLU = _function_layer(lambda x, lower=1 / 8, upper=1 / 3: F.rrelu(x, lower, upper), "lower", "upper")

def _dropout(function):
    class Layer(nn.Module):
        def __init__(self, p=0.5, inplace=False):
            super().__init__()
            require("Dropout", p=p)
            self.p = p
        def forward(self, input):
            return function(input)
    return Layer

Dropout1d = _dropout(lambda x: F.dropout1d(x))
Dropout2d = _dropout(lambda x: F.dropout2d(x))
Dropout3d = _dropout(lambda x: F.dropout3d(x))
AlphaDropout = _dropout(lambda x: F.alpha_dropout(x))
FeatureAlphaDropout = _dropout(lambda x: F.feature_alpha_dropout(x))
Softmax2d = _plain(lambda x: F.softmax(x, dim=-3))
Softmin = _function_layer(lambda x, dim=None: F.softmin(x, dim), "dim")
GLU = _function_layer(lambda x, dim=-1: F.glu(x, dim), "dim")

class PReLU(nn.Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(num_parameters, dtype=dtype))
    def forward(self, input):
        return F.prelu(input, self.weight)

AdaptiveAvgPool1d = _function_layer(F.adaptive_avg_pool1d, "output_size")
AdaptiveAvgPool2d = _function_layer(F.adaptive_avg_pool2d, "output_size")
AdaptiveAvgPool3d = _function_layer(F.adaptive_avg_pool3d, "output_size")
AdaptiveMaxPool1d = _function_layer(F.adaptive_max_pool1d, "output_size", "return_indices")
AdaptiveMaxPool2d = _function_layer(F.adaptive_max_pool2d, "output_size", "return_indices")
AdaptiveMaxPool3d = _function_layer(F.adaptive_max_pool3d, "output_size", "return_indices")

_max = ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]
_avg = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad", "divisor_override"]
MaxPool1d = _function_layer(F.max_pool1d, *_max)
MaxPool2d = _function_layer(F.max_pool2d, *_max)
MaxPool3d = _function_layer(F.max_pool3d, *_max)
AvgPool1d = _function_layer(F.avg_pool1d, *_avg)
AvgPool2d = _function_layer(F.avg_pool2d, *_avg)
AvgPool3d = _function_layer(F.avg_pool3d, *_avg)
_power = ["norm_type", "kernel_size", "stride", "ceil_mode"]
LPPool1d = _function_layer(F.lp_pool1d, *_power)
LPPool2d = _function_layer(F.lp_pool2d, *_power)
LPPool3d = _function_layer(F.lp_pool3d, *_power)
_fraction = ["kernel_size", "output_size", "output_ratio", "return_indices"]
FractionalMaxPool2d = _function_layer(F.fractional_max_pool2d, *_fraction)
FractionalMaxPool3d = _function_layer(F.fractional_max_pool3d, *_fraction)
MaxUnpool1d = _function_layer(F.max_unpool1d, "kernel_size", "stride", "padding")
MaxUnpool2d = _function_layer(F.max_unpool2d, "kernel_size", "stride", "padding")
MaxUnpool3d = _function_layer(F.max_unpool3d, "kernel_size", "stride", "padding")

PixelShuffle = _function_layer(F.pixel_shuffle, "upscale_factor")
PixelUnshuffle = _function_layer(F.pixel_unshuffle, "downscale_factor")
ChannelShuffle = _function_layer(F.channel_shuffle, "groups")
Upsample = _function_layer(F.interpolate, "size", "scale_factor", "mode", "align_corners", "recompute_scale_factor")
UpsamplingNearest2d = _function_layer(F.interpolate, "size", "scale_factor")
UpsamplingBilinear2d = _function_layer(F.upsample_bilinear, "size", "scale_factor")
Unfold = _function_layer(F.unfold, "kernel_size", "dilation", "padding", "stride")
Fold = _function_layer(F.fold, "output_size", "kernel_size", "dilation", "padding", "stride")
LocalResponseNorm = _function_layer(F.local_response_norm, "size", "alpha", "beta", "k")
CrossMapLRN2d = _function_layer(F.cross_map_norm, "size", "alpha", "beta", "k")
CosineSimilarity = _function_layer(F.cosine_similarity, "dim", "eps")
PairwiseDistance = _function_layer(F.pairwise_distance, "p", "eps", "keepdim")

def _padding(count, mode):
    class Pad(nn.Module):
        def __init__(self, padding, value=0.0):
            super().__init__()
            self.padding = _many(padding, 2 * count)
            self.value = value
        def forward(self, input):
            input = ranked(input, count + 2)
            if mode == "constant":
                return F.pad(input, self.padding, value=self.value)
            return F.pad(input, self.padding, mode=mode)
    return Pad

ZeroPad1d, ZeroPad2d, ZeroPad3d = _padding(1, "constant"), _padding(2, "constant"), _padding(3, "constant")
ConstantPad1d, ConstantPad2d, ConstantPad3d = ZeroPad1d, ZeroPad2d, ZeroPad3d
ReflectionPad1d, ReflectionPad2d, ReflectionPad3d = _padding(1, "reflect"), _padding(2, "reflect"), _padding(3, "reflect")
ReplicationPad1d, ReplicationPad2d, ReplicationPad3d = _padding(1, "replicate"), _padding(2, "replicate"), _padding(3, "replicate")
CircularPad1d, CircularPad2d, CircularPad3d = _padding(1, "circular"), _padding(2, "circular"), _padding(3, "circular")

class Unflatten(nn.Module):
    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim, self.unflattened_size = dim, unflattened_size
    def forward(self, input):
        return torch.unflatten(input, self.dim, self.unflattened_size)

class Bilinear(nn.Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(out_features, in1_features, in2_features, dtype=dtype))
        self.bias = nn.Parameter(torch.zeros(out_features, dtype=dtype)) if bias else None
    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)

class EmbeddingBag(nn.Module):
    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean", sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None, dtype=None):
        super().__init__()
        require("EmbeddingBag", num_embeddings=num_embeddings, padding_idx=padding_idx)
        self.num_embeddings, self.embedding_dim, self.mode = num_embeddings, embedding_dim, mode
        self.include_last_offset, self.padding_idx, self.max_norm = include_last_offset, padding_idx, max_norm
        self.weight = nn.Parameter(torch.zeros(num_embeddings, embedding_dim, dtype=dtype) if _weight is None else _weight)
    def forward(self, input, offsets=None, per_sample_weights=None):
        return F.embedding_bag(input, self.weight, offsets, mode=self.mode, per_sample_weights=per_sample_weights, include_last_offset=self.include_last_offset)
    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean", sparse=False, include_last_offset=False, padding_idx=None):
        made = cls(*embeddings.shape, max_norm, norm_type, scale_grad_by_freq, mode, sparse, None, include_last_offset, padding_idx)
        made.weight.requires_grad = not freeze
        return made

# `nn.Embedding.from_pretrained`: a table of the size of what is given, whose rows are learnt where it is not frozen.
def _table(embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if embeddings.dim() != 2:
        raise ValueError("Embeddings parameter is expected to be 2-dimensional")
    made = nn.Embedding(embeddings.shape[0], embeddings.shape[1], padding_idx=padding_idx, dtype=embeddings.dtype)
    made.weight.requires_grad = not freeze
    return made

def _transposed(spatial):
    class ConvTranspose(nn.Module):
        def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
            super().__init__()
            self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
            self.kernel_size, self.stride = _many(kernel_size, spatial), _many(stride, spatial)
            self.padding, self.dilation = _many(padding, spatial), _many(dilation, spatial)
            self.output_padding = _many(output_padding, spatial)
            self.weight = nn.Parameter(torch.zeros(in_channels, out_channels // groups, *self.kernel_size, dtype=dtype))
            self.bias = nn.Parameter(torch.zeros(out_channels, dtype=dtype)) if bias else None
        def forward(self, input, output_size=None):
            extra = self.output_padding if output_size is None else self._output_padding(input, output_size)
            return getattr(F, "conv_transpose%dd" % spatial)(input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation)
        def _output_padding(self, input, output_size):
            extra = []
            for i, size in enumerate(list(output_size)[-spatial:]):
                taken = (input.shape[i - spatial] - 1) * self.stride[i] - 2 * self.padding[i]
                extra.append(size - taken - self.dilation[i] * (self.kernel_size[i] - 1) - 1)
            if any(e < 0 or e >= s for e, s in zip(extra, self.stride)):
                raise ValueError("requested an output size of %s, which the input cannot give" % list(output_size))
            return extra
    return ConvTranspose

ConvTranspose1d, ConvTranspose2d, ConvTranspose3d = _transposed(1), _transposed(2), _transposed(3)

def _instance(rank):
    class InstanceNorm(nn.Module):
        def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None, bias=True):
            super().__init__()
            self.num_features, self.eps = num_features, eps
            self.track_running_stats = track_running_stats
            self.weight = nn.Parameter(torch.ones(num_features, dtype=dtype)) if affine else None
            self.bias = nn.Parameter(torch.zeros(num_features, dtype=dtype)) if affine and bias else None
        def forward(self, input):
            normalise = F._instance_norm2d if rank == 2 else F.instance_norm
            options = {"use_input_stats": False} if self.track_running_stats and not self.training else {}
            if self.weight is None:
                return normalise(input, eps=self.eps, **options)
            bias = torch.zeros_like(self.weight) if self.bias is None else self.bias
            return normalise(input, weight=self.weight, bias=bias, eps=self.eps, **options)
    return InstanceNorm

InstanceNorm1d, InstanceNorm2d, InstanceNorm3d = _instance(1), _instance(2), _instance(3)
