# Functions of mindspore.ops (2.10) by the primitives that they are compiled to.


def transpose(input, input_perm):
    _check_order(input, input_perm)
    return P.Transpose()(input, tuple(input_perm))


def permute(input, axis):
    return P.Transpose()(input, tuple(axis))


def swapaxes(input, axis0, axis1):
    return P.Transpose()(input, _perm(input.ndim, axis0, axis1))


def swapdims(input, dim0, dim1):
    return P.Transpose()(input, _perm(input.ndim, dim0, dim1))


def moveaxis(x, source, destination):
    return P.Transpose()(x, _moved(x.ndim, source, destination))


def movedim(x, source, destination):
    return P.Transpose()(x, _moved(x.ndim, source, destination))


def adjoint(x):
    return P.Transpose()(x, _perm(x.ndim, -2, -1))


def t(input):
    return P.Transpose()(input, (1, 0)) if input.ndim == 2 else input


def einsum(equation, *operands):
    made = [each for each in operands if not P.is_parameter(each)]
    if len(made) > 0 and P.is_split():
        # It reads a tuple, to which 2.10 cannot redistribute; parameters lie as they are read.
        raise RuntimeError("MindSpore 2.10 refuses ops.einsum of what a net makes or is given, where it splits the net: its compiler finds no operator to redistribute to. mint.einsum is made of operators that it splits")
    return P.library("einsum")(equation, *operands)


def reshape(input, shape):
    return P.Reshape()(input, shape)


def ravel(input):
    return P.Reshape()(input, (-1,))


def flatten(input, order="C", *, start_dim=1, end_dim=-1):
    if order not in ("C", "F"):
        raise TypeError("For 'flatten', order must be 'C' or 'F'")
    rank = input.ndim
    if rank < 2:
        return P.Reshape()(input, (-1,))
    # Only these very numbers are the operator of that name.
    if start_dim == 1 and end_dim == -1:
        return P.Flatten()(input)
    if start_dim % rank == end_dim % rank:
        return input
    return P.Reshape()(input, _merged(input.shape, start_dim, end_dim))


def squeeze(input, axis=None):
    return P.Squeeze()(input) if axis is None else P.Squeeze(_dims(axis))(input)


def expand_dims(input_x, axis):
    return P.ExpandDims()(input_x, axis)


def unsqueeze(input, dim):
    return P.ExpandDims()(input, dim)


def expand(input_x, size):
    raise TypeError("MindSpore 2.10 cannot compile ops.expand with a tuple: broadcast_to takes the shape")


def broadcast_to(input, shape):
    return P.BroadcastTo(tuple(shape))(input)


def matmul(input, other):
    return P.MatMulExt()(input, other)


def outer(input, vec2):
    return P.Mul()(P.Reshape()(input, (-1, 1)), vec2)


def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    product = P.MatMul()(mat1, mat2)
    if alpha != 1:
        product = P.Muls()(product, alpha)
    if beta != 1:
        input = P.Muls()(input, beta)
    return P.Add()(input, product)


def dense(input, weight, bias=None):
    return P.Dense()(input, weight) if bias is None else P.Dense()(input, weight, bias)


def gelu(input, approximate="none"):
    if approximate == "tanh":
        return P.GeLU()(input)
    P.check_type("GeLU", input)
    error = P.Erf()(P.Div()(input, 1.5))
    return P.Mul()(P.Mul()(input, P.Add()(error, 1)), 0.5)


def leaky_relu(input, alpha=0.2):
    scaled = P.Mul()(P.constant((), input.dtype, alpha), input)
    return P.Minimum()(scaled, input) if alpha > 1 else P.Maximum()(scaled, input)


def elu(input_x, alpha=1.0):
    return P.Elu(alpha)(input_x)


def softplus(input, beta=1, threshold=20):
    scaled = input if beta == 1 else P.Muls()(input, beta)
    is_large = P.Greater()(scaled, threshold)
    return P.Select()(is_large, input, P.Muls()(P.Softplus()(scaled), 1.0))


def hardtanh(input, min_val=-1.0, max_val=1.0):
    return P.Minimum()(P.Maximum()(input, min_val), max_val)


def hardshrink(input, lambd=0.5):
    return P.HShrink(lambd)(input)


def softshrink(input, lambd=0.5):
    return P.SoftShrink(lambd)(input)


def logsigmoid(x):
    return P.Log()(P.Sigmoid()(x))


def tanhshrink(input):
    return P.Sub()(input, P.Tanh()(input))


def positive(input):
    return input


def identity(x):
    return x


def exp2(input):
    return P.Pow()(2.0, input)


def log10(input):
    return P.Div()(P.Log()(input), 2.3)


def log2(input):
    return P.Div()(P.Log()(input), 0.7)


def frac(x):
    return P.Mod()(x, 1)


def deg2rad(x):
    return P.Divs()(P.Muls()(x, 3.1), 180.0)


def rad2deg(x):
    return P.Divs()(P.Muls()(x, 180.0), 3.1)


def signbit(x):
    return P.LessScalar()(x, 0)


def logit(input, eps=None):
    return P.Logit(-1.0 if eps is None else eps)(input)


def nan_to_num(input, nan=None, posinf=None, neginf=None):
    return P.NanToNum()(input, nan, posinf, neginf)


def fmod(input, other):
    quotient = P.DivMod()(input, other, "trunc")
    product = P.Muls()(quotient, other) if _is_number(other) else P.Mul()(quotient, other)
    return P.Sub()(input, product)


def remainder(input, other):
    quotient = P.FloorDiv()(input, other)
    product = P.Muls()(quotient, other) if _is_number(other) else P.Mul()(quotient, other)
    return P.Sub()(input, product)


def logaddexp(input, other):
    if _is_number(input) or _is_number(other):
        raise TypeError("For logaddexp, both operands must be tensors")
    largest = P.Maximum()(input, other)
    distance = P.Abs()(P.Sub()(input, other))
    return P.Add()(largest, P.Log1p()(P.Exp()(P.Neg()(distance))))


def logaddexp2(input, other):
    if _is_number(input) or _is_number(other):
        raise TypeError("For logaddexp2, both operands must be tensors")
    largest = P.Maximum()(input, other)
    distance = P.Abs()(P.Sub()(input, other))
    sum = P.Add()(1, P.Pow()(2.0, P.Neg()(distance)))
    return P.Add()(largest, P.Div()(P.Log()(sum), 0.7))


def lerp(input, end, weight):
    return P.Lerp()(input, end, weight)


def clamp(input, min=None, max=None):
    return _clamp(input, min, max)


def clip(input, min=None, max=None):
    return _clamp(input, min, max)


def clip_by_value(x, clip_value_min=None, clip_value_max=None):
    bounded = x if clip_value_max is None else P.Minimum()(x, clip_value_max)
    return bounded if clip_value_min is None else P.Maximum()(bounded, clip_value_min)


def select(condition, input, other):
    return P.Select()(condition, input, other)


def where(condition, input=None, other=None):
    return P.NonZero()(condition) if input is None else P.Select()(condition, input, other)


def masked_fill(input_x, mask, value):
    return P.MaskedFill()(input_x, mask, value)


def cast(input, dtype):
    return P.Cast()(input, dtype)


def scalar_cast(input_x, input_y):
    return input_x


def softmax(input, axis=-1, *, dtype=None):
    return P.Softmax(axis)(input if dtype is None else P.Cast()(input, dtype))


def log_softmax(logits, axis=-1):
    return P.LogSoftmax(axis)(logits)


def concat(tensors, axis=0):
    return P.Concat(axis)(tensors)


def cat(tensors, axis=0):
    return P.Concat(axis)(tensors)


def stack(tensors, axis=0):
    return P.Stack(axis)(tensors)


def unstack(input_x, axis=0):
    return P.Unstack(axis)(input_x)


def unbind(input, dim=0):
    return P.Unstack(dim)(input)


def split(tensor, split_size_or_sections, axis=0):
    return _split(tensor, split_size_or_sections, axis)


def _split(tensor, split_size_or_sections, axis):
    length = tensor.shape[axis]
    if isinstance(split_size_or_sections, int):
        size = split_size_or_sections
        if length % size == 0:
            return P.Split(axis, length // size)(tensor)
        parts = [size] * (length // size) + [length % size]
        return _parts(tensor, parts, axis)
    return _parts(tensor, list(split_size_or_sections), axis)


def _parts(tensor, lengths, axis):
    """Slices of a tensor along one dim, one behind the other."""
    rank, at, found = tensor.ndim, 0, []
    for length in lengths:
        begin, end = [0] * rank, list(tensor.shape)
        begin[axis], end[axis] = at, at + length
        found.append(P.StridedSlice()(tensor, tuple(begin), tuple(end), (1,) * rank))
        at = at + length
    return tuple(found)


def chunk(input, chunks, axis=0):
    return _chunk(input, chunks, axis)


def _chunk(input, chunks, axis):
    return _split(input, (input.shape[axis] + chunks - 1) // chunks, axis)


def narrow(input, axis, start, length):
    rank = input.ndim
    begin, size = [0] * rank, list(input.shape)
    begin[axis], size[axis] = start, length
    return P.Slice()(input, tuple(begin), tuple(size))


def slice(input_x, begin, size):
    return P.Slice()(input_x, tuple(begin), tuple(size))


def cumsum(x, axis, dtype=None):
    return P.CumSum()(x, axis)


def cumprod(input, dim, dtype=None):
    return P.CumProd()(input, dim)


def cummax(input, axis):
    return P.Cummax(axis)(input)


def sum(input, dim=None, keepdim=False, *, dtype=None):
    return P.SumExt()(input, dim, keepdim)


def mean(x, axis=None, keep_dims=False):
    return P.ReduceMean(keep_dims)(x, () if axis is None else axis)


def prod(input, axis=None, keep_dims=False, dtype=None):
    return P.ProdExt()(input, axis, keep_dims)


def amax(input, axis=None, keepdims=False, *, initial=None, where=None):
    return P.ReduceMax(keepdims)(input, () if axis is None else axis)


def amin(input, axis=None, keepdims=False, *, initial=None, where=None):
    return P.ReduceMin(keepdims)(input, () if axis is None else axis)


def max(input, axis=None, keepdims=False, *, initial=None, where=None):
    if axis is None:
        return (P.Max()(input), 0)
    found = P.ArgMaxWithValue(axis, keepdims)(input)
    return (found[1], found[0])


def min(input, axis=None, keepdims=False, *, initial=None, where=None):
    if axis is None:
        return (P.Min()(input), 0)
    found = P.ArgMinWithValue(axis, keepdims)(input)
    return (found[1], found[0])


def std(input, axis=None, ddof=0, keepdims=False):
    return P.ReduceStd(() if axis is None else _dims(axis), ddof != 0, keepdims)(input)[0]


def var(input, axis=None, ddof=0, keepdims=False):
    return P.Pow()(std(input, axis, ddof, keepdims), 2)


def argmax(input, dim=None, keepdim=False):
    flat = P.Reshape()(input, (-1,)) if dim is None else input
    at = P.Argmax(-1 if dim is None else dim, "int64")(flat)
    return P.ExpandDims()(at, dim) if keepdim and dim is not None else at


def argmin(input, axis=None, keepdims=False):
    flat = P.Reshape()(input, (-1,)) if axis is None else input
    at = P.Argmin(-1 if axis is None else axis)(flat)
    return P.ExpandDims()(at, axis) if keepdims and axis is not None else at


def logsumexp(input, axis, keepdims=False):
    largest = P.ReduceMax(True)(input, axis)
    exponents = P.Exp()(P.Sub()(input, largest))
    total = P.Log()(P.SumExt()(exponents, axis, keepdims))
    return P.Add()(total, largest if keepdims else P.Squeeze(_dims(axis))(largest))


def topk(input, k, dim=None, largest=True, sorted=True):
    if not largest:
        values, places = topk(P.Neg()(input), k, dim, True, sorted)
        return (P.Neg()(values), places)
    rank = input.ndim
    if dim is None or dim % rank == rank - 1:
        return P.TopK(sorted)(input, k)
    order = _perm(rank, dim, -1)
    values, places = P.TopK(sorted)(P.Transpose()(input, order), k)
    return (P.Transpose()(values, order), P.Transpose()(places, order))


def aminmax(input, *, axis=0, keepdims=False):
    if axis is None:
        return (P.Min()(input), P.Max()(input)) if not keepdims else P.unread("aminmax")
    return (P.ArgMinWithValue(axis, keepdims)(input)[1], P.ArgMaxWithValue(axis, keepdims)(input)[1])


def tril(input, diagonal=0):
    return P.Tril(diagonal)(input)


def triu(input, diagonal=0):
    return P.Triu(diagonal)(input)


def roll(input, shifts, dims=None):
    return P.Roll(_dims(shifts), _dims(dims))(input)


def flip(input, dims):
    return P.ReverseV2(tuple(dims))(input)


def repeat_interleave(input, repeats, axis=None):
    return _repeated(input, repeats, axis)


def _repeated(input, repeats, axis):
    if axis is None:
        input, axis = P.Reshape()(input, (-1,)), 0
    rank = input.ndim
    axis = axis % rank
    widened = P.ExpandDims()(input, axis + 1)
    tiled = P.Tile()(widened, tuple([repeats if dim == axis + 1 else 1 for dim in range(rank + 1)]))
    return P.Reshape()(tiled, _merged(tiled.shape, axis, axis + 1))


def repeat_elements(x, rep, axis=0):
    return _repeated(x, rep, axis)


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False):
    return P.Embedding()(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq)


def gather(input_params, input_indices, axis, batch_dims=0):
    return P.Gather(batch_dims)(input_params, input_indices, axis)


def index_select(input, axis, index):
    return P.Gather()(input, index, axis)


def gather_d(x, dim, index):
    return P.GatherD()(x, dim, index)


def gather_elements(input, dim, index):
    return P.GatherD()(input, dim, index)


def dropout(input, p=0.5, training=True, seed=None):
    if not training:
        return input
    return P.Dropout(keep_prob=1 - p)(input)[0]


def mse_loss(input, target, reduction="mean"):
    return _reduced(P.Square()(P.Sub()(input, target)), reduction)


def _reduced(values, reduction):
    if reduction == "none":
        return values
    return P.ReduceMean()(values, ()) if reduction == "mean" else P.ReduceSum()(values, ())


def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction="mean"):
    if isinstance(pos_weight, str):
        raise TypeError("Failed calling BCEWithLogitsLoss with posWeight=String: the reduction is the fifth argument, behind pos_weight")
    return P.BCEWithLogitsLoss(reduction)(input, target, weight, pos_weight)


def gaussian_nll_loss(x, target, var, full=False, eps=1e-6, reduction="mean"):
    if tuple(var.shape) == tuple(x.shape[:-1]):
        var = P.ExpandDims()(var, -1)
    spread = P.Maximum()(var, eps)
    logarithm = P.Log()(spread)
    distance = P.Square()(P.Sub()(x, target))
    loss = P.Muls()(P.Add()(logarithm, P.Div()(distance, spread)), 0.5)
    return _meant(P.Add()(loss, 0.9) if full else loss, reduction)


def hinge_embedding_loss(inputs, targets, margin=1.0, reduction="mean"):
    above, below = P.Greater()(targets, 0), P.LessScalar()(targets, 0)
    near, far = P.Mul()(above, inputs), P.Mul()(below, inputs)
    rest = P.Maximum()(P.Sub()(P.Mul()(0.9, below), far), 0.0)
    return _meant(P.Add()(near, rest), reduction)


def _meant(values, reduction):
    """Reduced as methods of tensors do."""
    if reduction == "none":
        return values
    return P.ReduceMean()(values, ()) if reduction == "mean" else P.SumExt()(values)


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean"):
    distance = P.Mul()(P.Neg()(target), P.Sub()(input1, input2))
    return _reduced(_clamp(P.Add()(distance, margin) if margin != 0 else distance, 0, None), reduction)


def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction="mean"):
    product = P.ReduceSum()(P.Mul()(input1, input2), (1,))
    first, second = [P.Sqrt()(P.ReduceSum()(P.Square()(each), (1,))) for each in (input1, input2)]
    cosine = P.Div()(product, P.Mul()(first, second))
    near, far = P.Sub()(1.0, cosine), P.Maximum()(P.Sub()(cosine, margin), 0.0)
    zeros = P.ZerosLike()(cosine)
    alike = P.Select()(P.EqScalar()(target, 1), near, zeros)
    return _reduced(P.Add()(alike, P.Select()(P.EqScalar()(target, -1), far, zeros)), reduction)


def multilabel_soft_margin_loss(input, target, weight=None, reduction="mean"):
    above = P.Log()(P.Add()(P.Exp()(P.Neg()(input)), 1))
    below = P.Log()(P.Add()(P.Exp()(input), 1))
    loss = P.Add()(P.Mul()(target, above), P.Mul()(P.Sub()(1, target), below))
    if weight is not None:
        loss = P.Mul()(loss, weight)
    return _reduced(P.Divs()(P.SumExt()(loss, -1), input.shape[-1]), reduction)


def l1_loss(input, target, reduction="mean"):
    return _reduced(P.Abs()(P.Sub()(input, target)), reduction)


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    A = A if dtype is None else P.Cast()(A, dtype)
    rank = A.ndim
    dims = tuple(range(rank)) if dim is None else _dims(dim)
    if dim is None and (ord is None or (ord == "fro" and rank == 2) or (ord == 2 and rank == 1)):
        found = P.Sqrt()(P.ReduceSum()(P.Square()(A), dims))
        return P.Reshape()(found, (1,) * rank) if keepdim else found
    if len(dims) == 1:
        return _vector_norm(A, ord, dims, keepdim, isinstance(ord, int))
    if len(dims) != 2 or ord == "nuc" or ord in (2, -2, 0):
        return P.unread("norm")
    found = _matrix_norm(A, ord, [each % rank for each in dims], dims)
    return P.Reshape()(found, tuple([1 if at in dims else size for at, size in enumerate(A.shape)])) if keepdim else found


def _vector_norm(A, ord, dims, keepdim, is_whole):
    if ord is None:
        return P.Sqrt()(P.ReduceSum(keepdim)(P.Square()(A), dims))
    if ord == 0:
        return P.SumExt()(P.Cast()(P.NotEqual()(A, 0), A.dtype), dims, keepdim)
    if is_whole and ord > 0:
        return P.LpNorm(dims, ord, keepdim)(A)
    if ord in (float("inf"), -float("inf")):
        return _extreme(P.Abs()(A), ord, dims[0], keepdim)
    powers = P.Pow()(P.Abs()(A), ord)
    return P.Pow()(P.SumExt()(powers, dims, keepdim) if is_whole else P.ReduceSum(keepdim)(powers, dims), 1 / ord)


def _matrix_norm(A, ord, axes, dims):
    row, column = axes
    if ord in (1, -1):
        return _extreme(P.SumExt()(P.Abs()(A), row), ord, column - 1 if column > row else column, False)
    if ord in (float("inf"), -float("inf")):
        return _extreme(P.ReduceSum()(P.Abs()(A), column), ord, row - 1 if row > column else row, False)
    return P.Sqrt()(P.ReduceSum()(P.Square()(A), dims))


def _extreme(values, ord, axis, keepdim):
    return (max if ord > 0 else min)(values, axis, keepdim)[0]


def swiglu(input, dim=-1):
    return P.Swiglu()(input, dim)


def glu(x, axis=-1):
    value, gate = P.Split(axis, 2)(x)
    return P.Mul()(value, P.Sigmoid()(gate))


def prelu(input, weight):
    return P.PReLU()(input, weight)


def addn(x):
    return P.AddN()(x)


def take(input, index):
    return P.Take()(input, index)


def sort(input_x, axis=-1, descending=False):
    return P.Sort(axis, descending)(input_x)


def argsort(input, axis=-1, descending=False):
    return P.Sort(axis, descending)(input)[1]


def cdist(x1, x2, p=2.0):
    return P.Cdist(p)(x1, x2)


def one_hot(indices, depth, on_value=1, off_value=0, axis=-1):
    return P.OneHot(axis)(indices, depth, on_value, off_value)


def unsorted_segment_sum(input_x, segment_ids, num_segments):
    return P.UnsortedSegmentSum()(input_x, segment_ids, num_segments)


def unsorted_segment_max(x, segment_ids, num_segments):
    return P.UnsortedSegmentMax()(x, segment_ids, num_segments)


def unsorted_segment_min(x, segment_ids, num_segments):
    return P.UnsortedSegmentMin()(x, segment_ids, num_segments)


def unsorted_segment_prod(x, segment_ids, num_segments):
    return P.UnsortedSegmentProd()(x, segment_ids, num_segments)


def tensor_scatter_update(input_x, indices, updates):
    return P.TensorScatterUpdate()(input_x, indices, updates)


def expand_as(input, other):
    return P.ExpandAs()(input, other)


def type_as(input, other):
    return P.TypeAs()(input, other)


def view_as(input, other):
    return P.ViewAs()(input, other)


def strided_slice(input_x, begin, end, strides, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0):
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return P.StridedSlice(*masks)(input_x, tuple(begin), tuple(end), tuple(strides))


def ldexp(x, other):
    if _is_number(other):
        return P.Ldexp()(x, other)
    return P.Mul()(x, P.Pow()(2.0, other))


def inner(input, other):
    rows = P.Reshape()(input, (1, -1)) if input.ndim == 1 else input
    columns = P.Reshape()(other, (-1, 1)) if other.ndim == 1 else P.Transpose()(other, (1, 0))
    product = P.MatMul()(rows, columns)
    return P.Reshape()(product, tuple(input.shape[:-1]) + tuple(other.shape[:-1]))


def population_count(input_x):
    if input_x.dtype not in ("int16", "uint16"):
        raise TypeError(f"For primitive[PopulationCount], the input argument[input_x] must be a type of {{Tensor[Int16], Tensor[UInt16]}}, but got {input_x.dtype}")
    return P.PopulationCount()(input_x)


def isneginf(input):
    return _is_infinite(input, P.Less()(input, _made(tuple(input.shape), "float32", 0)))


def isposinf(input):
    return _is_infinite(input, P.Greater()(input, _made(tuple(input.shape), "float32", 0)))


def _is_infinite(input, is_beyond):
    nothing, there = [_made(tuple(input.shape), "float32", each) for each in (0, 1)]
    return P.Cast()(P.Select()(is_beyond, P.Select()(P.IsInf()(input), there, nothing), nothing), "bool_")


def nanmean(input, axis=None, keepdims=False, *, dtype=None):
    total = nansum(input, axis, keepdims)
    count = P.SumExt()(P.LogicalNot()(P.IsNan()(input)), axis, keepdims)
    made = P.Div()(total, count)
    return made if dtype is None else P.Cast()(made, dtype)


def quantile(input, q, axis=None, keepdims=False):
    return P.Quantile(axis, keepdims)(input, q) if _is_number(q) else P.unread("quantile")


def nanquantile(input, q, axis=None, keepdims=False):
    return P.Quantile(axis, keepdims, True)(input, q) if _is_number(q) else P.unread("nanquantile")


def nanmedian(input, axis=-1, keepdims=False):
    return P.Median(False, axis, keepdims)(input)


def sequence_mask(lengths, maxlen=None):
    if maxlen is None:
        return P.unread("sequence_mask")
    return P.Less()(P.constant((maxlen,), "int32", 0, 1), P.ExpandDims()(lengths, -1))


def rotary_position_embedding(x, cos, sin, mode=0):
    return P.RotaryPositionEmbedding()(x, cos, sin, mode)


def gumbel_softmax(logits, tau=1.0, hard=False, dim=-1):
    if hard:
        return P.unread("gumbel_softmax")
    noise = P.Neg()(P.Log()(P.Neg()(P.Log()(P.UniformReal()(tuple(logits.shape))))))
    return P.Softmax(dim)(P.Divs()(P.Add()(logits, noise), tau))


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, reduction="mean"):
    margin = _made((), "float32", margin) if _is_number(margin) else margin
    return P.TripletMarginLoss(p, swap, eps, reduction)(anchor, positive, negative, margin)


def lrn(x, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region="ACROSS_CHANNELS"):
    return P.LRN(depth_radius, bias, alpha, beta, norm_region)(x)


def mvlgamma(input, p):
    return P.Mvlgamma(p)(input)


def reduce_sum(x, axis=(), keep_dims=False):
    return P.ReduceSum(keep_dims)(x, axis)


def reduce_mean(x, axis=(), keep_dims=False):
    return P.ReduceMean(keep_dims)(x, axis)


def reduce_max(x, axis=(), keep_dims=False):
    return P.ReduceMax(keep_dims)(x, axis)


def reduce_min(x, axis=(), keep_dims=False):
    return P.ReduceMin(keep_dims)(x, axis)


def all(input, axis=None, keep_dims=False):
    return P.ReduceAll(keep_dims)(input, () if axis is None else axis)


def any(input, axis=None, keep_dims=False):
    return P.ReduceAny(keep_dims)(input, () if axis is None else axis)


def tile(input, dims):
    return P.Tile()(input, tuple(dims))


def full_like(input, fill_value, *, dtype=None):
    return _made(tuple(input.shape), input.dtype if dtype is None else dtype, fill_value)


def cosine_similarity(x1, x2, dim=1, eps=1e-08):
    lengths = P.Mul()(norm(x1, 2, dim), norm(x2, 2, dim))
    return P.Div()(P.SumExt()(P.Mul()(x1, x2), dim, False), _clamp(lengths, eps, None))


def mv(mat, vec):
    return P.StridedSlice(0, 0, 0, 0, 1)(P.Transpose()(P.MatMul()(mat, P.Reshape()(vec, (-1, 1))), (1, 0)), (0, 0), (1, mat.shape[0]), (1, 1))


def addmv(input, mat, vec, *, beta=1, alpha=1):
    return P.Add()(_times(input, beta), _times(mv(mat, vec), alpha))


def baddbmm(input, batch1, batch2, beta=1, alpha=1):
    return P.Add()(_times(input, beta), _times(P.BatchMatMul()(batch1, batch2), alpha))


def _times(input, factor):
    return input if factor == 1 else P.Muls()(input, factor)


def tensor_dot(x1, x2, axes):
    if isinstance(axes, int):
        axes = (tuple(range(x1.ndim - axes, x1.ndim)), tuple(range(axes)))
    left = [dim % x1.ndim for dim in _dims(axes[0])]
    right = [dim % x2.ndim for dim in _dims(axes[1])]
    rows = [dim for dim in range(x1.ndim) if dim not in left]
    columns = [dim for dim in range(x2.ndim) if dim not in right]
    size = 1
    for dim in left:
        size = size * x1.shape[dim]
    a, b = _ordered(x1, rows + left), _ordered(x2, right + columns)
    product = P.MatMul()(P.Reshape()(a, (-1, size)), P.Reshape()(b, (size, -1)))
    return P.Reshape()(product, tuple([x1.shape[dim] for dim in rows] + [x2.shape[dim] for dim in columns]))


def _ordered(input, order):
    return input if order == list(range(input.ndim)) else P.Transpose()(input, tuple(order))


def dot(input, other):
    if input.ndim == 1 or other.ndim == 1:
        raise ValueError("For 'dot', both operands must have two dims at least")
    if input.ndim == 2 and other.ndim == 2:
        return P.MatMul()(input, other)
    return tensor_dot(input, other, ((input.ndim - 1,), (other.ndim - 2,)))


def diff(x, n=1, axis=-1, prepend=None, append=None):
    parts = [each for each in (prepend, x, append) if each is not None]
    whole = P.Concat(axis)(parts) if len(parts) > 1 else x
    count = whole.shape[axis] - 1
    places = _made((count,), "int64", None), _made((count,), "int64", None)
    return P.Sub()(P.Gather()(whole, places[0], axis), P.Gather()(whole, places[1], axis))


def threshold(input, thr, value):
    filled = P.FillV2()(tuple(input.shape), value)
    return P.Select()(P.Greater()(input, thr), input, filled)


def pad(input_x, padding, mode="constant", value=None):
    if len(padding) == 0:
        return input_x
    if mode != "constant":
        return P.unread("pad")
    if len([1 for each in padding if each < 0]) > 0:
        raise ValueError(f"For primitive[PadV3], the attribute[paddings] should be a vector with all positive item. but got {padding}")
    return P.PadV3(mode, True)(input_x, tuple(padding), 0 if value is None else value)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    return _layer_norm(input, normalized_shape, weight, bias, eps)


def stop_gradient(value):
    return value


def count_nonzero(x, axis=(), keep_dims=False, dtype=None):
    there = P.Cast()(P.NotEqual()(x, _made(tuple(x.shape), "float32", 0)), "float32")
    return P.Cast()(P.ReduceSum(keep_dims)(there, axis), "int32" if dtype is None else dtype)


def nansum(input, axis=None, keepdims=False, *, dtype=None):
    return P.ReduceSum(keepdims)(P.MaskedFill()(input, P.IsNan()(input), 0.0), () if axis is None else axis)


def softmin(x, axis=-1, *, dtype=None):
    return P.Softmax(axis)(P.Muls()(x, -1))


def std_mean(input, axis=None, ddof=0, keepdims=False):
    return P.ReduceStd(() if axis is None else _dims(axis), ddof != 0, keepdims)(input)


def var_mean(input, axis=None, ddof=0, keepdims=False):
    deviation, mean = std_mean(input, axis, ddof, keepdims)
    return (P.Pow()(deviation, 2), mean)


def median(input, axis=-1, keepdims=False):
    return P.Median(False, axis, keepdims)(input)


def cummin(input, axis):
    if axis == 0:
        return P.Cummin(0)(input)
    order = _perm(input.ndim, 0, axis)
    values, places = P.Cummin(0)(P.Transpose()(input, order))
    return (P.Transpose()(values, order), P.Transpose()(places, order))


def fliplr(input):
    return P.ReverseV2((1,))(input)


def flipud(input):
    return P.ReverseV2((0,))(input)


def reverse(x, axis):
    return P.ReverseV2(tuple(axis))(x)


def dstack(tensors):
    return P.Concat(2)([P.ExpandDims()(each, 2) if each.ndim == 2 else each for each in tensors])


def column_stack(tensors):
    return P.Concat(1)([P.ExpandDims()(each, 1) if each.ndim == 1 else each for each in tensors])


def copysign(x, other):
    positive = P.Abs()(x)
    return P.Select()(P.LessScalar()(other, 0), P.Neg()(positive), positive)


def tensor_scatter_add(input_x, indices, updates):
    return P.TensorScatterAdd()(input_x, indices, updates)


def tensor_scatter_sub(input_x, indices, updates):
    return P.TensorScatterSub()(input_x, indices, updates)


def tensor_scatter_max(input_x, indices, updates):
    return P.TensorScatterMax()(input_x, indices, updates)


def tensor_scatter_min(input_x, indices, updates):
    return P.TensorScatterMin()(input_x, indices, updates)


def tensor_scatter_mul(input_x, indices, updates):
    return P.TensorScatterMul()(input_x, indices, updates)


def tensor_scatter_div(input_x, indices, updates):
    return P.TensorScatterDiv()(input_x, indices, updates)


def tensor_scatter_elements(input_x, indices, updates, axis=0, reduction="none"):
    return P.TensorScatterElements(axis, reduction)(input_x, indices, updates)



def index_fill(x, axis, index, value):
    return P.IndexFill()(x, axis, index, value)


def diag(input):
    return P.Diag()(input)


def det(input):
    return P.MatrixDeterminant()(input)


def meshgrid(*inputs, indexing="xy"):
    return P.Meshgrid(indexing)(inputs)


def kron(input, other):
    rank = _max_rank(input, other)
    a, b = (1,) * (rank - input.ndim) + tuple(input.shape), (1,) * (rank - other.ndim) + tuple(other.shape)
    wide = P.Reshape()(input, _interleaved(a, (1,) * rank))
    product = P.Mul()(wide, P.Reshape()(other, _interleaved((1,) * rank, b)))
    return P.Reshape()(product, tuple([x * y for x, y in zip(a, b)]))


def _max_rank(input, other):
    return input.ndim if input.ndim > other.ndim else other.ndim


def _interleaved(first, second):
    return tuple([size for pair in zip(first, second) for size in pair])


def vector_norm(x, ord=2, axis=None, keepdims=False, *, dtype=None):
    x = x if dtype is None else P.Cast()(x, dtype)
    dims = tuple(range(x.ndim)) if axis is None else _dims(axis)
    if ord in (float("inf"), -float("inf")) and len(dims) != 1:
        return P.unread("vector_norm")
    return _vector_norm(x, None if ord == 2 else ord, dims, keepdims, False)


def matrix_norm(A, ord="fro", axis=(-2, -1), keepdims=False, *, dtype=None):
    if ord in ("nuc", 2, -2) or keepdims:
        return P.unread("matrix_norm")
    A = A if dtype is None else P.Cast()(A, dtype)
    return _matrix_norm(A, ord, [each % A.ndim for each in axis], tuple(axis))


def rot90(input, k, dims):
    order = _perm(input.ndim, dims[0], dims[1])
    if k % 4 == 0:
        return input
    if k % 4 == 2:
        return P.ReverseV2((dims[1],))(P.ReverseV2((dims[0],))(input))
    if k % 4 == 1:
        return P.Transpose()(P.ReverseV2((dims[1],))(input), order)
    return P.ReverseV2((dims[1],))(P.Transpose()(input, order))



def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    return _group_norm(input, num_groups, weight, bias, eps)


def kl_div(logits, labels, reduction="mean"):
    if reduction in ("none", "sum"):
        return P.KLDivLoss(reduction)(logits, labels)
    count = logits.shape[0]
    if reduction == "mean":
        for size in logits.shape[1:]:
            count = count * size
    return P.Divs()(P.KLDivLoss("sum")(logits, labels), count)


def binary_cross_entropy(logits, labels, weight=None, reduction="mean"):
    return P.unread("binary_cross_entropy") if weight is not None else P.BinaryCrossEntropy(reduction)(logits, labels, None)


def soft_margin_loss(input, target, reduction="mean"):
    return P.SoftMarginLoss(reduction)(input, target)


def smooth_l1_loss(input, target, beta=1.0, reduction="none"):
    return P.SmoothL1Loss(beta, reduction)(input, target)


def huber_loss(input, target, reduction="mean", delta=1.0):
    distance = P.Abs()(P.Sub()(input, target))
    is_near = P.Less()(distance, delta)
    near = P.Mul()(0.5, P.Square()(distance))
    far = P.Mul()(delta, P.Sub()(distance, 0.5 * delta))
    return _reduced(P.Select()(is_near, near, far), reduction)


def vecdot(x, y, *, axis=-1):
    return P.SumExt()(P.Mul()(x, y), axis, False)


def atleast_1d(inputs):
    return P.Reshape()(inputs, (1,)) if inputs.ndim == 0 else inputs


def tensor_split(input, indices_or_sections, axis=0):
    if not isinstance(indices_or_sections, int):
        places = [0] + list(indices_or_sections) + [input.shape[axis]]
        return _parts(input, [after - before for before, after in zip(places, places[1:])], axis)
    length, count = input.shape[axis], indices_or_sections
    if length % count == 0:
        return P.Split(axis, count)(input)
    longer, size = length % count, length // count
    first, rest = narrow(input, axis, 0, longer * (size + 1)), narrow(input, axis, longer * (size + 1), (count - longer) * size)
    return P.Split(axis, longer)(first) + P.Split(axis, count - longer)(rest)


def hsplit(input, indices_or_sections):
    return tensor_split(input, indices_or_sections, 0 if input.ndim == 1 else 1)


def vsplit(input, indices_or_sections):
    return tensor_split(input, indices_or_sections, 0)


def dsplit(input, indices_or_sections):
    return tensor_split(input, indices_or_sections, 2)


def gather_nd(input_x, indices):
    return P.GatherNd()(input_x, indices)


def hstack(tensors):
    return P.Concat(0 if tensors[0].ndim == 1 else 1)(tensors)


def vstack(inputs):
    return P.Concat(0)([P.Reshape()(each, (1, -1)) if each.ndim == 1 else each for each in inputs])


def zeros(size, dtype=None):
    return _made(size, dtype, 0)


def ones(size, dtype=None):
    return _made(size, dtype, 1)


def full(size, fill_value, *, dtype=None):
    return _made(size, dtype, fill_value)


def arange(start=0, end=None, step=1, *, dtype=None):
    return _counted(start, end, step, dtype, True)


def tuple_to_array(input_x):
    return P.constant((len(input_x),), "float32" if isinstance(input_x[0], float) else "int64", None)


def range_of(start, end, step, maxlen=1000000):
    return _counted(start, end, step, None)


def fill(type, shape, value):
    return _made(shape, type, value)


def adaptive_avg_pool2d(input, output_size):
    return P.AdaptiveAvgPool2D(output_size)(input)


def adaptive_max_pool2d(input, output_size, return_indices=False):
    found = P.AdaptiveMaxPool2D(output_size)(input)
    return found if return_indices else found[0]


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    rank, at_corners = input.ndim, align_corners is True
    if size is None and not recompute_scale_factor:
        return P.unread("interpolate")
    sizes = _scaled(input, size, scale_factor)
    if rank == 4 and mode == "area":
        return P.AdaptiveAvgPool2D(sizes)(input)
    if rank == 3 and mode == "area":
        return adaptive_avg_pool1d(input, sizes[0])
    if rank == 4 and mode == "nearest":
        return P.ResizeNearestNeighborV2()(input, sizes)
    if rank == 3 and mode == "nearest":
        return P.Squeeze(-1)(P.ResizeNearestNeighborV2()(P.ExpandDims()(input, -1), (sizes[0], 1)))
    if rank == 4 and mode == "bilinear":
        return P.ResizeBilinearV2(at_corners, not at_corners)(input, sizes)
    if rank == 4 and mode == "bicubic":
        return P.ResizeBicubic(at_corners, not at_corners)(input, sizes)
    if rank == 3 and mode == "linear":
        return P.ResizeLinear1D("align_corners" if at_corners else "half_pixel")(input, sizes)
    return P.unread("interpolate")


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    return interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor)


def adaptive_avg_pool1d(input, output_size):
    kernel, stride = _narrow(input.shape[2], output_size)
    return P.Squeeze(2)(P.AvgPool(kernel, stride)(P.ExpandDims()(input, 2)))


def adaptive_max_pool1d(input, output_size):
    kernel, stride = _narrow(input.shape[2], output_size)
    return P.Squeeze(2)(P.MaxPool(kernel, stride)(P.ExpandDims()(input, 2)))


def adaptive_avg_pool3d(input, output_size):
    return P.AdaptiveAvgPool3D(output_size)(input)


def max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    if x.dtype != "float16":
        raise TypeError("max_pool2d of MindSpore 2.10 takes tensors of float16")
    found = P.MaxPoolWithArgmaxV2(kernel_size, stride, padding, dilation, ceil_mode)(x)
    return found if return_indices else found[0]


def avg_pool2d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0):
    if ceil_mode or padding != 0:
        return P.unread("avg_pool2d")
    kernel, strides = (1, *_pair(kernel_size)), (1, *_pair(stride))
    pool = P.AvgPool3D(kernel, strides, "pad", 0, ceil_mode, count_include_pad, divisor_override)
    return P.Squeeze(2)(pool(P.ExpandDims()(input_x, 2)))


def avg_pool1d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True):
    if ceil_mode or padding != 0:
        return P.unread("avg_pool1d")
    pool = P.AvgPool3D((1, 1, kernel_size), (1, 1, stride), "pad", 0, ceil_mode, count_include_pad)
    return P.Squeeze((2, 3))(pool(P.ExpandDims()(P.ExpandDims()(input_x, 2), 2)))


def pixel_shuffle(input, upscale_factor):
    return _shuffled(input, upscale_factor)


def pixel_unshuffle(input, downscale_factor):
    return _unshuffled(input, downscale_factor)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    if input.ndim != 4:
        raise ValueError(f"For primitive[Im2Col], the dimension of input x must be equal to 4, but got {input.ndim}")
    made = P.Im2Col(_pair(kernel_size), _pair(stride), _pair(dilation), _pair(padding))(input)
    return P.Reshape()(made, (made.shape[0], -1, made.shape[-1]))


def dropout1d(input, p=0.5, training=True):
    if not training:
        return input
    if input.ndim != 3:
        return P.unread("dropout1d")
    return P.Squeeze(-1)(P.Dropout2D(1.0 - p)(P.ExpandDims()(input, -1))[0])


def dropout2d(input, p=0.5, training=True):
    return P.Dropout2D(1.0 - p)(input)[0] if training else input


def dropout3d(input, p=0.5, training=True):
    return P.Dropout3D(1.0 - p)(input)[0] if training else input


def lp_pool1d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    if x.ndim != 3:
        return P.unread("lp_pool1d")
    pooled = avg_pool1d(P.Pow()(x, norm_type), kernel_size, kernel_size if stride is None else stride, 0, ceil_mode)
    return _rooted(pooled, kernel_size, norm_type)


def lp_pool2d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    high, wide = _pair(kernel_size)
    pooled = avg_pool2d(P.Pow()(x, norm_type), kernel_size, kernel_size if stride is None else stride, 0, ceil_mode)
    return _rooted(pooled, high * wide, norm_type)


def _rooted(pooled, count, norm_type):
    size = P.Mul()(P.Sign()(pooled), P.ReLU()(P.Abs()(pooled)))
    return P.Pow()(P.Muls()(size, count), 1.0 / norm_type)


def channel_shuffle(x, groups):
    return P.ChannelShuffle(groups)(x)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    if input.ndim != 4:
        return P.unread("grid_sample")
    return P.GridSampler2D()(input, grid, mode, padding_mode, align_corners)


def batch_norm(input_x, running_mean, running_var, weight, bias, training=False, momentum=0.1, eps=1e-5):
    return P.BatchNorm(training, eps, momentum)(input_x, weight, bias, running_mean, running_var)[0]


def conv2d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    pads = padding if isinstance(padding, int) else (padding[0], padding[0], padding[-1], padding[-1])
    made = P.Conv2D(weight.shape[0], weight.shape[2:4], 1, pad_mode, pads, stride, dilation, groups)(input, weight)
    return made if bias is None else P.BiasAdd()(made, bias)


def conv1d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    pads = (0, 0, padding, padding) if isinstance(padding, int) else (0, 0, padding[0], padding[0])
    image, kernel = P.ExpandDims()(input, 2), P.ExpandDims()(weight, 2)
    conv = P.Conv2D(weight.shape[0], (1, weight.shape[2]), 1, pad_mode, pads, (1, stride), (1, dilation), groups)
    made = P.Squeeze(2)(conv(image, kernel))
    return made if bias is None else P.BiasAdd()(made, bias)


def float_power(input, exponent):
    return P.Pow()(_in_double(input), _in_double(exponent))


def addcmul(input, tensor1, tensor2, value=1):
    return P.Addcmul()(input, tensor1, tensor2, _made((), "float32", value) if _is_number(value) else value)


def addcdiv(input, tensor1, tensor2, value=1):
    return P.Addcdiv()(input, tensor1, tensor2, _made((), "float32", value) if _is_number(value) else value)


def cross(input, other, dim=None):
    return P.Cross()(input, other, dim)


def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    if beta != 1 or alpha != 1:
        return P.unread("addbmm")
    return P.Add()(input, P.SumExt()(P.BatchMatMul()(batch1, batch2), 0))


def row_stack(tensors):
    return vstack(tensors)


def atleast_2d(inputs):
    return inputs if not isinstance(inputs, (tuple, list)) and inputs.ndim > 1 else P.unread("atleast_2d")


def atleast_3d(inputs):
    if isinstance(inputs, (tuple, list)) or inputs.ndim < 2:
        return P.unread("atleast_3d")
    return P.Reshape()(inputs, (*inputs.shape, 1)) if inputs.ndim == 2 else inputs


def iou(anchor_boxes, gt_boxes, mode="iou"):
    return P.IOU(mode)(anchor_boxes, gt_boxes)


def histc(input, bins=100, min=0.0, max=0.0):
    return P.Histogram(bins, min, max)(input)


def conv3d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    if not isinstance(padding, int):
        return P.unread("conv3d")
    made = P.Conv3D(weight.shape[0], weight.shape[2:5], 1, pad_mode, padding, stride, dilation, groups)(input, weight)
    return made if bias is None else P.BiasAdd()(made, bias)


def diagonal(input, offset=0, dim1=0, dim2=1):
    return P.Diagonal(offset, dim1, dim2)(input)


def index_add(x, indices, y, axis, use_lock=True, check_index_bound=True):
    return P.IndexAdd(axis)(x, indices, y)


def scatter(input, axis, index, src):
    return P.unread("scatter") if _is_number(src) else P.Scatter()(input, axis, index, src)


def searchsorted(sorted_sequence, values, *, out_int32=False, right=False, side=None, sorter=None):
    return P.unread("searchsorted") if out_int32 or sorter is not None else P.SearchSorted()(sorted_sequence, values)


def vander(x, N=None):
    count = x.shape[0] if N is None else N
    powers = P.ExpandDims()(P.constant((count,), "int64", count - 1, -1), 0)
    return P.Pow()(P.ExpandDims()(x, 1), powers)


def renorm(input, p, axis, maxnorm):
    return P.Renorm(p, axis, maxnorm)(input)


def logcumsumexp(input, axis):
    return P.CumulativeLogsumexp()(input, _made((), "int64", axis))


def addr(x, vec1, vec2, *, beta=1, alpha=1):
    if beta != 1 or alpha != 1:
        return P.unread("addr")
    product = P.MatMul()(P.Reshape()(vec1, (-1, 1)), P.Reshape()(vec2, (1, -1)))
    return P.Add()(x, product)


def fills(x, value):
    return P.Fills()(x, value)


def linspace(start, end, steps):
    return P.LinSpace()(start, end, steps)


def logspace(*given, **settings):
    return P.unread("logspace")


def eye(n, m=None, dtype=None):
    return P.Eye()(n, n if m is None else m, dtype)


def randint(*given, **settings):
    return P.unread("randint")


def randperm(*given, **settings):
    return P.unread("randperm")


def normal(*given, **settings):
    return P.unread("normal")


def uniform(*given, **settings):
    return P.unread("uniform")


def gamma(*given, **settings):
    return P.unread("gamma")


def laplace(*given, **settings):
    return P.unread("laplace")


def random_gamma(*given, **settings):
    return P.unread("random_gamma")


def random_poisson(*given, **settings):
    return P.unread("random_poisson")


def standard_laplace(*given, **settings):
    return P.unread("standard_laplace")


def hamming_window(*given, **settings):
    return P.unread("hamming_window")


def hann_window(*given, **settings):
    return P.unread("hann_window")


def bartlett_window(*given, **settings):
    return P.unread("bartlett_window")


def blackman_window(*given, **settings):
    return P.unread("blackman_window")


def kaiser_window(*given, **settings):
    return P.unread("kaiser_window")


def tril_indices(*given, **settings):
    return P.unread("tril_indices")


def triu_indices(*given, **settings):
    return P.unread("triu_indices")


def fftfreq(*given, **settings):
    return P.unread("fftfreq")


def rfftfreq(*given, **settings):
    return P.unread("rfftfreq")


def rand(*size, dtype=None, seed=None):
    return P.UniformReal()(_flat(size))


def randn(*size, dtype=None, seed=None):
    return P.StandardNormal()(_flat(size))


def standard_normal(shape, seed=None):
    return P.StandardNormal()(tuple(shape))


def div(input, other, *, rounding_mode=None):
    return P.Div()(input, other) if rounding_mode is None else P.DivMod()(input, other, rounding_mode)


def divide(input, other, *, rounding_mode=None):
    return div(input, other, rounding_mode=rounding_mode)


def nll_loss(inputs, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    if inputs.ndim not in (2, 4):
        return P.library("nll_loss")(inputs, target, weight, ignore_index, reduction)
    dim = 1 if inputs.ndim == 4 else -1
    indices = P.ExpandDims()(target, dim)
    ignored = P.Equal()(indices, ignore_index)
    places, weights = P.MaskedFill()(indices, ignored, 0), None
    if weight is not None:
        weights, inputs = P.Gather()(weight, places, 0), _weighted(inputs, weight)
    losses, smooth = P.Neg()(P.GatherD()(inputs, dim, places)), P.Neg()(P.SumExt()(inputs, dim, True))
    weights = P.OnesLike()(losses) if weights is None else weights
    losses = P.Reshape()(P.MaskedFill()(losses, ignored, 0), target.shape)
    weights = P.MaskedFill()(weights, ignored, 0)
    smooth = P.Reshape()(P.MaskedFill()(smooth, ignored, 0), target.shape)
    if reduction != "none":
        losses, smooth = P.SumExt()(losses), P.SumExt()(smooth)
    if reduction == "mean":
        counted = P.SumExt()(weights)
        losses, smooth = P.Div()(losses, counted), P.Div()(smooth, counted)
    even = label_smoothing / inputs.shape[dim]
    return P.Add()(P.Muls()(losses, 1.0 - label_smoothing), P.Muls()(smooth, even))


def _weighted(inputs, weight):
    if inputs.ndim == 2:
        return P.Mul()(inputs, weight)
    rows = P.Reshape()(inputs, (*inputs.shape[:2], -1))
    return P.Reshape()(P.Mul()(rows, P.Reshape()(weight, (weight.shape[0], 1))), inputs.shape)


def cross_entropy(
    input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
    if weight is None and target.dtype in ("float32", "float16"):
        return _of_probabilities(input, target, reduction, label_smoothing)
    if input.ndim not in (2, 4) or target.ndim != input.ndim - 1:
        called = (input, target, weight, ignore_index, reduction, label_smoothing)
        return P.library("cross_entropy")(*called)
    logarithms = P.Sub()(input, logsumexp(input, 1, True))
    return nll_loss(logarithms, target, weight, ignore_index, reduction, label_smoothing)


def _of_probabilities(input, target, reduction, label_smoothing):
    class_dim = 0 if input.ndim == 1 else 1
    logarithms = P.Sub()(input, logsumexp(input, class_dim, True))
    if label_smoothing > 0:
        target = P.Add()(P.Muls()(target, 1 - label_smoothing), label_smoothing / input.shape[class_dim])
    product = P.Mul()(P.Mul()(logarithms, target), P.OnesLike()(logarithms))
    if reduction == "none":
        return P.Neg()(P.SumExt()(product, class_dim))
    total = P.Neg()(P.SumExt()(product))
    return total if reduction == "sum" else P.Divs()(total, 2)


def assign(variable, value):
    return P.Assign()(variable, value)


def assign_add(variable, value):
    return P.AssignAdd()(variable, value)


def assign_sub(variable, value):
    return P.AssignSub()(variable, value)


def scatter_add(input_x, indices, updates):
    return P.ScatterAdd()(input_x, indices, updates)


def scatter_div(input_x, indices, updates):
    return P.ScatterDiv()(input_x, indices, updates)


def scatter_max(input_x, indices, updates):
    return P.ScatterMax()(input_x, indices, updates)


def scatter_min(input_x, indices, updates):
    return P.ScatterMin()(input_x, indices, updates)


def scatter_mul(input_x, indices, updates):
    return P.ScatterMul()(input_x, indices, updates)


def scatter_update(input_x, indices, updates):
    return P.ScatterUpdate()(input_x, indices, updates)


def scatter_nd_add(input_x, indices, updates, use_locking=False):
    return P.ScatterNdAdd(use_locking)(input_x, indices, updates)


def scatter_nd_sub(input_x, indices, updates, use_locking=False):
    return P.ScatterNdSub(use_locking)(input_x, indices, updates)


def scatter_nd_div(input_x, indices, updates, use_locking=False):
    return P.ScatterNdDiv(use_locking)(input_x, indices, updates)


def scatter_nd_max(input_x, indices, updates, use_locking=False):
    return P.ScatterNdMax(use_locking)(input_x, indices, updates)


def scatter_nd_min(input_x, indices, updates, use_locking=False):
    return P.ScatterNdMin(use_locking)(input_x, indices, updates)


def scatter_nd_mul(input_x, indices, updates, use_locking=False):
    return P.ScatterNdMul(use_locking)(input_x, indices, updates)


def scatter_nd_update(input_x, indices, updates):
    return P.ScatterNdUpdate()(input_x, indices, updates)
