/** Functions of torch whose results follow from shapes alone, by the signatures of PyTorch 2. */
export const functions = `
import torch
from torch._operators import operator, is_tensor, unknown
import torch.nn.functional as F

_letters = "abcdefghijlmopqrstuvwxyz"

def _names(count, skipped=0):
    return [_letters[i + skipped] for i in range(count)]

def _axis(x, dim):
    return dim % max(1, x.dim())

def _each(name, x):
    return operator(name, "* -> *", x)

def broadcast_shapes(*shapes):
    rank = max([len(s) for s in shapes] + [0])
    result = []
    for at in range(rank):
        sizes = [s[at - rank + len(s)] for s in shapes if at - rank + len(s) >= 0]
        other = [s for s in sizes if s != 1]
        result.append(other[0] if other else 1)
    return torch.Size(result)

def _joint(name, *values):
    tensors = [v for v in values if is_tensor(v)]
    shape = broadcast_shapes(*[t.shape for t in tensors])
    rank = len(shape)
    texts = []
    for t in tensors:
        own = t.shape
        lead = rank - len(own)
        dims = ["1" if own[i] == 1 and shape[lead + i] != 1 else _letters[lead + i] for i in range(len(own))]
        texts.append(" ".join(dims))
    return operator(name, ", ".join(texts) + " -> " + (" ".join(_names(rank)) or "()"), *tensors)

def _reduced(name, x, dim=None, keepdim=False, results=1):
    rank = x.dim()
    if dim is None:
        dims = list(range(rank))
    else:
        dims = [d % max(1, rank) for d in (dim if isinstance(dim, (tuple, list)) else [dim])]
    names = _names(rank)
    given = " ".join(n + "^" if i in dims else n for i, n in enumerate(names))
    left = [n if i not in dims else "1" for i, n in enumerate(names) if keepdim or i not in dims]
    out = " ".join(left) or "()"
    return operator(name, given + " -> " + ", ".join([out] * results), x)

def _along(name, x, dim, results=1):
    names = _names(x.dim())
    at = _axis(x, dim)
    text = " ".join(n + "^" if i == at else n for i, n in enumerate(names))
    return operator(name, text + " -> " + ", ".join([text] * results), x)

def _shaped(name, shape, *tensors):
    used = 0
    texts = []
    for t in tensors:
        texts.append(" ".join(_letters[used + i] + "^" for i in range(t.dim())))
        used += t.dim()
    return operator(name, ", ".join(texts) + " -> " + (" ".join(str(s) for s in shape) or "()"), *tensors)

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

def baddbmm(input, batch1, batch2, beta=1, alpha=1):
    return input * beta + torch.matmul(batch1, batch2) * alpha if beta != 1 or alpha != 1 else input + torch.matmul(batch1, batch2)

def mv(input, vec):
    return operator("mv", "m k+, k+ -> m", input, vec)

def dot(input, other):
    return operator("dot", "k+, k+ -> ()", input, other)

vdot = dot

def inner(input, other):
    return torch.matmul(input, other.transpose(-2, -1)) if other.dim() > 1 else torch.matmul(input, other)

def ger(input, vec2):
    return torch.outer(input, vec2)

def trace(input):
    return operator("trace", "a^ b^ -> ()", input)

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
    return F.softmax(-input, dim=dim)

def unbind(input, dim=0):
    return tuple(input.select(dim, i) for i in range(input.shape[dim]))

def narrow(input, dim, start, length):
    keys = [slice(None)] * input.dim()
    keys[dim] = slice(start, start + length)
    return input[tuple(keys)]

def tensor_split(input, indices_or_sections, dim=0):
    size = input.shape[dim]
    if isinstance(indices_or_sections, int):
        n = indices_or_sections
        lengths = [size // n + (1 if i < size % n else 0) for i in range(n)]
    else:
        marks = [0] + list(indices_or_sections) + [size]
        lengths = [b - a for a, b in zip(marks, marks[1:])]
    return torch.split(input, lengths, dim)

def movedim(input, source, destination):
    rank = input.dim()
    froms = [s % rank for s in (source if isinstance(source, (tuple, list)) else [source])]
    tos = [d % rank for d in (destination if isinstance(destination, (tuple, list)) else [destination])]
    order = [None] * rank
    for s, d in zip(froms, tos):
        order[d] = s
    rest = iter([i for i in range(rank) if i not in froms])
    return input.permute(*[o if o is not None else next(rest) for o in order])

moveaxis = movedim

def swapdims(input, dim0, dim1):
    return input.transpose(dim0, dim1)

def adjoint(input):
    return input.transpose(-2, -1)

def unflatten(input, dim, sizes):
    at = _axis(input, dim)
    shape = list(input.shape)
    return input.reshape(*shape[:at], *sizes, *shape[at + 1:])

def ravel(input):
    return input.reshape(-1)

def view_as(input, other):
    return input.reshape(*other.shape)

reshape_as = view_as

def repeat_interleave(input, repeats, dim=None, output_size=None):
    if is_tensor(repeats):
        return unknown("torch.repeat_interleave", input, repeats)
    if dim is None:
        input, dim = input.reshape(-1), 0
    at = _axis(input, dim)
    shape = list(input.shape)
    wide = input.unsqueeze(at + 1).expand(*shape[:at + 1], repeats, *shape[at + 1:])
    return wide.reshape(*shape[:at], shape[at] * repeats, *shape[at + 1:])

def broadcast_tensors(*tensors):
    shape = broadcast_shapes(*[t.shape for t in tensors])
    return tuple(t if tuple(t.shape) == tuple(shape) else t.expand(*shape) for t in tensors)

def meshgrid(*tensors, indexing="ij"):
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    sizes = [t.shape[0] if t.dim() else 1 for t in tensors]
    order = list(range(len(sizes)))
    if indexing == "xy" and len(sizes) > 1:
        order[0], order[1] = 1, 0
    shape = [sizes[o] for o in order]
    made = []
    for i, t in enumerate(tensors):
        own = [1] * len(shape)
        own[order.index(i)] = sizes[i]
        made.append(t.reshape(*own).expand(*shape))
    return tuple(made)

def diagonal(input, offset=0, dim1=0, dim2=1):
    a, b = _axis(input, dim1), _axis(input, dim2)
    rows, columns = input.shape[a], input.shape[b]
    length = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
    names = _names(input.dim())
    given = " ".join(n + "^" if i in (a, b) else n for i, n in enumerate(names))
    rest = [n for i, n in enumerate(names) if i not in (a, b)]
    return operator("diagonal", given + " -> " + " ".join(rest + [str(length)]), input)

_diagonal = diagonal

def diag(input, diagonal=0):
    if input.dim() == 1:
        size = input.shape[0] + abs(diagonal)
        return operator("diag", "a^ -> %d %d" % (size, size), input)
    return _diagonal(input, diagonal)

def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    size = input.shape[-1] + abs(offset)
    names = _names(input.dim())
    return operator("diag_embed", " ".join(names[:-1] + [names[-1] + "^"]) + " -> " + " ".join(names[:-1] + [str(size), str(size)]), input)

def tril_indices(row, col, offset=0, dtype=None, device=None):
    count = sum(min(col, max(0, i + offset + 1)) for i in range(row))
    return torch.zeros(2, count, dtype="int64")

def triu_indices(row, col, offset=0, dtype=None, device=None):
    count = sum(max(0, col - max(0, i + offset)) for i in range(row))
    return torch.zeros(2, count, dtype="int64")

def fliplr(input):
    return torch.flip(input, (1,))

def flipud(input):
    return torch.flip(input, (0,))

def rot90(input, k=1, dims=(0, 1)):
    shape = list(input.shape)
    if k % 2:
        a, b = dims
        shape[a], shape[b] = shape[b], shape[a]
    return _shaped("rot90", shape, input)

def linspace(start, end, steps, **options):
    return torch.zeros(steps)

logspace = linspace

def eye(n, m=None, **options):
    return torch.zeros(n, n if m is None else m)

def range_(start, end, step=1):
    return torch.arange(start, end + 1, step)

def randperm(n, **options):
    return torch.zeros(n, dtype="int64")

def normal(mean=0.0, std=1.0, size=None, **options):
    if size is not None:
        return torch.randn(*size)
    return torch.randn_like(mean if is_tensor(mean) else std)

def hann_window(window_length, **options):
    return torch.zeros(window_length)

hamming_window = blackman_window = bartlett_window = hann_window

def randint_like(input, *args, **options):
    return torch.zeros_like(input)

def multinomial(input, num_samples, replacement=False, generator=None):
    names = _names(input.dim())
    return operator("multinomial", " ".join(names[:-1] + [names[-1] + "^"]) + " -> " + " ".join(names[:-1] + [str(num_samples)]), input)

def view_as_complex(input):
    names = _names(input.dim() - 1)
    return operator("view_as_complex", " ".join(names + ["2"]) + " -> " + " ".join(names), input)

def view_as_real(input):
    names = _names(input.dim())
    return operator("view_as_real", " ".join(names) + " -> " + " ".join(names + ["2"]), input)

def real(input):
    return _each("real", input)

def imag(input):
    return _each("imag", input)

def scatter(input, dim, index, src=None, value=None, reduce=None):
    if is_tensor(src):
        return _along2("scatter", input, dim, index, src)
    return _along2("scatter", input, dim, index)

def _along2(name, input, dim, *others):
    frozen = " ".join(n + "^" for n in _names(input.dim()))
    used = input.dim()
    texts = [frozen]
    for t in others:
        texts.append(" ".join(_letters[used + i] + "^" for i in range(t.dim())))
        used += t.dim()
    return operator(name, ", ".join(texts) + " -> " + frozen.replace("^", "^"), input, *others)

def scatter_reduce(input, dim, index, src, reduce, include_self=True):
    return _along2("scatter_reduce", input, dim, index, src)

def index_add(input, dim, index, source, alpha=1):
    return _along2("index_add", input, dim, index, source)

def index_copy(input, dim, index, source):
    return _along2("index_copy", input, dim, index, source)

def index_fill(input, dim, index, value):
    return _along2("index_fill", input, dim, index)

def masked_scatter(input, mask, source):
    return _along2("masked_scatter", input, 0, mask, source)

def index_put(input, indices, values, accumulate=False):
    return _along2("index_put", input, 0, values)

def select_scatter(input, src, dim, index):
    return _along2("select_scatter", input, dim, src)

def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    return _along2("slice_scatter", input, dim, src)

def argmax(input, dim=None, keepdim=False):
    return torch.argmax(input.reshape(-1), dim=0)

def argmin(input, dim=None, keepdim=False):
    return torch.argmin(input.reshape(-1), dim=0)

def equal(input, other):
    return _reduced("equal", _joint("eq", input, other))

def allclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False):
    return _reduced("allclose", _joint("isclose", input, other))

def nonzero(input, as_tuple=False):
    if as_tuple:
        return tuple(unknown("torch.nonzero", input) for _ in range(input.dim()))
    return unknown("torch.nonzero", input)

argwhere = nonzero

def where(condition):
    return tuple(unknown("torch.where", condition) for _ in range(condition.dim()))

def masked_select(input, mask):
    return unknown("torch.masked_select", input, mask)

def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    made = [unknown("torch.unique", input)]
    if return_inverse:
        made.append(_each("unique_inverse", input))
    if return_counts:
        made.append(unknown("torch.unique", input))
    return tuple(made) if len(made) > 1 else made[0]

unique_consecutive = unique

def bincount(input, weights=None, minlength=0):
    return unknown("torch.bincount", input)

def bucketize(input, boundaries, **options):
    return _each("bucketize", input)

def searchsorted(sorted_sequence, values, **options):
    return _each("searchsorted", values)

def isin(elements, test_elements, **options):
    return _each("isin", elements)

def tensordot(a, b, dims=2):
    if isinstance(dims, int):
        left, right = list(range(a.dim() - dims, a.dim())), list(range(dims))
    else:
        left = [d % a.dim() for d in (dims[0] if isinstance(dims[0], (tuple, list)) else [dims[0]])]
        right = [d % b.dim() for d in (dims[1] if isinstance(dims[1], (tuple, list)) else [dims[1]])]
    one, two = _names(a.dim()), _names(b.dim(), a.dim())
    for l, r in zip(left, right):
        two[r] = one[l]
    free = [n for i, n in enumerate(one) if i not in left] + [n for i, n in enumerate(two) if i not in right]
    return torch.einsum("%s,%s->%s" % ("".join(one), "".join(two), "".join(free)), a, b)

def cross(input, other, dim=-1):
    return _joint("cross", input, other)

def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    return _reduced("cosine_similarity", _joint("mul", x1, x2), dim)

def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return _reduced("pairwise_distance", x1 - x2, -1, keepdim)

def cdist(x1, x2, p=2.0, **options):
    lead = _names(x1.dim() - 2)
    return operator("cdist", "%s, %s -> %s" % (" ".join(lead + ["p", "m^"]), " ".join(lead + ["r", "m^"]), " ".join(lead + ["p", "r"])), x1, x2)

def kron(input, other):
    return _shaped("kron", [a * b for a, b in zip(input.shape, other.shape)], input, other)

def atleast_1d(input):
    return input.reshape(1) if input.dim() == 0 else input

def atleast_2d(input):
    return input.reshape(1, -1) if input.dim() < 2 else input

def column_stack(tensors):
    return torch.cat([t.reshape(-1, 1) if t.dim() < 2 else t for t in tensors], dim=1)

def dstack(tensors):
    return torch.stack(list(tensors), dim=2)

def block_diag(*tensors):
    return _shaped("block_diag", [sum(t.shape[0] for t in tensors), sum(t.shape[1] for t in tensors)], *tensors)

def vander(x, N=None):
    n = x.shape[0]
    return _shaped("vander", [n, n if N is None else N], x)

def numel(input):
    return input.numel()

def is_floating_point(input):
    return str(input.dtype).find("int") < 0 and str(input.dtype).find("bool") < 0

def is_complex(input):
    return False

def as_tensor(data, dtype=None, device=None):
    return data if is_tensor(data) else torch.tensor(data)

from_numpy = asarray = as_tensor

def scalar_tensor(value, **options):
    return torch.tensor(value)

def zero_(input):
    return torch.zeros_like(input)

def einsum(equation, *operands):
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = operands[0]
    equation = equation.replace(" ", "")
    left, _, right = equation.partition("->")
    terms = left.split(",")
    if "..." in equation:
        free = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in equation]
        ranks = [t.dim() - len(term.replace("...", "")) for term, t in zip(terms, operands)]
        most = max(r for term, r in zip(terms, ranks) if "..." in term)
        stars = "".join(free[:most])
        terms = [term.replace("...", stars[len(stars) - r:] if r else "") for term, r in zip(terms, ranks)]
        right = right.replace("...", stars)
    if "->" not in equation:
        joined = "".join(terms)
        right = "".join(sorted(c for c in set(joined) if joined.count(c) == 1))
    for term in terms:
        if len(set(term)) != len(term):
            sizes = {}
            for term, t in zip(terms, operands):
                for c, size in zip(term, t.shape):
                    sizes[c] = size
            return _shaped("einsum", [sizes[c] for c in right], *operands)
    letters = {}
    small = "abcdefghijklmnopqrstuvwxyz"
    used = set("".join(terms))
    for c in sorted(used):
        if c in small:
            letters[c] = c
    spare = iter([c for c in small if c not in used])
    for c in sorted(used):
        if c not in letters:
            letters[c] = next(spare)
    respelt = ["".join(letters[c] for c in term) for term in terms]
    result = "".join(letters[c] for c in right)
    return torch._einsum(",".join(respelt) + "->" + result, *operands)
`;
