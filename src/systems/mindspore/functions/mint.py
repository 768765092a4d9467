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
    sides, result = _letters(equation.replace(" ", ""), operands)
    if sides is None or len(operands) > 2:
        return P.library("einsum")(equation, *operands)
    if len(operands) == 2 and _is_pair(sides, result):
        return _einsum_of_two(sides, result, operands)
    letters = sides[0]
    if len(operands) != 1 or len(set(letters)) < len(letters):
        return P.library("einsum")(equation, *operands)
    moved = _in_order(operands[0], letters, result + sorted([each for each in letters if each not in result]))
    summed = tuple(range(len(result), len(letters)))
    return moved if len(summed) == 0 else P.SumExt()(moved, summed, False)


def _letters(equation, operands):
    """The letters of every operand and of the result; those of an ellipsis are digits."""
    given, arrow, result = equation.partition("->")
    written = given.split(",")
    if len(written) != len(operands):
        return (None, None)
    more = [x.ndim - len(side.replace("...", "")) for x, side in zip(operands, written) if "..." in side]
    if len(set(more)) > 1:
        return (None, None)
    digits = "0123456789"[: more[0]] if len(more) > 0 else ""
    sides = [list(side.replace("...", digits)) for side in written]
    if arrow != "":
        return (sides, list(result.replace("...", digits)))
    every = [each for side in sides for each in side]
    once = [each for each in sorted(set(every)) if each in digits or every.count(each) == 1]
    return (sides, once)


def _is_pair(sides, result):
    """Whether no letter stands twice on a side, and each is one of the result or of both sides."""
    left, right = sides
    if len(set(left)) < len(left) or len(set(right)) < len(right):
        return False
    return all([each in result or (each in left and each in right) for each in left + right])


def _einsum_of_two(sides, result, operands):
    """Both operands in one order of letters, those of the result first; then a product of them or of matrices."""
    summed = sorted([each for each in sides[0] if each not in result])
    left, right = [_in_order(x, side, result + summed) for x, side in zip(operands, sides)]
    if len(summed) == 0:
        return P.Mul()(left, right)
    rank, kinds = len(result + summed), ([], [], [], [])
    for dim in range(rank):
        long = (left.shape[dim] > 1, right.shape[dim] > 1)
        if dim >= len(result) and long != (True, True):
            return P.unread("einsum")
        kinds[3 if dim >= len(result) else 0 if long == (True, True) else 1 if long[0] else 2].append(dim)
    both, rows, columns, inner = kinds
    size = [_count([(left if dim in rows else right).shape[dim] for dim in dims]) for dims in kinds]
    a = P.Reshape()(_turned(left, both + rows + inner + columns), (size[0], size[1], size[3]))
    b = P.Reshape()(_turned(right, both + inner + columns + rows), (size[0], size[3], size[2]))
    lengths = [right.shape[dim] for dim in both] + [left.shape[dim] for dim in rows] + [1] * len(inner)
    made = P.Reshape()(P.BatchMatMulExt()(a, b), tuple(lengths + [right.shape[dim] for dim in columns]))
    order = both + rows + inner + columns
    back = _turned(made, [order.index(dim) for dim in range(rank)])
    return P.Reshape()(back, tuple(back.shape[: len(result)]))


def _in_order(input, letters, order):
    for _ in range(len(order) - len(letters)):
        input = P.ExpandDims()(input, input.ndim)
    known = letters + [each for each in order if each not in letters]
    return _turned(input, [known.index(each) for each in order])


def _turned(input, order):
    return input if order == sorted(order) else P.TransposeView()(input, tuple(order))


def _count(lengths):
    count = 1
    for each in lengths:
        count = count * each
    return count


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
    if _total(split_size_or_sections) != tensor.shape[dim]:
        raise ValueError(f"split_size's length must be equal with dimIndex {dim}: the sizes are no {tensor.shape[dim]} in all")
    return P.SplitWithSizeView()(tensor, tuple(split_size_or_sections), dim)


def _total(sizes):
    count = 0
    for each in sizes:
        count = count + each
    return count


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
    if dim is None and P.is_split() and input.shape[0] % 2 == 0:
        raise RuntimeError("For distributed operator RepeatInterleaveInt, all dimensions cannot be split when 'dim' is None.")
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
    if p != "fro" and p not in (0, 1, 2, 3):
        return P.LpNormV2()(input, p, dim, keepdim, 0.0)
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
    return P.MedianExt()(input) if dim is None else P.MedianDim()(input, dim, keepdim)


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


def take(input, index):
    return P.Take()(input, index)


def scatter(input, dim, index, src):
    return P.unread("scatter") if _is_number(src) else P.Scatter()(input, dim, index, src)


def scatter_add(input, dim, index, src):
    return P.ScatterAddExt()(input, dim, index, src)


def addcdiv(input, tensor1, tensor2, *, value=1):
    return P.AddcdivExt()(input, tensor1, tensor2, value)


def cross(input, other, dim=None):
    return P.Cross()(input, other, dim)


def histc(input, bins=100, min=0, max=0):
    return P.HistcExt()(input, bins, min, max)
