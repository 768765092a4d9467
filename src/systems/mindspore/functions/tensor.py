# Methods of tensors (2.10) that are no functions of mindspore.ops.


def reshape(input, *shape):
    return P.Reshape()(input, _flat(shape))


def view(input, *shape):
    return P.Reshape()(input, _flat(shape))


def transpose(input, *axes):
    order = _flat(axes)
    if len(order) == 0:
        return P.Transpose()(input, tuple(range(input.ndim))[::-1])
    _check_order(input, order)
    return P.Transpose()(input, order)


def permute(input, *axis):
    return P.Transpose()(input, _flat(axis))


# By their names of `mint`, dims are those of another primitive.


def _along(axis, dim):
    return axis if dim is None else dim


def sum(input, axis=None, dtype=None, keepdims=False, initial=None, *, dim=None, keepdim=False):
    return P.SumExt()(input, _along(axis, dim), keepdims or keepdim)


def mean(input, axis=None, keep_dims=False, *, dim=None, keepdim=None, dtype=None):
    if dim is not None or keepdim is not None or dtype is not None:
        return P.MeanExt()(input, _along(axis, dim), keep_dims or keepdim is True, dtype)
    return P.ReduceMean(keep_dims)(input, () if axis is None else axis)


def prod(input, axis=None, keep_dims=False, dtype=None, *, dim=None, keepdim=False):
    return P.ProdExt()(input, _along(axis, dim), keep_dims or keepdim)


def max(input, axis=None, keepdims=False, *, initial=None, where=None, return_indices=False, dim=None, keepdim=None):
    if dim is not None or keepdim is not None:
        return P.MaxDim()(input, _along(axis, dim), keepdim is True)
    if axis is None:
        return P.Max()(input)
    found = P.ArgMaxWithValue(axis, keepdims)(input)
    return (found[1], found[0]) if return_indices else found[1]


def min(input, axis=None, keepdims=False, *, initial=None, where=None, return_indices=False, dim=None, keepdim=None):
    if dim is not None or keepdim is not None:
        return P.MinDim()(input, _along(axis, dim), keepdim is True)
    if axis is None:
        return P.Min()(input)
    found = P.ArgMinWithValue(axis, keepdims)(input)
    return (found[1], found[0]) if return_indices else found[1]


def argmax(input, axis=None, keepdims=False, *, dim=None, keepdim=None):
    if dim is not None or keepdim is not None:
        return P.ArgMaxExt()(input, _along(axis, dim), keepdim is True)
    # Without an axis 2.10 takes the last one.
    at = P.Argmax(-1 if axis is None else axis, "int64")(input)
    return P.ExpandDims()(at, axis) if keepdims and axis is not None else at


_argmin = argmin


def argmin(input, axis=None, keepdims=False, *, dim=None, keepdim=None):
    if dim is not None or keepdim is not None:
        return P.ArgMinExt()(input, _along(axis, dim), keepdim is True)
    return _argmin(input, axis, keepdims)


_sort = sort


def sort(input, axis=-1, descending=False, *, dim=None, stable=None):
    if dim is not None or stable is not None:
        return P.SortExt()(input, _along(axis, dim), descending, stable is True)
    return _sort(input, axis, descending)


def argsort(input, axis=-1, descending=False, *, dim=None, stable=None):
    if dim is not None or stable is not None:
        return P.ArgSort()(input, _along(axis, dim), descending, stable is True)
    return _sort(input, axis, descending)[1]


def cumsum(input, axis=None, dtype=None, *, dim=None):
    return P.CumSum()(input, axis) if dim is None else P.CumsumExt()(input, dim, dtype)


def all(input, axis=None, keep_dims=False, *, dim=None, keepdim=False):
    given = _along(axis, dim)
    return P.ReduceAll(keep_dims or keepdim)(input, () if given is None else given)


def any(input, axis=None, keep_dims=False, *, dim=None, keepdim=False):
    given = _along(axis, dim)
    return P.ReduceAny(keep_dims or keepdim)(input, () if given is None else given)


_logsumexp = logsumexp


def logsumexp(input, axis=None, keepdims=False, *, dim=None, keepdim=False):
    return _logsumexp(input, _along(axis, dim), keepdims or keepdim)


_median = median


def median(input, axis=None, keepdims=False, *, dim=None, keepdim=None):
    if dim is not None or keepdim is not None:
        return P.MedianDim()(input, _along(axis, dim), keepdim is True)
    return _median(input, -1 if axis is None else axis, keepdims)


_nansum = nansum


def nansum(input, axis=None, keepdims=False, *, dtype=None, dim=None, keepdim=None):
    if dim is not None or keepdim is not None:
        return P.Nansum()(input, _along(axis, dim), keepdim is True, dtype)
    return _nansum(input, axis, keepdims)


_count_nonzero = count_nonzero


def count_nonzero(input, axis=(), keep_dims=False, dtype=None, *, dim=None):
    return _count_nonzero(input, axis, keep_dims) if dim is None else P.CountNonZero()(input, dim)


def scatter(input, axis=None, index=None, src=None, *, dim=None):
    return P.unread("scatter") if _is_number(src) else P.Scatter()(input, _along(axis, dim), index, src)


def var(input, axis=None, ddof=0, keepdims=False, *, dim=None, correction=None, keepdim=None):
    if dim is not None or correction is not None or keepdim is not None:
        return P.Var()(input, axis if dim is None else dim, 1 if correction is None else correction, keepdim is True)
    dims = tuple(range(input.ndim)) if axis is None else _dims(axis)
    count = 1
    for dim in dims:
        count = count * input.shape[dim]
    distance = P.Sub()(input, P.ReduceMean(True)(input, dims))
    return P.Div()(P.ReduceSum(keepdims)(P.Pow()(distance, 2), dims), count - ddof)


def std(input, axis=None, ddof=0, keepdims=False, *, dim=None, correction=None, keepdim=None):
    if dim is not None or correction is not None or keepdim is not None:
        return P.Std()(input, axis if dim is None else dim, 1 if correction is None else correction, keepdim is True)
    return P.Pow()(var(input, axis, ddof, keepdims), 0.5)


def add(input, other, *, alpha=None):
    if alpha is None:
        return P.Add()(input, other)
    return P.AddScalar()(input, other, alpha) if _is_number(other) else P.AddExt()(input, other, alpha)


def sub(input, other, *, alpha=None):
    if alpha is None:
        return P.Sub()(input, other)
    return P.SubScalar()(input, other, alpha) if _is_number(other) else P.SubExt()(input, other, alpha)


def flatten(input, *places, order="C", start_dim=0, end_dim=-1):
    rank = input.ndim
    if len(places) > 0:
        return P.FlattenExt()(input, places[0], places[1] if len(places) > 1 else end_dim)
    if rank > 1 and start_dim % rank == 1 and end_dim % rank == rank - 1:
        return P.Flatten()(input)
    return P.Reshape()(input, _merged(input.shape, start_dim, end_dim))


def value(input):
    return input


def view_as(input, other):
    return P.ViewAs()(input, other)


def tile(input, *places, reps=None, dims=None):
    said = reps if dims is None else dims
    return P.Tile()(input, _flat(places) if said is None else tuple(said))


def astype(self, dtype, copy=True):
    return P.Cast()(self, dtype)


def to(input, dtype):
    return P.Cast()(input, dtype)


def addr(x, vec1, vec2, *, beta=1, alpha=1):
    if beta != 1 or alpha != 1:
        return P.unread("addr")
    return P.Add()(x, P.MatMul()(P.Reshape()(vec1, (-1, 1)), P.Reshape()(vec2, (1, -1))))


def mT(input):
    return P.Transpose()(input, _perm(input.ndim, -2, -1))


def expand_as(input, other):
    return P.BroadcastTo(tuple(other.shape))(input)


def new_ones(input, size, dtype=None):
    return P.NewOnes()(input, _dims(size), input.dtype if dtype is None else dtype)


def new_zeros(input, size, dtype=None):
    return P.NewZeros()(input, _dims(size), input.dtype if dtype is None else dtype)


def new_full(input, size, fill_value, *, dtype=None):
    return P.NewFull()(input, _dims(size), fill_value, input.dtype if dtype is None else dtype)


def new_empty(input, size, dtype=None):
    return P.NewEmpty()(input, _dims(size), input.dtype if dtype is None else dtype)


def type_as(input, other):
    return P.Cast()(input, other.dtype)


def repeat_interleave(input, repeats, dim=None):
    return _repeated(input, repeats, dim)


def _item(input, keys, is_alone):
    """A part of a tensor: new dims first, then one slice of all dims."""
    if is_alone and keys[0] is None:
        return P.ExpandDims()(input, 0)
    if is_alone and keys[0] == "...":
        return input
    taken = len([1 for key in keys if key is not None and key != "..."])
    if "..." not in keys:
        keys = keys + ["..."]
    at = keys.index("...")
    keys = keys[:at] + [(None, None, None)] * (input.ndim - taken) + keys[at + 1 :]
    for dim, key in enumerate(keys):
        if key is None:
            input = P.ExpandDims()(input, dim)
    begin, end, strides, shrunk = [], [], [], 0
    for dim, key in enumerate(keys):
        size = input.shape[dim]
        if isinstance(key, int):
            if key < -size or key >= size:
                raise IndexError(f"index {key} is out of bounds for dimension {dim} with size {size}")
            start = key % size
            begin.append(start)
            end.append(start + 1)
            strides.append(1)
            shrunk = shrunk + 2**dim
            continue
        start, stop, step = (None, None, None) if key is None else key
        step = 1 if step is None else step
        if step < 0:
            begin.append(_backwards(size - 1 if start is None else start, size))
            end.append(_backwards(-size - 1 if stop is None else stop, size))
            strides.append(step)
            continue
        start = 0 if start is None else start
        stop = size if stop is None else stop
        begin.append(_least(start + size) if start < 0 else _most(start, size))
        end.append(_least(stop + size) if stop < 0 else _most(stop, size))
        strides.append(step)
    return P.StridedSlice(0, 0, 0, 0, shrunk)(input, tuple(begin), tuple(end), tuple(strides))


def _least(place):
    return place if place > 0 else 0


def _most(place, size):
    return place if place < size else size


def _backwards(place, size):
    """An end of a slice that goes backwards; -size - 1 is the place before the first."""
    if place < 0:
        return place if place >= -size else -size - 1
    return place if place < size else size - 1


def masked_fill(input_x, mask, value):
    if _is_number(value):
        return P.MaskedFillScalar()(input_x, mask, value)
    return P.MaskedFill()(input_x, mask, value)


def gather(input, *places, dim=None, index=None, axis=None, input_indices=None, batch_dims=0):
    """`gather(dim, index)` of one element each, or `gather(indices, axis)` of rows."""
    first = places[0] if len(places) > 0 else (dim if dim is not None else input_indices)
    second = places[1] if len(places) > 1 else (index if index is not None else axis)
    if isinstance(first, int):
        return P.GatherD()(input, first, second)
    return P.Gather(batch_dims)(input, first, second)


def index_select(input, *places, axis=None, dim=None, index=None):
    if dim is not None:
        return P.IndexSelect()(input, dim, index)
    along = places[0] if len(places) > 0 else axis
    return P.Gather()(input, places[1] if len(places) > 1 else index, along)


def split(tensor, split_size_or_sections, axis=0, *, dim=None):
    return P.SplitTensor()(tensor, split_size_or_sections, dim) if dim is not None else _split(tensor, split_size_or_sections, axis)


def chunk(input, chunks, axis=0, *, dim=None):
    return P.Chunk()(input, chunks, dim) if dim is not None else _chunk(input, chunks, axis)


def unbind(input, dim=0):
    return P.Unstack(dim)(input)


def take(input, indices, axis=None, mode="clip"):
    if mode != "clip":
        return P.unread("take")
    whole = P.Reshape()(input, (-1,)) if axis is None else input
    at = 0 if axis is None else axis % input.ndim
    least, most = [_made(tuple(indices.shape), indices.dtype, each) for each in (-whole.shape[at], whole.shape[at] - 1)]
    is_below, is_above = P.Less()(indices, least), P.Greater()(indices, most)
    inside = P.Select()(is_below, _made(tuple(indices.shape), indices.dtype, 0), indices)
    inside = P.Select()(is_above, most, inside)
    count = 1
    for each in indices.shape:
        count = count * each
    front, back = tuple(whole.shape[:at]), tuple(whole.shape[at + 1 :])
    rows = P.Reshape()(inside, (1,) * at + (count,) + (1,) * len(back))
    places = P.BroadcastTo(front + (count,) + back)(rows)
    return P.Reshape()(P.GatherD()(whole, at, places), front + tuple(indices.shape) + back)


def fill_diagonal(input, fill_value, wrap=False):
    return P.FillDiagonal(fill_value, wrap)(input)


def diag(input, diagonal=0):
    raise RuntimeError("As a deprecated Tensor method, 'diag' should be registered: MindSpore 2.10 compiles it in no graph")


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    return P.TensorToScalar()(P.ReduceAll()(P.IsClose()(input, other), ()))


def select(input, *places, dim=None, index=None, condition=None, y=None):
    first = places[0] if len(places) > 0 else (dim if dim is not None else condition)
    second = places[1] if len(places) > 1 else (index if index is not None else y)
    if isinstance(first, int):
        return P.SelectExtView()(input, first, second)
    return P.Select()(input, first, second)


def where(condition, x, y):
    return P.Select()(condition, x, y)


def fill(input, value):
    # What it gives is no constant of the net: it asks for the type of the value.
    return P.constant(tuple(input.shape), input.dtype, value, 0)


def div(input, other, *, rounding_mode=None):
    if rounding_mode is not None:
        return P.DivMod()(input, other, rounding_mode)
    return P.Divs()(input, other) if _is_number(other) else P.Div()(input, other)


def divide(input, other, *, rounding_mode=None):
    return div(input, other, rounding_mode=rounding_mode)


def expand(input, *size):
    raise TypeError("In graph mode MindSpore 2.10 cannot compile Tensor.expand: broadcast_to takes the shape")


def clone(input):
    return P.Clone()(input)


def copy(input):
    return P.Divs()(input, 1.0)


def contiguous(input):
    return input



def trace(input, offset=0, axis1=0, axis2=1, dtype=None):
    return P.TraceV2()(input, offset, axis1, axis2, dtype)


def scatter_add(input, dim, index, src):
    return P.ScatterAddExt()(input, dim, index, src)


def index_add(input, dim, index, source, *, alpha=1):
    if not isinstance(dim, int):
        raise TypeError("Tensor.index_add takes a dim, indices and a tensor to add")
    return P.unread("index_add")


def addcdiv(input, tensor1, tensor2, *, value=1):
    return P.AddcdivExt()(input, tensor1, tensor2, value)


# `x + [1.0]` (2.10): a list is a tensor of its numbers, or a stack of the tensors in it.
_OF_LISTS = {"+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "//": "FloorDiv", "%": "FloorMod"}


def _beside_list(operator, a, b):
    if operator == "@":
        raise TypeError("Failed calling MatMulExt: it takes tensors, but got a list")
    if operator not in _OF_LISTS:
        raise RuntimeError(f"'{operator}' of a tensor and a list is not compiled by MindSpore 2.10")
    name = "RealDiv" if operator == "/" and isinstance(a, (list, tuple)) else _OF_LISTS[operator]
    return getattr(P, name)()(_of_list(a), _of_list(b))


def _of_list(value):
    if not isinstance(value, (list, tuple)):
        return value
    sizes, first = [], value
    while isinstance(first, (list, tuple)):
        sizes.append(len(first))
        if len(first) == 0:
            return P.constant(sizes, "float32")
        first = first[0]
    if first is None:
        raise TypeError("Failed calling TupleToTensor: it takes numbers")
    if not _is_number(first):
        return P.Stack(0)([_of_list(each) for each in value])
    flat = _flattened(value)
    if not all(_is_number(each) for each in flat):
        raise TypeError("Failed calling TupleToTensor: it takes numbers")
    dtype = "bool" if isinstance(first, bool) else "int64" if isinstance(first, int) else "float32"
    return P.constant(sizes, dtype, flat[0]) if all(each == flat[0] for each in flat) else P.constant(sizes, dtype)


def _flattened(value):
    return [each for item in value for each in _flattened(item)] if isinstance(value, (list, tuple)) else [value]
