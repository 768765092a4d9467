# Functions of elements and along dims, by the signatures of PyTorch 2.
def _elementwise(name):
    def function(input, *args, out=None, **options):
        return _each(name, input)
    return function

def _binary(name):
    def function(input, other, *args, out=None, **options):
        return _joint(name, input, other)
    return function

def round(input, *, decimals=0, out=None):
    if decimals == 0:
        return _each("round", input)
    return _each("round", input * 10.0 ** decimals) / 10.0 ** decimals

def true_divide(input, other):
    return input / other

divide = true_divide

def multiply(input, other):
    return input * other

def subtract(input, other, alpha=1):
    return input - other * alpha

def rsub(input, other, alpha=1):
    return other - input * alpha

def absolute(input):
    return torch.abs(input)

def negative(input):
    return -input

def addcmul(input, tensor1, tensor2, value=1):
    return input + tensor1 * tensor2 * value

def addcdiv(input, tensor1, tensor2, value=1):
    return input + tensor1 / tensor2 * value

def _variance(input, dim, unbiased, correction, keepdim):
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    correction = (1 if unbiased else 0) if correction is None else correction
    return torch.var(input, dim=dim, correction=correction, keepdim=keepdim)

def std(input, dim=None, unbiased=True, keepdim=False, correction=None):
    return torch.sqrt(_variance(input, dim, unbiased, correction, keepdim))

def var_mean(input, dim=None, unbiased=True, keepdim=False, correction=None):
    over = None if isinstance(dim, bool) else dim
    return _variance(input, dim, unbiased, correction, keepdim), torch.mean(input, dim=over, keepdim=keepdim)

def std_mean(input, dim=None, unbiased=True, keepdim=False, correction=None):
    variance, mean = var_mean(input, dim, unbiased, keepdim, correction)
    return torch.sqrt(variance), mean

def all(input, dim=None, keepdim=False):
    return _reduced("all", input, dim, keepdim)

def any(input, dim=None, keepdim=False):
    return _reduced("any", input, dim, keepdim)

def count_nonzero(input, dim=None):
    return _reduced("count_nonzero", input, dim, mark="+")

def nansum(input, dim=None, keepdim=False):
    return _reduced("nansum", input, dim, keepdim, mark="+")

def nanmean(input, dim=None, keepdim=False):
    count = torch.sum(_each("logical_not", _each("isnan", input)), dim=dim, keepdim=keepdim)
    return nansum(input, dim, keepdim) / count

def _extreme(name):
    def function(input, dim=None, keepdim=False):
        return _reduced(name, input, dim, keepdim) if dim is None else _reduced(name, input, dim, keepdim, 2)
    return function

median = _extreme("median")
nanmedian = _extreme("nanmedian")

def mode(input, dim=-1, keepdim=False):
    return _reduced("mode", input, dim, keepdim, 2)

def aminmax(input, dim=None, keepdim=False):
    return torch.amin(input, dim=dim, keepdim=keepdim), torch.amax(input, dim=dim, keepdim=keepdim)

def kthvalue(input, k, dim=-1, keepdim=False):
    return _reduced("kthvalue", input, dim, keepdim, 2)

def vector_norm(input, ord=2, dim=None, keepdim=False, dtype=None):
    if ord == 2:
        return torch.norm(input, dim=dim, keepdim=keepdim)
    size = torch.abs(input)
    if ord == 1:
        return torch.sum(size, dim=dim, keepdim=keepdim)
    if ord == float("inf"):
        return torch.amax(size, dim=dim, keepdim=keepdim)
    if ord == -float("inf"):
        return torch.amin(size, dim=dim, keepdim=keepdim)
    if ord == 0:
        return _reduced("vector_norm", input, dim, keepdim, mark="+")
    return torch.sum(size ** ord, dim=dim, keepdim=keepdim) ** (1.0 / ord)

def norm(input, p=2, dim=None, keepdim=False, out=None, dtype=None):
    return vector_norm(input, p, dim, keepdim)

def matrix_norm(input, ord="fro", dim=(-2, -1), keepdim=False):
    return torch.norm(input, dim=dim, keepdim=keepdim) if ord == "fro" else _reduced("matrix_norm", input, dim, keepdim)

# Also of integers, of which a norm is not taken.
def _length(x, p, dim=None, keepdim=False):
    return torch.sqrt(torch.sum(x * x, dim=dim, keepdim=keepdim)) if p == 2 else vector_norm(x, p, dim, keepdim)

def dist(input, other, p=2):
    return _length(input - other, p)

def cumprod(input, dim, dtype=None):
    return _along("cumprod", input, dim)

def logcumsumexp(input, dim):
    return _along("logcumsumexp", input, dim)

def cummax(input, dim):
    return _along("cummax", input, dim, 2)

def cummin(input, dim):
    return _along("cummin", input, dim, 2)

def argsort(input, dim=-1, descending=False, stable=False):
    return _along("argsort", input, dim)

def renorm(input, p, dim, maxnorm):
    at = _axis(input, dim)
    text = " ".join(n if i == at else n + "^" for i, n in enumerate(_names(input.dim())))
    return operator("renorm", text + " -> " + text, input)

def softmin(input, dim=None, _stacklevel=3, dtype=None):
    return F.softmax(-input, dim=dim, dtype=dtype)

def argmax(input, dim=None, keepdim=False):
    return torch.argmax(input.reshape(-1), dim=0)

def argmin(input, dim=None, keepdim=False):
    return torch.argmin(input.reshape(-1), dim=0)

def roll(input, shifts, dims=None):
    shift = shifts[0] if isinstance(shifts, (tuple, list)) else shifts
    return torch.roll(input.reshape(-1), shift, 0).reshape(*input.shape)

def polygamma(n, input):
    return _each("polygamma", input if is_tensor(input) else n)

def equal(input, other):
    return _reduced("equal", _joint("eq", input, other))

def allclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False):
    return _reduced("allclose", _joint("isclose", input, other))

def cross(input, other, dim=-1):
    return _joint("cross", input, other)

def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    common = torch.result_type(x1, x2)
    x1, x2 = x1.to(common), x2.to(common)
    one, other = [torch.clamp(_length(x, 2, dim), min=eps) for x in (x1, x2)]
    return (x1 * x2).sum(dim=dim) / (one * other)

def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return _length(x1 - x2 + eps, p, -1, keepdim)

def fill(input, value):
    return _each("fill", input)

def native_dropout(input, p, train):
    return F.dropout(input, p), _each("native_dropout_mask", input)

def _softmax(input, dim, half_to_float=False):
    return F.softmax(input, dim=dim)

def _log_softmax(input, dim, half_to_float=False):
    return F.log_softmax(input, dim=dim)

def _adaptive_avg_pool2d(input, output_size):
    return F.adaptive_avg_pool2d(input, output_size)

def _adaptive_avg_pool3d(input, output_size):
    return F.adaptive_avg_pool3d(input, output_size)

def native_layer_norm(input, normalized_shape, weight, bias, eps):
    lead = list(input.shape)[:input.dim() - len(normalized_shape)]
    kept = lead + [1] * len(normalized_shape)
    made = F.layer_norm(input, tuple(normalized_shape), weight, bias, eps)
    return (made, *[_shaped("native_layer_norm", kept, input) for _ in range(2)])

def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    made = F.group_norm(input, group, weight, bias, eps)
    return (made, *[_shaped("native_group_norm", [N, group], input) for _ in range(2)])

def native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps):
    made = F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)
    held = input.shape[1] if training else 0
    return (made, *[_shaped("native_batch_norm", [held], input) for _ in range(2)])

def msort(input):
    return torch.sort(input, dim=0)[0]

def frexp(input):
    return _each("frexp", input), _each("frexp_exponent", input)

def adaptive_max_pool1d(input, output_size):
    return F.adaptive_max_pool1d_with_indices(input, output_size)

def polygamma(n, input):
    return _each("polygamma", input if is_tensor(input) else n)

def fake_quantize_per_tensor_affine(input, scale, zero_point, quant_min, quant_max):
    return _each("fake_quantize", input)

def fake_quantize_per_channel_affine(input, scale, zero_point, axis, quant_min, quant_max):
    for name, each in (("scale", scale), ("zero-point", zero_point)):
        if each.dim() != 1 or each.shape[0] != input.shape[axis]:
            raise RuntimeError("dimensions of %s and input are not consistent: %s and %s" % (name, list(each.shape), list(input.shape)))
    return _each("fake_quantize", input)
