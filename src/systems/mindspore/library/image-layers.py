# Layers of images of `mindspore.nn` by the signatures of 2.10, as the primitives that it compiles them to.
import mindspore._function_primitives as P
from mindspore import Parameter, nn, ops
from mindspore._training import open_size
from mindspore.common.initializer import initializer

def _sized(layer, name, size):
    return open_size(layer, name) if size is None else size

def _pair(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)

class PixelShuffle(nn.Cell):
    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor
    def construct(self, input):
        return ops.pixel_shuffle(input, self.upscale_factor)

class PixelUnshuffle(nn.Cell):
    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor
    def construct(self, input):
        return ops.pixel_unshuffle(input, self.downscale_factor)

class AdaptiveAvgPool1d(nn.Cell):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size
    def construct(self, input):
        return ops.adaptive_avg_pool1d(input, self.output_size)

class AdaptiveMaxPool1d(nn.Cell):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size
    def construct(self, x):
        return ops.adaptive_max_pool1d(x, self.output_size)

class AdaptiveAvgPool3d(nn.Cell):
    def __init__(self, output_size):
        super().__init__()
        self.adaptive_avg_pool3d = P.AdaptiveAvgPool3D(output_size)
    def construct(self, input):
        return self.adaptive_avg_pool3d(input)

class GroupNorm(nn.Cell):
    def __init__(self, num_groups=None, num_channels=None, eps=1e-05, affine=True, gamma_init="ones", beta_init="zeros", dtype=None):
        super().__init__()
        num_channels = _sized("GroupNorm", "num_channels", num_channels)
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.gamma = Parameter(initializer(gamma_init, (num_channels,), dtype), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, (num_channels,), dtype), name="beta", requires_grad=affine)
    def construct(self, x):
        return ops.group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)

class _InstanceNorm(nn.Cell):
    def __init__(self, num_features=None, eps=1e-05, momentum=0.1, affine=True, gamma_init="ones", beta_init="zeros", dtype=None):
        super().__init__()
        num_features = _sized("InstanceNorm", "num_features", num_features)
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.moving_mean = Parameter(initializer("zeros", (num_features,), dtype), name="mean", requires_grad=False)
        self.moving_variance = Parameter(initializer("ones", (num_features,), dtype), name="variance", requires_grad=False)
        self.gamma = Parameter(initializer(gamma_init, (num_features,), dtype), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, (num_features,), dtype), name="beta", requires_grad=affine)
        self.instance_bn = P.InstanceNorm(eps, momentum)
    def construct(self, x):
        if x.ndim != self.rank:
            raise ValueError(f"the input of this layer has {self.rank} dims, not {x.ndim}")
        return self.instance_bn(x, self.gamma, self.beta, self.moving_mean, self.moving_variance)[0]

class InstanceNorm1d(_InstanceNorm):
    rank = 3

class InstanceNorm2d(_InstanceNorm):
    rank = 4

class InstanceNorm3d(_InstanceNorm):
    rank = 5

class _ConstantPad(nn.Cell):
    def __init__(self, padding, value):
        super().__init__()
        self.padding = (padding,) * self.sides if isinstance(padding, int) else padding
        self.value = value
    def construct(self, x):
        return ops.pad(x, self.padding, "constant", self.value)

class ConstantPad1d(_ConstantPad):
    sides = 2

class ConstantPad2d(_ConstantPad):
    sides = 4

class ConstantPad3d(_ConstantPad):
    sides = 6

class ZeroPad2d(ConstantPad2d):
    def __init__(self, padding):
        super().__init__(padding, 0)

class _MirrorPad(nn.Cell):
    def __init__(self, padding):
        super().__init__()
        self.padding = (padding,) * self.sides if isinstance(padding, int) else padding
    def construct(self, x):
        sizes = list(x.shape)
        for side, more in enumerate(self.padding):
            sizes[-1 - side // 2] += more
        return P.MirrorPad("REFLECT")(x, P.constant((x.ndim, 2), "int64", None), tuple(sizes))

class ReflectionPad1d(_MirrorPad):
    sides = 2

class ReflectionPad2d(_MirrorPad):
    sides = 4

class Pad(nn.Cell):
    def __init__(self, paddings, mode="CONSTANT"):
        super().__init__()
        self.paddings, self.mode = paddings, mode
        self.pad = P.Pad(paddings) if mode == "CONSTANT" else P.MirrorPad(mode)
    def construct(self, x):
        if self.mode == "CONSTANT":
            return self.pad(x)
        sizes = tuple([size + sum(ends) for size, ends in zip(x.shape, self.paddings)])
        return self.pad(x, P.constant((x.ndim, 2), "int64", None), sizes)

class Dropout2d(nn.Cell):
    def __init__(self, p=0.5):
        super().__init__()
        self.keep_prob = 1.0 - p
        self.dropout2d = P.Dropout2D(self.keep_prob)
    def construct(self, x):
        return x if self.keep_prob == 1 else self.dropout2d(x)[0]

class Dropout3d(nn.Cell):
    def __init__(self, p=0.5):
        super().__init__()
        self.keep_prob = 1.0 - p
        self.dropout3d = P.Dropout3D(self.keep_prob)
    def construct(self, x):
        if x.ndim != 5:
            raise ValueError(f"Dropout3D takes tensors of 5 dims, not {x.ndim}")
        return x if self.keep_prob == 1 else self.dropout3d(x)[0]

class Softmax2d(nn.Cell):
    def __init__(self):
        super().__init__()
        self.softmax = P.Softmax(-3)
    def construct(self, x):
        return self.softmax(x)

class Conv1d(nn.Cell):
    def __init__(self, in_channels=None, out_channels=None, kernel_size=1, stride=1, pad_mode="same", padding=0, dilation=1, group=1, has_bias=False, weight_init=None, bias_init=None, dtype=None):
        super().__init__()
        in_channels, out_channels = _sized("Conv1d", "in_channels", in_channels), _sized("Conv1d", "out_channels", out_channels)
        self.in_channels, self.out_channels, self.has_bias, self.bias = in_channels, out_channels, has_bias, None
        self.kernel_size, self.stride, self.dilation, self.group = (1, kernel_size), (1, stride), (1, dilation), group
        self.pad_mode, self.padding = pad_mode, (0, 0, padding, padding)
        self.weight = Parameter(initializer("normal", (out_channels, in_channels // group, 1, kernel_size), dtype), name="weight")
        self.conv2d = P.Conv2D(out_channels, (1, kernel_size), 1, pad_mode, (0, 0, padding, padding), (1, stride), (1, dilation), group)
        self.expand_dims, self.squeeze = P.ExpandDims(), P.Squeeze(2)
        if has_bias:
            self.bias = Parameter(initializer("zeros", (out_channels,), dtype), name="bias")
            self.bias_add = P.BiasAdd()
    def construct(self, x):
        made = self.conv2d(self.expand_dims(x, 2), self.weight)
        return self.squeeze(self.bias_add(made, self.bias) if self.has_bias else made)

class Conv2dTranspose(nn.Cell):
    def __init__(self, in_channels=None, out_channels=None, kernel_size=1, stride=1, pad_mode="same", padding=0, output_padding=0, dilation=1, group=1, has_bias=False, weight_init=None, bias_init=None, dtype=None):
        super().__init__()
        in_channels, out_channels = _sized("Conv2dTranspose", "in_channels", in_channels), _sized("Conv2dTranspose", "out_channels", out_channels)
        self.in_channels, self.out_channels, self.has_bias, self.bias, self.group = in_channels, out_channels, has_bias, None, group
        self.kernel_size, self.stride, self.dilation = _pair(kernel_size), _pair(stride), _pair(dilation)
        self.pad_mode, self.padding, self.output_padding = pad_mode, padding, output_padding
        self.weight = Parameter(initializer("normal", (in_channels, out_channels // group, *self.kernel_size), dtype), name="weight")
        self.conv2d_transpose = P.Conv2DTranspose(in_channels, self.kernel_size, pad_mode, padding, None, 1, self.stride, self.dilation, group)
        if has_bias:
            self.bias = Parameter(initializer("zeros", (out_channels,), dtype), name="bias")
            self.bias_add = P.BiasAdd()
    def shard(self, strategy):
        self.conv2d_transpose.shard(strategy)
        return self
    def length(self, size, at):
        span = self.dilation[at] * (self.kernel_size[at] - 1) + 1
        if self.pad_mode == "same":
            return size * self.stride[at]
        if self.pad_mode == "valid":
            return size * self.stride[at] + max(span - self.stride[at], 0)
        ends = self.padding * 2 if isinstance(self.padding, int) else sum(self.padding[2 * at : 2 * at + 2])
        return size * self.stride[at] - ends + span - self.stride[at]
    def construct(self, x):
        sizes = (x.shape[0], self.out_channels, self.length(x.shape[2], 0), self.length(x.shape[3], 1))
        made = self.conv2d_transpose(x, self.weight, sizes)
        made = self.bias_add(made, self.bias) if self.has_bias else made
        return P.unread("Conv2dTranspose") if self.output_padding not in (0, (0, 0)) else made
