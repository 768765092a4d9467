"""Writes the dtypes that PyTorch gives the results of its functions, over dtypes of their operands.

Usage: python engines/record_result_dtypes.py src/systems/torch/library/result-dtypes.json

A form is an expression in which letters stand for operands. The first two letters that vary take every dtype (a
number `n` is an int, a float and a bool); a third takes the dtype of the second. Of each form a word per combination,
the last letter running fastest: the dtypes of its results, joined by commas, or `!` where PyTorch refuses.

The CPU answers; where it only lacks a kernel for half precision, or minds the values, the shapes alone are asked on a
GPU that is not there. Under `autocast` the same GPU answers for "cuda", and the CPU for "cpu".
"""

import json
import logging
import re
import sys
import warnings

import torch
import torch.nn.functional as F
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

DTYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, "f64": torch.float64,
          "i64": torch.int64, "i32": torch.int32, "u8": torch.uint8, "bool": torch.bool}
SHORT = {**{dtype: name for name, dtype in DTYPES.items()}, torch.int16: "i16", torch.int8: "i8",
         torch.complex64: "c64", torch.complex128: "c128", torch.complex32: "c32"}
NUMBERS = {"int": 2, "float": 1.5, "flag": True}
# Letters that vary, with their shapes; those that do not.
SHAPES = {"x": (4, 4), "y": (4, 4), "z": (4, 4), "u": (4,), "v": (4,), "q": (), "a": (2, 4, 4), "b": (2, 4, 4), "c": (2, 4, 4),
          "l": (2, 4, 8), "kl": (4, 4, 3), "p": (2, 4, 8, 8), "k": (4, 4, 3, 3), "o": (2, 4, 4, 4, 4), "ko": (4, 4, 2, 2, 2), "h": (4, 4, 4)}
FIXED = {"i": ((4, 4), "i64"), "t": ((4,), "i64"), "m": ((4, 4), "bool"), "f": ((4, 4), "f32")}

UNARY = """
abs absolute neg negative sign sgn floor ceil round trunc fix frac exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal square
tanh sigmoid erf erfc erfinv sin cos tan asin acos atan sinh cosh asinh acosh atanh arccos arccosh arcsin arcsinh arctan arctanh relu
clone detach isnan isinf isfinite isneginf isposinf isreal signbit logical_not bitwise_not nan_to_num deg2rad rad2deg positive digamma lgamma i0 conj
angle logit sinc conj_physical resolve_conj resolve_neg selu celu_ alias_copy detach_copy
zeros_like ones_like empty_like rand_like randn_like t ravel flatten fliplr flipud rot90 squeeze tril triu diag diagonal trace msort
sum mean prod std var median nanmedian nansum nanmean all any count_nonzero amax amin max min argmax argmin argsort aminmax var_mean std_mean sort nonzero argwhere unique
inverse pinverse logdet slogdet det cholesky qr svd matrix_exp cov corrcoef histc softmax_
numel_ special_ diag_embed diagflat atleast_1d atleast_2d atleast_3d
""".split()
SPECIAL = "digamma entr erf erfc erfcx erfinv exp2 expit expm1 gammaln i0 i0e i1 i1e log1p log_ndtr logit ndtr ndtri psi round sinc".split()
ACTIVATIONS = """relu relu6 leaky_relu elu gelu silu mish softplus hardswish hardsigmoid hardtanh selu celu softsign tanhshrink hardshrink softshrink logsigmoid
rrelu sigmoid tanh glu dropout alpha_dropout dropout1d normalize""".split()
BINARY = """add sub mul div true_divide divide multiply subtract rsub pow maximum minimum fmax fmin floor_divide remainder fmod atan2 arctan2 logical_and logical_or logical_xor
bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift eq ne not_equal lt le gt ge less less_equal greater greater_equal logaddexp logaddexp2 hypot copysign
heaviside nextafter gcd lcm igamma igammac ldexp float_power xlogy isclose matmul mm dist isin kron""".split()
OPERATORS = "+ - * / // % ** @ < <= > >= == != & | ^ << >>".split()
LOSSES = "mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy_with_logits kl_div poisson_nll_loss soft_margin_loss hinge_embedding_loss multilabel_soft_margin_loss".split()

FORMS = [
    *[f"torch.{name}(x)" for name in UNARY if not name.endswith("_") and name not in ("det", "softmax_")],
    *[f"torch.special.{name}(x)" for name in SPECIAL],
    *[f"torch.special.{name}(x, y)" for name in ("xlog1py", "zeta", "xlogy", "gammainc", "gammaincc")],
    *[f"F.{name}(x)" for name in ACTIVATIONS],
    *[f"torch.{name}(x, y)" for name in BINARY],
    *[f"x {op} y" for op in OPERATORS],
    *[f"x {op} n" for op in OPERATORS if op != "@"],
    *[f"n {op} x" for op in OPERATORS if op not in ("@", "&", "|", "^", "<<", ">>")],
    *[f"x {op} q" for op in ("+", "-", "*", "/", "//", "**", ">", "==")], *[f"q {op} x" for op in ("+", "*", "/", "**")],
    "-x", "~x", "abs(x)", "torch.add(x, y, alpha=2)", "torch.add(x, n)", "torch.div(x, y, rounding_mode='floor')", "torch.div(x, y, rounding_mode='trunc')", "torch.maximum(x, q)", "torch.where(m, x, y)",
    "torch.where(m, x, n)", "torch.where(m, n, x)", "torch.where(m, x, q)", "torch.masked_fill(x, m, 1)", "x.masked_fill(m, 1.5)", "torch.lerp(x, y, 0.5)", "torch.lerp(x, y, z)", "torch.addcmul(x, y, z)", "torch.addcdiv(x, y, z)",
    "torch.clamp(x, min=n)", "torch.clamp(x, max=n)", "torch.clamp(x, 0, 1)", "torch.clamp(x, 0.5, 1)", "torch.clamp(x, min=y)", "torch.clip(x, 0, 1)", "torch.clamp_min(x, n)", "torch.clamp_max(x, n)",
    *[f"torch.{name}(x, dim=1)" for name in "sum mean prod std var amax amin argmax argmin all any softmax log_softmax logsumexp cumsum cumprod logcumsumexp max min median mode sort argsort cummax cummin norm aminmax count_nonzero nansum nanmean var_mean unbind".split() if name != "unbind"],
    *[f"x.{name}()" for name in "sum mean prod std var amax amin argmax argmin all any norm max min float half bfloat16 double int long bool short char byte contiguous clone exp abs sort nonzero".split()],
    *[f"torch.{name}(x, dim=1, dtype=torch.float32)" for name in "sum mean prod softmax log_softmax cumsum cumprod".split()],
    *[f"x.{name}(dim=-1, dtype=torch.bfloat16)" for name in "sum mean softmax cumsum".split()], "x.sum(dtype=torch.int32)", "torch.sum(x, dtype=torch.float64)", "torch.mean(x, dtype=torch.float64)", "torch.norm(x, dtype=torch.float32)",
    "F.softmax(x, dim=-1)", "F.log_softmax(x, dim=-1)", "F.softmin(x, dim=-1)", "F.gumbel_softmax(x, dim=-1)", "F.softmax(x, dim=-1, dtype=torch.float32)", "F.log_softmax(x, -1, dtype=torch.float64)", "x.softmax(-1)", "torch.special.softmax(x, 1)", "torch.special.log_softmax(x, 1)", "torch.special.logsumexp(x, 1)",
    "torch.topk(x, 2)", "x.topk(2)", "torch.kthvalue(x, 2)", "torch.quantile(x, 0.5)", "torch.nanquantile(x, 0.5)", "torch.searchsorted(x, y)", "torch.bucketize(x, u)", "torch.bincount(u)", "torch.bincount(t, u)", "torch.multinomial(x, 2)", "torch.bernoulli(x)", "torch.poisson(x)", "torch.searchsorted(u, x, out_int32=True)", "torch.bucketize(x, u, out_int32=True)",
    "torch.norm(x)", "torch.linalg.norm(x)", "torch.linalg.vector_norm(x)", "torch.linalg.matrix_norm(x)", "torch.renorm(x, 2, 0, 1.0)", "torch.trapezoid(x)", "torch.trapezoid(x, y)", "torch.diff(x)", "torch.cartesian_prod(u, v)", "torch.combinations(u)", "torch.vander(u)", "torch.block_diag(x, y)",
    "torch.linalg.svdvals(x)", "torch.linalg.eigvalsh(x)", "torch.linalg.eigh(x)", "torch.linalg.inv(x)", "torch.linalg.det(x)", "torch.linalg.cond(x)", "torch.linalg.matrix_rank(x)", "torch.linalg.solve(x, y)", "torch.linalg.solve_triangular(x, y, upper=True)", "torch.linalg.lu(x)", "torch.linalg.lu_factor(x)", "torch.linalg.inv_ex(x)", "torch.linalg.cholesky_ex(x)", "torch.linalg.qr(x)", "torch.linalg.svd(x)", "torch.linalg.slogdet(x)", "torch.linalg.pinv(x)", "torch.linalg.matrix_power(x, 2)", "torch.linalg.vecdot(x, y)", "torch.linalg.cross(x[:, :3], y[:, :3])", "torch.linalg.vander(u)", "torch.linalg.multi_dot([x, y])", "torch.linalg.diagonal(x)", "torch.matrix_power(x, 2)",
    "torch.bmm(a, b)", "torch.mv(x, v)", "torch.dot(u, v)", "torch.vdot(u, v)", "torch.inner(x, y)", "torch.outer(u, v)", "torch.ger(u, v)", "torch.addmm(x, y, z)", "torch.addmv(u, x, v)", "torch.addr(x, u, v)", "torch.baddbmm(a, b, c)", "torch.addbmm(x, b, c)", "torch.chain_matmul(x, y)", "torch.tensordot(x, y, 1)", "torch.einsum('ij,jk->ik', x, y)", "torch.einsum('ij->ji', x)", "torch.einsum('bij,bjk->bik', a, b)", "torch.cdist(x, y)", "F.pdist(x)", "torch.cross(x[:, :3], y[:, :3])", "F.linear(x, y)", "F.linear(x, y, v)", "F.bilinear(x, y, h)", "F.cosine_similarity(x, y)", "F.pairwise_distance(x, y)",
    "F.conv1d(l, kl)", "F.conv2d(p, k)", "F.conv2d(p, k, v)", "F.conv3d(o, ko)", "F.conv_transpose2d(p, k)", "F.conv_transpose1d(l, kl)", "F.max_pool2d(p, 2)", "F.avg_pool2d(p, 2)", "F.max_pool1d(l, 2)", "F.avg_pool1d(l, 2)", "F.adaptive_avg_pool2d(p, 2)", "F.adaptive_max_pool2d(p, 2)", "F.lp_pool2d(p, 2, 2)", "F.interpolate(p, scale_factor=2)", "F.interpolate(p, scale_factor=2, mode='bilinear')", "F.pixel_shuffle(p, 2)", "F.pixel_unshuffle(p, 2)", "F.unfold(p, 2)", "F.max_pool2d(p, 2, return_indices=True)", "F.local_response_norm(p, 2)", "F.channel_shuffle(p, 2)",
    "F.layer_norm(x, (4,))", "F.layer_norm(x, (4,), v, v)", "F.rms_norm(x, (4,))", "F.rms_norm(x, (4,), v)", "F.group_norm(p, 2)", "F.group_norm(p, 2, v, v)", "F.batch_norm(p, u, u, v, v, True)", "F.batch_norm(p, v, v)", "F.instance_norm(p)", "F.prelu(x, v)",
    "F.scaled_dot_product_attention(a, b, b)", "F.scaled_dot_product_attention(a, a, a, x)", "F.scaled_dot_product_attention(a, a, a, is_causal=True)",
    "F.embedding(i, x)", "F.embedding(x, f)", "F.embedding_bag(i, x)", "F.one_hot(x, 5)", "torch.gather(x, 1, i)", "torch.gather(f, 1, x)", "torch.index_select(x, 0, t)", "torch.take(x, i)", "torch.take_along_dim(x, i, 1)", "torch.scatter_add(x, 1, i, y)", "torch.scatter(x, 1, i, y)", "torch.scatter(x, 1, i, n)", "torch.scatter_reduce(x, 1, i, y, 'sum')", "torch.index_add(x, 0, t, y)", "torch.index_copy(x, 0, t, y)", "torch.index_fill(x, 0, t, 1)", "torch.masked_scatter(x, m, y)", "torch.masked_select(x, m)", "torch.select_scatter(x, v, 0, 0)", "x[t]", "x[m]", "x[0]", "x[:, 1:]", "x[i, t]",
    *[f"torch.{name}([x, y])" for name in "cat stack hstack vstack dstack column_stack concat concatenate row_stack".split()], "torch.cat([x, y, z])", "torch.stack([q, q])", "torch.chunk(x, 2)[0]", "torch.split(x, 2)[0]", "torch.tensor_split(x, 2)[0]", "torch.unbind(x)[0]", "torch.meshgrid(u, v, indexing='ij')", "torch.broadcast_tensors(x, v)",
    "x.reshape(16)", "x.view(2, 8)", "x.permute(1, 0)", "x.transpose(0, 1)", "x.T", "x.unsqueeze(0)", "x.expand(4, 4)", "x.repeat(2, 1)", "x.flip(0)", "x.roll(1, 0)", "torch.roll(x, 1)", "x.tile((2, 1))", "torch.repeat_interleave(x, 2)", "F.pad(x, (1, 1))", "torch.narrow(x, 0, 0, 2)", "torch.movedim(x, 0, 1)", "torch.swapaxes(x, 0, 1)", "torch.kron(x, y)", "x.view_as(y)", "x.type_as(y)", "x.to(y)", "x.to(torch.bfloat16)", "x.to(dtype=torch.float16)", "x.to('cpu', torch.float64)", "x.type(torch.int32)", "x.type('torch.DoubleTensor')", "x.view(torch.uint8)", "x.new_zeros(2)", "x.new_ones(2, dtype=torch.int64)", "x.new_tensor([1, 2])", "x.new_tensor([1.5])", "x.new_full((2,), 1)", "x.new_empty(2)",
    "torch.full_like(x, 1)", "torch.full_like(x, 1.5)", "torch.zeros_like(x, dtype=torch.float16)", "torch.randint_like(x, 5)", "torch.bernoulli(x, 0.5)", "torch.polygamma(1, x)", "torch.mvlgamma(x, 1)", "torch.frexp(x)", "torch.unique(x, return_inverse=True, return_counts=True)",
    "F.threshold(x, 0.5, 1)", "F.local_response_norm(l, 2)", "F.binary_cross_entropy(x, y)", *[f"F.{name}(x, y)" for name in LOSSES], "F.mse_loss(x, y, reduction='none')", "F.cross_entropy(x, t)", "F.cross_entropy(x, t, v)", "F.cross_entropy(f, u)", "F.nll_loss(x, t)", "F.cosine_embedding_loss(x, y, v)", "F.margin_ranking_loss(x, y, z)", "F.triplet_margin_loss(x, y, z)", "F.gaussian_nll_loss(x, y, z)", "F.multi_margin_loss(x, t)", "F.multilabel_margin_loss(x, i)",
    "torch.arange(n)", "torch.arange(0, n)", "torch.arange(0, 4, n)", "torch.tensor(n)", "torch.tensor([n, n])", "torch.full((2,), n)", "torch.zeros(2)", "torch.linspace(0, 1, 4)", "torch.logspace(0, 1, 4)", "torch.eye(4)", "torch.randint(0, 4, (2,))", "torch.randperm(4)", "torch.hann_window(4)", "torch.tril_indices(4, 4)", "torch.rand(2)", "torch.as_tensor(n)", "torch.as_tensor(x)", "torch.scalar_tensor(n)", "torch.normal(0.0, 1.0, (2,))", "torch.eye(4, dtype=torch.bool)", "torch.arange(4, dtype=torch.float16)", "torch.linspace(0, 1, 4, dtype=torch.float64)", "torch.full((2,), 1, dtype=torch.bfloat16)", "torch.as_tensor(x, dtype=torch.float16)", "torch.tensor(1, dtype=torch.float32)", "torch.tensor(q)", "torch.ones(2, dtype=torch.long)", "torch.empty(2, dtype=torch.half)",
    "nn.Linear(4, 4)(x)", "nn.Linear(4, 4, dtype=torch.bfloat16)(x)", "nn.LayerNorm(4)(x)", "nn.LayerNorm(4, dtype=torch.bfloat16)(x)", "nn.RMSNorm(4)(x)", "nn.RMSNorm(4, dtype=torch.bfloat16)(x)", "nn.Embedding(4, 4, dtype=torch.float16)(i)", "nn.Linear(4, 4).to(torch.bfloat16)(x)", "nn.Linear(4, 4).half()(x)", "nn.Sequential(nn.Linear(4, 4), nn.GELU(), nn.LayerNorm(4)).double()(x)", "nn.Conv2d(4, 4, 3, dtype=torch.bfloat16)(p)", "nn.BatchNorm2d(4)(p)", "nn.GroupNorm(2, 4)(p)", "nn.Softmax(-1)(x)", "nn.GELU()(x)", "nn.Dropout(0.5)(x)", "nn.CrossEntropyLoss()(x, t)", "nn.MSELoss()(x, y)", "nn.LSTM(4, 4, dtype=torch.float64)(x)[0]", "nn.GRU(4, 4).bfloat16()(x)[0]", "nn.MultiheadAttention(4, 2, dtype=torch.float64)(x, x, x)[0]", "nn.Bilinear(4, 4, 4)(x, x)", "nn.PReLU()(x)",
]

AUTOCAST = [
    "F.linear(x, y)", "F.linear(x, y, v)", "x @ y", "torch.matmul(x, y)", "torch.mm(x, y)", "torch.bmm(a, b)", "torch.addmm(x, y, z)", "torch.baddbmm(a, b, c)", "torch.mv(x, v)", "torch.einsum('ij,jk->ik', x, y)", "F.conv1d(l, kl)", "F.conv2d(p, k)", "F.conv2d(p, k, v)", "F.conv_transpose2d(p, k)", "F.scaled_dot_product_attention(a, b, b)", "F.prelu(x, v)", "torch.linalg.multi_dot([x, y])", "torch.addbmm(x, b, c)", "torch.addmv(u, x, v)", "torch.addr(x, u, v)", "torch.chain_matmul(x, y)", "torch.outer(u, v)", "torch.inner(x, y)", "torch.linalg.vecdot(x, y)",
    *[f"torch.{name}(x)" for name in "exp log log2 log10 log1p expm1 sqrt rsqrt reciprocal sinh cosh tan asin acos sin cos tanh sigmoid abs neg relu erf erfinv square sum mean prod norm var std isnan amax argmax logit".split()],
    *[f"F.{name}(x)" for name in "gelu silu relu softplus mish elu hardswish leaky_relu dropout logsigmoid glu normalize".split()],
    "F.softmax(x, dim=-1)", "F.log_softmax(x, dim=-1)", "F.softmin(x, dim=-1)", "torch.cumsum(x, 1)", "torch.cumprod(x, 1)", "torch.logsumexp(x, 1)", "F.layer_norm(x, (4,))", "F.layer_norm(x, (4,), v, v)", "F.rms_norm(x, (4,))", "F.rms_norm(x, (4,), v)", "F.group_norm(p, 2)", "F.group_norm(p, 2, v, v)", "F.batch_norm(p, u, u, v, v, True)", "F.instance_norm(p)", "F.softmax(x, dim=-1, dtype=torch.float64)", "torch.sum(x, dtype=torch.bfloat16)", "torch.topk(x, 2)", "x.sort()",
    "F.mse_loss(x, y)", "F.l1_loss(x, y)", "F.smooth_l1_loss(x, y)", "F.huber_loss(x, y)", "F.kl_div(x, y)", "F.cross_entropy(x, t)", "F.nll_loss(x, t)", "F.binary_cross_entropy_with_logits(x, y)", "F.binary_cross_entropy(x, y)", "F.cosine_similarity(x, y)", "F.cosine_embedding_loss(x, y, v)", "F.poisson_nll_loss(x, y)", "F.soft_margin_loss(x, y)", "F.hinge_embedding_loss(x, y)", "F.multi_margin_loss(x, t)", "F.triplet_margin_loss(x, y, z)", "F.margin_ranking_loss(x, y, z)", "torch.cdist(x, y)", "F.pdist(x)", "torch.dist(x, y)", "torch.renorm(x, 2, 0, 1.0)", "F.pairwise_distance(x, y)", "F.linear_cross_entropy(x, y, t)",
    "x + y", "x * y", "x / y", "x ** y", "x ** 2", "2 ** x", "1 / x", "torch.pow(x, 2)", "x - y", "torch.maximum(x, y)", "torch.where(m, x, y)", "x > y", "torch.cat([x, y])", "torch.stack([x, y])", "torch.addcmul(x, y, z)", "torch.addcdiv(x, y, z)", "torch.atan2(x, y)", "torch.cross(x[:, :3], y[:, :3])", "torch.dot(u, v)", "torch.vdot(u, v)", "torch.tensordot(x, y, 1)", "F.bilinear(x, y, h)", "torch.scatter_add(x, 1, i, y)", "torch.index_copy(x, 0, t, y)", "torch.lerp(x, y, 0.5)", "torch.fmod(x, y)", "torch.ger(u, v)",
    "F.embedding(i, x)", "F.avg_pool2d(p, 2)", "F.max_pool2d(p, 2)", "F.adaptive_avg_pool2d(p, 2)", "F.interpolate(p, scale_factor=2)", "F.interpolate(p, scale_factor=2, mode='bilinear')", "F.pixel_shuffle(p, 2)", "F.pad(x, (1, 1))", "x.float()", "x.half()", "x.mean(-1)", "x.norm()", "torch.linalg.norm(x)", "torch.linalg.vector_norm(x)", "torch.linalg.matrix_norm(x)", "x.sum(-1)", "x.masked_fill(m, 0)", "x.reshape(16)", "x.type_as(y)", "torch.quantile(x, 0.5)", "torch.trace(x)", "torch.median(x)", "torch.linalg.inv(x)", "torch.linalg.det(x)", "torch.linalg.qr(x)", "torch.linalg.svdvals(x)", "torch.cholesky(x)", "torch.inverse(x)", "torch.matrix_exp(x)", "torch.mode(x)", "F.lp_pool2d(p, 2, 2)", "F.local_response_norm(p, 2)",
    "nn.Linear(4, 4)(x)", "nn.Conv2d(4, 4, 3)(p)", "nn.LayerNorm(4)(x)", "nn.RMSNorm(4)(x)", "nn.Embedding(4, 4)(i)", "nn.BatchNorm2d(4)(p)", "nn.GELU()(nn.Linear(4, 4)(x))", "nn.MultiheadAttention(4, 2)(x, x, x)[0]", "nn.LSTM(4, 4)(x)[0]",
]


def letters_in(form):
    words = dict.fromkeys(re.findall(r"(?<![\w.'])([a-z]+)\b(?![\w('])", form))
    return [w for w in words if w in SHAPES or w == "n"]


def made(shape, dtype, device):
    value = torch.full(shape, 0.5 if dtype.is_floating_point else 1, dtype=dtype, device=device)
    if len(shape) == 2 and dtype.is_floating_point:
        value = (value + torch.eye(shape[0], device=device) * 0.25).to(dtype)
    return value


def operands(letters, chosen, device):
    env = {name: made(shape, DTYPES[dtype], device) for name, (shape, dtype) in FIXED.items()}
    for letter, dtype in zip(letters, chosen):
        env[letter] = NUMBERS[dtype] if letter == "n" else made(SHAPES[letter], DTYPES[dtype], device)
    return env


def said(value):
    if isinstance(value, torch.Tensor):
        return SHORT[value.dtype]
    if isinstance(value, (tuple, list)):
        return ",".join(said(each) for each in value)
    return "?"


def run(form, letters, chosen, device, autocast):
    names = {"torch": torch, "F": F, "nn": nn, **operands(letters, chosen, device)}
    if autocast is None:
        with torch.device(device):
            return said(eval(form, names))
    was = torch.get_autocast_dtype(device)
    torch.set_autocast_enabled(device, True)
    torch.set_autocast_dtype(device, DTYPES[autocast])
    torch.autocast_increment_nesting()
    try:
        with torch.device(device):
            return said(eval(form, names))
    finally:
        if torch.autocast_decrement_nesting() == 0:
            torch.clear_autocast_cache()
        torch.set_autocast_dtype(device, was)
        torch.set_autocast_enabled(device, False)


# Kernels that no device has for floats, though shapes alone would pass.
OF_INTEGERS = re.compile(r'"(bitwise|gcd|lcm|lshift|rshift)')
LACKING = re.compile(r"not implemented for '(Half|BFloat16)'|Low precision|converge|singular|positive")


def answer(form, letters, chosen):
    try:
        return run(form, letters, chosen, "cpu", None)
    except Exception as error:
        if OF_INTEGERS.match(str(error)) or not LACKING.search(str(error)):
            return "!"
    try:
        with FakeTensorMode():
            return run(form, letters, chosen, "cuda", None)
    except Exception:
        return "!"


def under(device, dtype):
    def ask(form, letters, chosen):
        if "f64" in chosen and (len(set(chosen)) > 1 or form.startswith("nn.")):
            return "!"  # nothing casts double precision, and nobody mixes it in
        try:
            if device == "cpu":
                return run(form, letters, chosen, device, dtype)
            with FakeTensorMode():
                return run(form, letters, chosen, device, dtype)
        except Exception:
            return "!"
    return ask


def combinations(letters, dtypes):
    ranges = [list(NUMBERS) if letter == "n" else dtypes for letter in letters[:2]]
    if not ranges:
        return [[]]
    if len(ranges) == 1:
        return [[one] for one in ranges[0]]
    return [[one, two] + [two] * (len(letters) - 2) for one in ranges[0] for two in ranges[1]]


def rows_of(forms, dtypes, ask):
    rows = []
    for form in dict.fromkeys(forms):
        letters = letters_in(form)
        rows.append([form, " ".join(ask(form, letters, chosen) for chosen in combinations(letters, dtypes))])
    return rows


def main():
    few = ["f32", "bf16", "f16", "f64"]
    tables = [
        {"dtypes": list(DTYPES), "rows": rows_of(FORMS, list(DTYPES), answer)},
        *[{"autocast": [device, dtype], "dtypes": few, "rows": rows_of(AUTOCAST, few, under(device, dtype))}
          for device, dtype in (("cuda", "bf16"), ("cuda", "f16"), ("cpu", "bf16"))],
    ]
    with open(sys.argv[1], "w") as file:
        text = json.dumps({"shapes": {**SHAPES, **{name: shape for name, (shape, _) in FIXED.items()}}, "fixed": {name: dtype for name, (_, dtype) in FIXED.items()}, "tables": tables})
        file.write(text.replace('], ["', '],\n["').replace('"rows": [[', '"rows": [\n[').replace("]]}", "]\n]}") + "\n")


with torch.no_grad():
    main()
