# Functions of elements and along dims, by the signatures of PyTorch 2.
def _elementwise(name):
    def function(input, *args, out=None, **options):
        return _each(name, input)
    return function

def _binary(name):
    def function(input, other, *args, out=None, **options):
        return _joint(name, input, other)
    return function

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
def std(input, dim=None, correction=1, unbiased=True, keepdim=False):
    if isinstance(dim, bool):
        dim = None
    return torch.sqrt(torch.var(input, dim=dim, keepdim=keepdim)) if dim is not None else _reduced("std", input, None, keepdim)

def var_mean(input, dim=None, correction=1, unbiased=True, keepdim=False):
    return _reduced("var_mean", input, dim, keepdim, 2)

def std_mean(input, dim=None, correction=1, unbiased=True, keepdim=False):
    return _reduced("std_mean", input, dim, keepdim, 2)

def all(input, dim=None, keepdim=False):
    return _reduced("all", input, dim, keepdim)

def any(input, dim=None, keepdim=False):
    return _reduced("any", input, dim, keepdim)

def count_nonzero(input, dim=None):
    return _reduced("count_nonzero", input, dim)

def nansum(input, dim=None, keepdim=False):
    return _reduced("nansum", input, dim, keepdim)

def nanmean(input, dim=None, keepdim=False):
    return _reduced("nanmean", input, dim, keepdim)

def _extreme(name):
    def function(input, dim=None, keepdim=False):
        return _reduced(name, input, dim, keepdim) if dim is None else _reduced(name, input, dim, keepdim, 2)
    return function

median = _extreme("median")
nanmedian = _extreme("nanmedian")

def mode(input, dim=-1, keepdim=False):
    return _reduced("mode", input, dim, keepdim, 2)

def aminmax(input, dim=None, keepdim=False):
    return _reduced("aminmax", input, dim, keepdim, 2)

def kthvalue(input, k, dim=-1, keepdim=False):
    return _reduced("kthvalue", input, dim, keepdim, 2)

def vector_norm(input, ord=2, dim=None, keepdim=False, dtype=None):
    return _reduced("vector_norm", input, dim, keepdim)

def matrix_norm(input, ord="fro", dim=(-2, -1), keepdim=False):
    return _reduced("matrix_norm", input, dim, keepdim)

def dist(input, other, p=2):
    return _reduced("dist", input - other)

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
    return _along("renorm", input, dim)

def softmin(input, dim=None, dtype=None):
    return F.softmax(-input, dim=dim, dtype=dtype)

def argmax(input, dim=None, keepdim=False):
    return torch.argmax(input.reshape(-1), dim=0)

def argmin(input, dim=None, keepdim=False):
    return torch.argmin(input.reshape(-1), dim=0)

def equal(input, other):
    return _reduced("equal", _joint("eq", input, other))

def allclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False):
    return _reduced("allclose", _joint("isclose", input, other))

def cross(input, other, dim=-1):
    return _joint("cross", input, other)

def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    return _reduced("cosine_similarity", _joint("mul", x1, x2), dim)

def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return _reduced("pairwise_distance", x1 - x2, -1, keepdim)

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
