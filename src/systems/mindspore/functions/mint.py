# Functions of mindspore.mint (2.10) by the primitives that they are compiled to.


def transpose(input, dim0, dim1):
    return P.TransposeExtView()(input, dim0, dim1)


def permute(input, dims):
    return P.TransposeView()(input, tuple(dims))


def reshape(input, shape):
    return P.Reshape()(input, shape)


def flatten(input, start_dim=0, end_dim=-1):
    return P.FlattenExt()(input, start_dim, end_dim)


def squeeze(input, dim):
    return P.Squeeze(_dims(dim))(input)


def unsqueeze(input, dim):
    return P.ExpandDimsView()(input, dim)


def matmul(input, other):
    return P.MatMulExt()(input, other)


def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    return P.Addmm()(input, mat1, mat2, beta, alpha)


def softmax(input, dim, *, dtype=None):
    return P.Softmax(dim)(input)


def clamp(input, min=None, max=None):
    return _clamp(input, min, max)


def clip(input, min=None, max=None):
    return _clamp(input, min, max)


def swapaxes(input, axis0, axis1):
    return P.TransposeExtView()(input, axis0, axis1)


def t(input):
    return P.TExt()(input)


def einsum(equation, *operands):
    given, arrow, result = equation.replace(" ", "").partition("->")
    letters = list(given)
    if len(operands) != 1 or arrow == "" or "." in given or len(set(letters)) < len(letters):
        return P.library("einsum")(equation, *operands)
    order = [letters.index(each) for each in result]
    order = order + [at for at in range(len(letters)) if at not in order]
    moved = operands[0] if order == sorted(order) else P.TransposeView()(operands[0], tuple(order))
    summed = tuple(range(len(result), len(letters)))
    return moved if len(summed) == 0 else P.SumExt()(moved, summed, False)


def ravel(input):
    return P.Reshape()(input, (-1,))


def outer(input, vec2):
    return P.Outer()(input, vec2)


def lerp(input, end, weight):
    return P.Lerp()(input, end, weight)


def addcmul(input, tensor1, tensor2, *, value=1):
    return P.AddcmulExt()(input, tensor1, tensor2, value)


def broadcast_to(input, shape):
    return P.BroadcastToView()(input, tuple(shape))


def amax(input, dim=(), keepdim=False):
    return P.ReduceMax(keepdim)(input, dim)


def amin(input, dim=(), keepdim=False):
    return P.ReduceMin(keepdim)(input, dim)


def all(input, dim=None, keepdim=False):
    return P.ReduceAll(keepdim)(input, () if dim is None else dim)


def any(input, dim=None, keepdim=False):
    return P.ReduceAny(keepdim)(input, () if dim is None else dim)


def where(condition, input=None, other=None):
    return P.NonZero()(condition) if input is None else P.Select()(condition, input, other)


def cat(tensors, dim=0):
    return P.Concat(dim)(tensors)


def concat(tensors, dim=0):
    return P.Concat(dim)(tensors)


def stack(tensors, dim=0):
    return P.StackExt()(tensors, dim)


def split(tensor, split_size_or_sections, dim=0):
    if isinstance(split_size_or_sections, int):
        return P.SplitTensorView()(tensor, split_size_or_sections, dim)
    return P.SplitWithSizeView()(tensor, tuple(split_size_or_sections), dim)


def chunk(input, chunks, dim=0):
    return P.ChunkView()(input, chunks, dim)


def cumsum(input, dim, dtype=None):
    return P.CumsumExt()(input, dim, dtype)


def sum(input, dim=None, keepdim=False, *, dtype=None):
    return P.SumExt()(input, dim, keepdim)


def mean(input, dim=None, keepdim=False, *, dtype=None):
    return P.MeanExt()(input, dim, keepdim)


def prod(input, dim=None, keepdim=False, *, dtype=None):
    return P.ProdExt()(input, dim, keepdim)


def max(input, dim=None, keepdim=False, *, other=None):
    pair = _pair(dim, other)
    if pair is not None:
        return P.Maximum()(input, pair)
    return P.Max()(input) if dim is None else P.MaxDim()(input, dim, keepdim)


def min(input, dim=None, keepdim=False, *, other=None):
    pair = _pair(dim, other)
    if pair is not None:
        return P.Minimum()(input, pair)
    return P.Min()(input) if dim is None else P.MinDim()(input, dim, keepdim)


def _pair(dim, other):
    """The second tensor of what may be asked for a dim instead."""
    return other if dim is None or isinstance(dim, int) else dim


def var(input, dim=None, *, correction=1, keepdim=False):
    return P.Var()(input, dim, correction, keepdim)


def std(input, dim=None, *, correction=1, keepdim=False):
    return P.Std()(input, dim, correction, keepdim)


def argmax(input, dim=None, keepdim=False):
    return P.ArgMaxExt()(input, dim, keepdim)


def argmin(input, dim=None, keepdim=False):
    return P.ArgMinExt()(input, dim, keepdim)


def logsumexp(input, dim, keepdim=False):
    return P.LogSumExp()(input, dim, keepdim)


def topk(input, k, dim=-1, largest=True, sorted=True):
    return P.TopkExt()(input, k, dim, largest, sorted)


def sort(input, *, dim=-1, descending=False, stable=False):
    return P.SortExt()(input, dim, descending, stable)


def tril(input, diagonal=0):
    return P.TrilExt()(input, diagonal)


def triu(input, diagonal=0):
    return P.Triu(diagonal)(input)


def flip(input, dims):
    return P.ReverseV2(tuple(dims))(input)


def cumprod(input, dim, dtype=None):
    return P.CumProd()(input, dim)


def cummax(input, dim):
    return P.Cummax(dim)(input)


def roll(input, shifts, dims=None):
    return P.Roll(_dims(shifts), _dims(dims))(input)


def repeat_interleave(input, repeats, dim=None, output_size=None):
    return P.RepeatInterleaveInt()(input, repeats, dim, output_size)


def gather(input, dim, index):
    return P.GatherD()(input, dim, index)


def index_select(input, dim, index):
    return P.IndexSelect()(input, dim, index)


def nan_to_num(input, nan=None, posinf=None, neginf=None):
    return P.NanToNum()(input, nan, posinf, neginf)


def isnan(input):
    return P.NotEqual()(input, input)


def log_softmax(input, dim=None, *, dtype=None):
    return P.LogSoftmaxExt()(input, dim, dtype)


def full_like(input, fill_value, *, dtype=None):
    return P.FullLike()(input, fill_value, dtype)


def clone(input):
    return P.Clone()(input)


def norm(input, p="fro", dim=None, keepdim=False, *, dtype=None):
    return P.LinalgVectorNorm()(input, 2.0 if p == "fro" else p, dim, keepdim, dtype)


def diff(input, n=1, dim=-1, prepend=None, append=None):
    parts = [each for each in (prepend, input, append) if each is not None]
    whole = P.Concat(dim)(parts) if len(parts) > 1 else input
    for _ in range(n):
        count = whole.shape[dim] - 1
        whole = P.SubExt()(P.Narrow()(whole, dim, 1, count), P.Narrow()(whole, dim, 0, count), 1)
    return whole


def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    return P.Baddbmm()(input, batch1, batch2, beta, alpha)


def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    return P.Addbmm()(input, batch1, batch2, beta, alpha)


def argsort(input, dim=-1, descending=False, stable=False):
    return P.ArgSort()(input, dim, descending, stable)


def std_mean(input, dim=None, *, correction=1, keepdim=False):
    return P.StdMean()(input, dim, correction, keepdim)


def var_mean(input, dim=None, *, correction=1, keepdim=False):
    return P.VarMean()(input, dim, correction, keepdim)


def nansum(input, dim=None, keepdim=False, *, dtype=None):
    return P.Nansum()(input, dim, keepdim, dtype)


def median(input, dim=None, keepdim=False):
    return P.unread("median") if dim is None else P.MedianDim()(input, dim, keepdim)


def cummin(input, dim):
    return P.CumminExt()(input, dim)


def count_nonzero(input, dim=None):
    return P.CountNonZero()(input, dim)


def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    return P.Cdist(p)(x1, x2)



def diag(input, diagonal=0):
    return P.DiagExt()(input, diagonal)


def trace(input):
    return P.TraceExt()(input)


def meshgrid(*tensors, indexing="ij"):
    return P.Meshgrid("ij" if indexing is None else indexing)(tensors)


def hstack(tensors):
    return P.Concat(0 if tensors[0].ndim == 1 else 1)(tensors)


def dstack(tensors):
    return P.Concat(2)([P.ExpandDims()(each, 2) if each.ndim == 2 else each for each in tensors])


def pow(input, exponent):
    if _is_number(exponent):
        return P.PowTensorScalar()(input, exponent)
    return P.PowScalarTensor()(input, exponent) if _is_number(input) else P.Pow()(input, exponent)


def float_power(input, exponent):
    return pow(_in_double(input), _in_double(exponent))


def narrow(input, dim, start, length):
    return P.NarrowView()(input, dim, start, length)


def unbind(input, dim=0):
    return P.UnstackExtView()(input, dim)


def tile(input, dims):
    return P.Tile()(input, tuple(dims))


def zeros(size, *, dtype=None):
    return _made(size, dtype, 0)


def ones(size, *, dtype=None):
    return _made(size, dtype, 1)


def select(input, dim, index):
    return P.SelectExtView()(input, dim, index)


def arange(start=0, end=None, step=1, *, dtype=None):
    return _counted(start, end, step, dtype)


def full(size, fill_value, *, dtype=None):
    return P.FillScalar()(tuple(size), fill_value, dtype)


def linspace(start, end, steps, *, dtype=None):
    return P.LinSpaceExt()(start, end, steps, dtype)


def eye(n, m=None, dtype=None):
    return P.Eye()(n, n if m is None else m, dtype)


def rand(*given, **settings):
    return P.unread("rand")


def randn(*given, **settings):
    return P.unread("randn")


def randint(*given, **settings):
    return P.unread("randint")


def randperm(*given, **settings):
    return P.unread("randperm")


def normal(*given, **settings):
    return P.unread("normal")


def empty(*given, **settings):
    return P.unread("empty")


def add(input, other, *, alpha=1):
    if _is_number(other):
        return P.AddScalar()(input, other, alpha)
    return P.AddExt()(input, other, alpha)


def sub(input, other, *, alpha=1):
    if _is_number(other):
        return P.SubScalar()(input, other, alpha)
    return P.SubExt()(input, other, alpha)


def div(input, other, *, rounding_mode=None):
    if rounding_mode is not None:
        return P.DivMod()(input, other, rounding_mode)
    return P.Divs()(input, other) if _is_number(other) else P.Div()(input, other)


def divide(input, other, *, rounding_mode=None):
    return P.Div()(input, other) if rounding_mode is None else P.DivMod()(input, other, rounding_mode)


def scatter(input, dim, index, src):
    return P.unread("scatter") if _is_number(src) else P.Scatter()(input, dim, index, src)


def scatter_add(input, dim, index, src):
    return P.ScatterAddExt()(input, dim, index, src)


def addcdiv(input, tensor1, tensor2, *, value=1):
    return P.AddcdivExt()(input, tensor1, tensor2, value)


def cross(input, other, dim=None):
    return P.unread("cross") if dim is None else P.Cross()(input, other, dim)


def histc(input, bins=100, min=0, max=0):
    return P.HistcExt()(input, bins, min, max)
