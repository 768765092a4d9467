# Functions of mindspore.mint.nn.functional (2.10) by the primitives that they are compiled to.


def softmax(input, dim=None, dtype=None):
    return P.Softmax(_usual_dim(input.ndim) if dim is None else dim)(input)


def _usual_dim(rank):
    return 0 if rank in (0, 1, 3) else 1


def log_softmax(input, dim=None, dtype=None):
    return P.LogSoftmaxExt()(input, dim, dtype)


def leaky_relu(input, negative_slope=0.01):
    return P.LeakyReLUExt()(input, negative_slope)


def elu(input, alpha=1.0, inplace=False):
    return P.EluExt()(input, alpha)


def softplus(input, beta=1, threshold=20):
    return P.SoftplusExt()(input, beta, threshold)


def hardshrink(input, lambd=0.5):
    return P.HShrink(lambd)(input)


def softshrink(input, lambd=0.5):
    return P.SoftShrink(lambd)(input)


def linear(input, weight, bias=None):
    return P.Dense()(input, weight) if bias is None else P.Dense()(input, weight, bias)


def mse_loss(input, target, reduction="mean"):
    return P.MSELossExt()(input, target, reduction)


def l1_loss(input, target, reduction="mean"):
    return P.L1LossExt()(input, target, reduction)


def clamp(input, min=None, max=None):
    return _clamp(input, min, max)


def flatten(input, start_dim=0, end_dim=-1):
    return P.FlattenExt()(input, start_dim, end_dim)


def broadcast_to(input, shape):
    return P.BroadcastTo(tuple(shape))(input)


def adaptive_avg_pool2d(input, output_size):
    return P.AdaptiveAvgPool2DExt()(input, output_size)


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False):
    return P.Embedding()(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq)


def prelu(input, weight):
    return P.PReLU()(input, weight)


def dropout(input, p=0.5, training=True, inplace=False):
    if not training:
        return input
    return P.DropoutExt()(input, p, _made(1, "int64", 0), _made(1, "int64", 0))[0]


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    return _layer_norm(input, normalized_shape, weight, bias, eps)


def normalize(input, p=2.0, dim=1, eps=1e-12):
    length = _clamp(P.LinalgVectorNorm()(input, p, dim, True), eps, None)
    return P.Div()(input, P.BroadcastTo(tuple(input.shape))(length))


def one_hot(tensor, num_classes=-1):
    return P.OneHotExt(-1)(tensor, num_classes, 1, 0)


def pad(input, pad, mode="constant", value=0.0):
    sides = tuple(pad)
    if mode == "constant":
        return P.ConstantPadND()(input, sides, value)
    if mode == "reflect" and len(sides) == 2:
        return P.ReflectionPad1D()(input, sides)
    if mode == "reflect" and len(sides) == 4:
        return P.ReflectionPad2D()(input, sides)
    if mode == "replicate" and len(sides) == 2:
        return P.ReplicationPad1D()(input, sides)
    if mode == "replicate" and len(sides) == 4:
        return P.ReplicationPad2D()(input, sides)
    return P.unread("pad")


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, *, ceil_mode=False, return_indices=False):
    found = P.MaxPoolWithMask()(input, kernel_size, stride, padding, dilation, ceil_mode)
    return found if return_indices else found[0]


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    return P.AvgPool2D()(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    return P.AvgPool1D()(input, kernel_size, stride, padding, ceil_mode, count_include_pad)


def adaptive_avg_pool1d(input, output_size):
    return P.AdaptiveAvgPool1D()(input, output_size)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    return P.Im2ColExt()(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    if isinstance(padding, str):
        return P.unread("conv2d")
    return P.Conv2DExt()(input, weight, bias, stride, padding, dilation, groups)


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    if isinstance(padding, str):
        return P.unread("conv1d")
    return P.Conv1DExt()(input, weight, bias, stride, padding, dilation, groups)


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    if size is None and scale_factor is None:
        return P.unread("interpolate")
    rank, sizes = input.ndim, _scaled(input, size, scale_factor)
    if mode == "nearest" and rank == 3:
        return P.UpsampleNearest1D()(input, sizes, None)
    if mode == "nearest" and rank == 4:
        return P.UpsampleNearest2D()(input, sizes, None)
    if mode == "linear" and rank == 3:
        return P.UpsampleLinear1D()(input, sizes, None, align_corners is True)
    if mode == "bilinear" and rank == 4:
        return P.UpsampleBilinear2D()(input, sizes, None, align_corners is True)
    if mode == "bicubic" and rank == 4:
        return P.UpsampleBicubic2D()(input, sizes, None, align_corners is True)
    return P.unread("interpolate")


def threshold(input, threshold, value, inplace=False):
    return P.Threshold()(input, threshold, value)


def glu(input, dim=-1):
    return P.GLU()(input, dim)


def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    return P.SmoothL1Loss(beta, reduction)(input, target)


def kl_div(input, target, reduction="mean", log_target=False):
    if reduction == "batchmean":
        return P.Divs()(P.KLDiv("sum")(input, target), input.shape[0])
    return P.KLDiv(reduction)(input, target)


def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    return P.BCEWithLogitsLoss(reduction)(input, target, weight, pos_weight)


def pixel_shuffle(input, upscale_factor):
    return _shuffled(input, upscale_factor)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    if input.ndim != 4:
        return P.unread("grid_sample")
    return P.GridSampler2D()(input, grid, mode, padding_mode, align_corners)


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    return P.unread("binary_cross_entropy") if weight is not None else P.BinaryCrossEntropy(reduction)(input, target, None)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    return _group_norm(input, num_groups, weight, bias, eps)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    return P.BatchNormExt()(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    if input.ndim != 2:
        return P.unread("nll_loss")
    weight = _made(input.shape[1], None, 1) if weight is None else weight
    return P.NLLLoss()(input, target, weight, reduction, ignore_index)[0]


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    class_dim = 0 if input.ndim == 1 else 1
    logarithms = P.LogSoftmaxExt()(input, class_dim, input.dtype)
    if target.dtype in ("float32", "float16", "bfloat16"):
        return _of_probabilities(logarithms, target, weight, reduction, label_smoothing)
    return nll_loss(logarithms, target, weight, ignore_index, reduction) if label_smoothing == 0 else P.unread("cross_entropy")


def _of_probabilities(logarithms, target, weight, reduction, label_smoothing):
    if weight is not None or label_smoothing > 0:
        return P.unread("cross_entropy")
    loss = P.Mul()(logarithms, target)
    if reduction == "none":
        return P.Neg()(P.SumExt()(loss, 0 if loss.ndim == 1 else 1))
    return P.Neg()(P.SumExt()(loss) if reduction == "sum" else P.Div()(P.SumExt()(loss), 2.0))


def dropout2d(input, p=0.5, training=True):
    return P.unread("dropout2d") if training else input
