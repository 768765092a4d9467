# Layers of `mindspore.mint.nn` by the signatures of 2.10, as the primitives that it compiles them to.
import mindspore._function_primitives as P
from mindspore import Parameter, nn
from mindspore._training import open_size
from mindspore.common.initializer import initializer
from mindspore.mint.nn import functional as F

def _sized(layer, name, size):
    return open_size(layer, name) if size is None else size

class GELU(nn.Cell):
    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate
    def construct(self, input):
        return F.gelu(input, approximate=self.approximate)

class ELU(nn.Cell):
    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha = alpha
    def construct(self, input):
        return F.elu(input, self.alpha)

class Mish(nn.Cell):
    def construct(self, input):
        return F.mish(input)

class SELU(nn.Cell):
    def construct(self, input):
        return F.selu(input)

class LogSigmoid(nn.Cell):
    def construct(self, input):
        return F.logsigmoid(input)

class AdaptiveAvgPool2d(nn.Cell):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size
    def construct(self, input):
        return F.adaptive_avg_pool2d(input, self.output_size)

class LayerNorm(nn.Cell):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.weight = Parameter(initializer("ones", self.normalized_shape, dtype), name="weight") if elementwise_affine else None
        self.bias = Parameter(initializer("zeros", self.normalized_shape, dtype), name="bias") if elementwise_affine and bias else None
    def construct(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

class KLDivLoss(nn.Cell):
    def __init__(self, reduction="mean", log_target=False):
        super().__init__()
        self.reduction, self.log_target = reduction, log_target
    def construct(self, input, target):
        return F.kl_div(input, target, self.reduction, self.log_target)

class ReLU6(nn.Cell):
    def __init__(self, inplace=False):
        super().__init__()
    def construct(self, input):
        return F.relu6(input)

class Hardtanh(nn.Cell):
    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False):
        super().__init__()
        self.min_val, self.max_val = min_val, max_val
    def construct(self, input):
        return F.hardtanh(input)

class Hardswish(nn.Cell):
    def construct(self, input):
        return F.hardswish(input)

class Hardsigmoid(nn.Cell):
    def construct(self, input):
        return F.hardsigmoid(input)

class Hardshrink(nn.Cell):
    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd
    def construct(self, input):
        return F.hardshrink(input, self.lambd)

class Softshrink(nn.Cell):
    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd
    def construct(self, input):
        return F.softshrink(input, self.lambd)

class Softmax(nn.Cell):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim
    def construct(self, input):
        return F.softmax(input, self.dim)

class LogSoftmax(nn.Cell):
    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim
        self.log_softmax = P.LogSoftmaxExt()
    def construct(self, logits):
        return self.log_softmax(logits, self.dim, None)

class Flatten(nn.Cell):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim
    def construct(self, input):
        return F.flatten(input, self.start_dim, self.end_dim)

class Identity(nn.Cell):
    def __init__(self, *args, **kwargs):
        super().__init__()
    def construct(self, input):
        return input

class Dropout(nn.Cell):
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.p = p
    def construct(self, input):
        return input if self.p == 0 else F.dropout(input, self.p)

class Linear(nn.Cell):
    def __init__(self, in_features=None, out_features=None, bias=True, weight_init=None, bias_init=None, dtype=None):
        super().__init__()
        in_features, out_features = _sized("Linear", "in_features", in_features), _sized("Linear", "out_features", out_features)
        self.in_features, self.out_features, self.has_bias = in_features, out_features, bias
        self.dense = P.Dense()
        self.weight = Parameter(initializer("normal", (out_features, in_features), dtype), name="weight")
        self.bias = Parameter(initializer("zeros", (out_features,), dtype), name="bias") if bias else None
    def construct(self, x):
        return self.dense(x, self.weight) if self.bias is None else self.dense(x, self.weight, self.bias)

class Embedding(nn.Cell):
    def __init__(self, num_embeddings=None, embedding_dim=None, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, dtype=None):
        super().__init__()
        num_embeddings, embedding_dim = _sized("Embedding", "num_embeddings", num_embeddings), _sized("Embedding", "embedding_dim", embedding_dim)
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.settings = (padding_idx, max_norm, norm_type, scale_grad_by_freq)
        self.weight = Parameter(initializer("normal", (num_embeddings, embedding_dim), dtype), name="weight")
    def construct(self, input):
        return F.embedding(input, self.weight, *self.settings)

class MSELoss(nn.Cell):
    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction
    def construct(self, input, target):
        return F.mse_loss(input, target, self.reduction)

class L1Loss(nn.Cell):
    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction
    def construct(self, input, target):
        return F.l1_loss(input, target, self.reduction)


class CrossEntropyLoss(nn.Cell):
    def __init__(self, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
        super().__init__()
        self.settings = (weight, ignore_index, reduction, label_smoothing)

    def construct(self, input, target):
        return F.cross_entropy(input, target, *self.settings)


class NLLLoss(nn.Cell):
    def __init__(self, weight=None, ignore_index=-100, reduction="mean"):
        super().__init__()
        self.settings = (weight, ignore_index, reduction)

    def construct(self, input, target):
        return F.nll_loss(input, target, *self.settings)

class AdaptiveAvgPool1d(nn.Cell):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size
    def construct(self, input):
        return F.adaptive_avg_pool1d(input, self.output_size)

class MaxPool2d(nn.Cell):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size, self.stride, self.padding, self.dilation = kernel_size, stride, padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode
    def construct(self, input):
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode, return_indices=self.return_indices)

class AvgPool2d(nn.Cell):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding
        self.ceil_mode, self.count_include_pad, self.divisor_override = ceil_mode, count_include_pad, divisor_override
    def construct(self, input):
        return F.avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad, self.divisor_override)

class Upsample(nn.Cell):
    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor
    def construct(self, input):
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)

class GroupNorm(nn.Cell):
    def __init__(self, num_groups, num_channels=None, eps=1e-05, affine=True, dtype=None):
        super().__init__()
        num_channels = _sized("GroupNorm", "num_channels", num_channels)
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.weight = Parameter(initializer("ones", (num_channels,), dtype), name="weight", requires_grad=affine)
        self.bias = Parameter(initializer("zeros", (num_channels,), dtype), name="bias", requires_grad=affine)
    def construct(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

class Conv2d(nn.Cell):
    def __init__(self, in_channels=None, out_channels=None, kernel_size=1, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros", dtype=None):
        super().__init__()
        in_channels, out_channels = _sized("Conv2d", "in_channels", in_channels), _sized("Conv2d", "out_channels", out_channels)
        self.in_channels, self.out_channels = in_channels, out_channels
        self.stride, self.padding, self.dilation, self.groups = stride, padding, dilation, groups
        kernel = tuple(kernel_size) if isinstance(kernel_size, (tuple, list)) else (kernel_size, kernel_size)
        self.weight = Parameter(initializer("normal", (out_channels, in_channels // groups, *kernel), dtype), name="weight")
        self.bias = Parameter(initializer("zeros", (out_channels,), dtype), name="bias") if bias else None
    def construct(self, input):
        return F.conv2d(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)

class BCEWithLogitsLoss(nn.Cell):
    def __init__(self, weight=None, reduction="mean", pos_weight=None):
        super().__init__()
        self.settings = (weight, reduction, pos_weight)
    def construct(self, input, target):
        return F.binary_cross_entropy_with_logits(input, target, *self.settings)
