
def _joined(arrays, axis, name):
    if is_tensor(arrays):
        arrays = [arrays[i] for i in range(arrays.shape[0])]
    if not isinstance(arrays, (list, tuple)):
        raise TypeError("arrays to " + name + " must be passed as a sequence")
    if not arrays:
        raise ValueError("need at least one array to " + name)
    return [_array(each) for each in arrays]

def _concatenated(arrays, axis):
    for each in arrays:
        if each.dim() == 0:
            raise ValueError("zero-dimensional arrays cannot be concatenated")
        if each.dim() != arrays[0].dim():
            raise ValueError("all the input array dimensions must match, but there are %d and %d dimension(s)" % (arrays[0].dim(), each.dim()))
    axis = _ax(arrays[0].dim(), axis)
    return torch.cat(arrays, dim=axis)

def _atleast(a, rank):
    a = _array(a)
    if rank == 3 and a.dim() < 3:
        return torch.atleast_3d(a)
    return a.reshape(*[1] * (rank - a.dim()), *a.shape) if a.dim() < rank else a

def _cut(a, parts, axis, is_even):
    a = _array(a)
    axis = _ax(a.dim(), axis)
    if isinstance(parts, (list, tuple)):
        marks = [0] + [min(each, a.shape[axis]) for each in parts] + [a.shape[axis]]
        return list(torch.split(a, [max(0, y - x) for x, y in zip(marks, marks[1:])], axis))
    _whole(parts)
    if parts < 1:
        raise ValueError("number sections must be larger than 0.")
    if is_even and a.shape[axis] % parts:
        raise ValueError("array split does not result in an equal division")
    return list(torch.tensor_split(a, parts, axis))

def _moved(a, source, destination):
    a = _array(a)
    froms = [_ax(a.dim(), s) for s in (source if isinstance(source, (list, tuple)) else [source])]
    tos = [_ax(a.dim(), s) for s in (destination if isinstance(destination, (list, tuple)) else [destination])]
    if len(froms) != len(tos):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    return torch.movedim(a, tuple(froms), tuple(tos))

def _tiled(a, reps):
    a = _array(a)
    reps = list(reps) if isinstance(reps, (list, tuple)) else [reps]
    for each in reps:
        _whole(each)
    return a.repeat(*[1] * (a.dim() - len(reps)), *reps) if a.dim() or reps else a

def _sides(width, rank):
    if isinstance(width, int):
        return [(width, width)] * rank
    rows = [list(each) if isinstance(each, (list, tuple)) else each for each in width]
    if not [each for each in rows if isinstance(each, list)]:
        rows = [rows]
    rows = rows * rank if len(rows) == 1 else rows
    if len(rows) != rank:
        raise ValueError("operands could not be broadcast together with shape (%d,2)" % len(rows))
    return [(each[0], each[-1]) for each in rows]

def _padded(a, width, mode):
    a = _array(a)
    if not isinstance(width, (int, list, tuple)) and not is_unknown(width):
        raise TypeError("`pad_width` must be of integral type.")
    if isinstance(mode, str) and mode not in ("constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap", "empty"):
        raise ValueError("mode '" + mode + "' is not supported")
    if is_unknown(width):
        return unknown("numpy.pad", a)
    sides = _sides(width, a.dim())
    if [side for pair in sides for side in pair if side < 0]:
        raise ValueError("index can't contain negative values")
    return F.pad(a, [side for pair in sides[::-1] for side in pair])

def _one(name, x, out, dtype, is_real):
    x = _array(_operand(x))
    x = _narrow_real(x) if is_real else x
    is_like = name == "cbrt" or name == "reciprocal" and not x.is_floating_point()
    return _out(_typed(_each(name, x) if is_like else getattr(torch, name)(x), dtype), out)

def _degrees(ddof, correction):
    if correction is not _nothing and ddof != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    return ddof if correction is _nothing else correction

def _is_object(x):
    return x is None or isinstance(x, str)

def _both(x, y):
    x, y = _operand(x), _operand(y)
    shapes = [each.shape for each in (x, y) if is_tensor(each)]
    if len(shapes) == 2:
        for s, t in zip(list(shapes[0])[::-1], list(shapes[1])[::-1]):
            if s != t and s != 1 and t != 1:
                raise ValueError("operands could not be broadcast together with shapes %s %s" % (tuple(shapes[0]), tuple(shapes[1])))
    return x, y

# A number beside an array is of the type of the array, where that has numbers of its kind.
def _held(number, array):
    kind = array.dtype
    if isinstance(number, float) and not array.is_floating_point():
        kind = "float64"
    elif kind == torch.bool and not isinstance(number, bool):
        kind = "int64"
    return torch.tensor(number, dtype=kind)

def _meeting(x, y, real=False):
    one = _held(x, y) if _is_number(x) and is_tensor(y) else _array(x)
    other = _held(y, x) if _is_number(y) and is_tensor(x) else _array(y)
    return (_narrow_real(one), _narrow_real(other)) if real else (one, other)

def _products(x, y):
    x, y = _array(x), _array(y)
    if x.dim() == 0 or y.dim() == 0:
        raise ValueError("matmul: Input operand does not have enough dimensions")
    return torch.matmul(x, y)

def _length_of(x, ord, axis, keepdims):
    x = _array(x)
    axes = _axes(x.dim(), tuple(axis) if isinstance(axis, list) else axis)
    if axis is None and ord is None:
        return torch.norm(_real(x), dim=tuple(axes), keepdim=keepdims)
    if isinstance(ord, str) and (len(axes) != 2 or ord not in ("fro", "nuc")):
        raise ValueError("Invalid norm order '" + ord + "'")
    if len(axes) > 2:
        raise ValueError("Improper number of dimensions to norm.")
    if len(axes) == 1 and ord in (None, 2):
        return torch.norm(_real(x), dim=tuple(axes), keepdim=keepdims)
    return _reduced("norm", _real(x), axes, keepdims)

def _middle(name, a, axis, keepdims):
    a = _real(_array(a))
    return _reduced(name, a, _axes(a.dim(), tuple(axis) if isinstance(axis, list) else axis), keepdims)

def _quantiles(a, q, axis, keepdims):
    if is_tensor(q):
        return unknown("numpy.quantile", _array(a), q)
    made = _middle("quantile", a, axis, keepdims)
    return torch.stack([made] * len(q)) if isinstance(q, (list, tuple)) else made

class functions(shared):
    """Functions of arrays that methods of their names are not."""
    def reshape(a, /, shape, order="C", *, copy=None):
        return _reshaped(_array(a), shape, order, copy)

    def transpose(a, axes=None):
        return _permuted(_array(a), axes)

    permute_dims = transpose

    def clip(a, a_min=_nothing, a_max=_nothing, out=None, *, min=_nothing, max=_nothing, where=True, casting="same_kind", order="K", dtype=None, subok=True):
        if a_min is _nothing and a_max is _nothing:
            a_min, a_max = None if min is _nothing else min, None if max is _nothing else max
        elif a_min is _nothing or a_max is _nothing:
            raise TypeError("clip() missing 1 required positional argument: '" + ("a_min" if a_min is _nothing else "a_max") + "'")
        return _out(_clipped(a, a_min, a_max), out)

    def copy(a, order="K", subok=False):
        return torch.clone(_array(a))

    def concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
        arrays = _joined(arrays, axis, "concatenate")
        return _out(_typed(_concatenated([_flat(each) for each in arrays], 0) if axis is None else _concatenated(arrays, axis), dtype), out)

    concat = concatenate

    def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
        arrays = _joined(arrays, axis, "stack")
        if [each for each in arrays if tuple(each.shape) != tuple(arrays[0].shape)]:
            raise ValueError("all input arrays must have the same shape")
        return _out(_typed(torch.stack(arrays, dim=_ax(arrays[0].dim() + 1, axis)), dtype), out)

    def vstack(tup, *, dtype=None, casting="same_kind"):
        return _typed(_concatenated([_atleast(each, 2) for each in _joined(tup, 0, "vstack")], 0), dtype)

    def hstack(tup, *, dtype=None, casting="same_kind"):
        arrays = [_atleast(each, 1) for each in _joined(tup, 0, "hstack")]
        return _typed(_concatenated(arrays, 0 if arrays[0].dim() == 1 else 1), dtype)

    def dstack(tup):
        return _concatenated([_atleast(each, 3) for each in _joined(tup, 0, "dstack")], 2)

    def column_stack(tup):
        arrays = _joined(tup, 0, "column_stack")
        return _concatenated([each.reshape(-1, 1) if each.dim() < 2 else each for each in arrays], 1)

    def split(ary, indices_or_sections, axis=0):
        return _cut(ary, indices_or_sections, axis, True)

    def array_split(ary, indices_or_sections, axis=0):
        return _cut(ary, indices_or_sections, axis, False)

    def hsplit(ary, indices_or_sections):
        return _cut(ary, indices_or_sections, 0 if ary.dim() == 1 else 1, True)

    def vsplit(ary, indices_or_sections):
        return _cut(ary, indices_or_sections, 0, True)

    def expand_dims(a, axis):
        a = _array(a)
        axes = axis if isinstance(axis, (tuple, list)) else [axis]
        for dim in sorted(_axes(a.dim() + len(axes), tuple(axes))):
            a = a.unsqueeze(dim)
        return a

    def atleast_1d(a):
        return _atleast(a, 1)

    def atleast_2d(a):
        return _atleast(a, 2)

    def atleast_3d(a):
        return _atleast(a, 3)

    def ascontiguousarray(a, dtype=None, *, like=None):
        return _typed(_array(a), dtype)

    def tile(A, reps):
        return _tiled(A, reps)

    def where(condition, x=_nothing, y=_nothing, /):
        if x is _nothing and y is _nothing:
            return functions.nonzero(condition)
        if x is _nothing or y is _nothing:
            raise ValueError("either both or neither of x and y should be given")
        x, y = [_array(each) if isinstance(each, (list, tuple)) else each for each in (x, y)]
        for each in (x, y):
            if isinstance(each, str) or each is None:
                return unknown("numpy.where", condition)
        condition = _array(condition)
        return torch.where(condition if condition.dtype == torch.bool else condition != 0, x, y)

    def einsum(subscripts, *operands, out=None, optimize=False, dtype=None, order="K", casting="safe"):
        if not operands:
            raise ValueError("must specify the einstein sum subscripts string and at least one operand, or at least one operand and its corresponding subscripts list")
        return _out(_typed(torch.einsum(subscripts, *[_array(each) for each in operands]), dtype), out)

    def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
        if sparse:
            return unknown("numpy.meshgrid", *xi)
        return torch.meshgrid(*[_flat(_array(each)) for each in xi], indexing=indexing)

    def outer(a, b, out=None):
        return torch.outer(_flat(_array(a)), _flat(_array(b)))

    def inner(a, b, /):
        a, b = _array(a), _array(b)
        if a.dim() and b.dim() and a.shape[-1] != b.shape[-1]:
            raise ValueError("shapes %s and %s not aligned" % (tuple(a.shape), tuple(b.shape)))
        return a * b if not a.dim() or not b.dim() else torch.tensordot(a, b, dims=([a.dim() - 1], [b.dim() - 1]))

    def vdot(a, b, /):
        return torch.sum(_flat(_array(a)) * _flat(_array(b)))

    def tensordot(a, b, axes=2):
        a, b = _array(a), _array(b)
        ours, theirs = ([a.dim() - axes + i for i in range(axes)], list(range(axes))) if isinstance(axes, int) else [list(each) if isinstance(each, (list, tuple)) else [each] for each in axes]
        if [a.shape[i] for i in ours] != [b.shape[i] for i in theirs]:
            raise ValueError("shape-mismatch for sum")
        return torch.tensordot(a, b, dims=(ours, theirs))

    def matmul(x1, x2, /, out=None, *, casting="same_kind", order="K", dtype=None, subok=True, signature=None, axes=None, axis=None):
        return _out(_typed(_products(x1, x2), dtype), out)

    def moveaxis(a, source, destination):
        return _moved(a, source, destination)

    def flip(m, axis=None):
        m = _array(m)
        return torch.flip(m, tuple(_axes(m.dim(), axis)))

    def flipud(m):
        m = _array(m)
        return torch.flip(m, (_ax(m.dim(), 0),))

    def fliplr(m):
        m = _array(m)
        if m.dim() < 2:
            raise ValueError("Input must be >= 2-d.")
        return torch.flip(m, (1,))

    def roll(a, shift, axis=None):
        a = _array(a)
        if axis is None:
            return torch.roll(_flat(a), shift, 0).reshape(*a.shape)
        axes = [_ax(a.dim(), each) for each in (axis if isinstance(axis, (list, tuple)) else [axis])]
        shifts = list(shift) if isinstance(shift, (list, tuple)) else [shift] * len(axes)
        return torch.roll(a, tuple(shifts), tuple(axes))

    def rot90(m, k=1, axes=(0, 1)):
        m = _array(m)
        if m.dim() < 2:
            raise ValueError("Axes=%s out of range for array of ndim=%d." % (axes, m.dim()))
        return torch.rot90(m, k, tuple(axes))

    def pad(array, pad_width, mode="constant", *, constant_values=0, end_values=0, reflect_type="even", stat_length=None):
        return _padded(array, pad_width, mode)

    def sort(a, axis=-1, kind=None, order=None, *, stable=None):
        a = _array(a)
        a, axis = (_flat(a), 0) if axis is None else (a, _ax(a.dim(), axis))
        return torch.sort(a, dim=axis)[0]

    def tril(m, k=0):
        return torch.tril(_atleast(m, 2) if _array(m).dim() > 1 else _array(m).expand(m.shape[0], m.shape[0]), k)

    def triu(m, k=0):
        return torch.triu(_atleast(m, 2) if _array(m).dim() > 1 else _array(m).expand(m.shape[0], m.shape[0]), k)

    def diag(v, k=0):
        v = _array(v)
        if v.dim() not in (1, 2):
            raise ValueError("Input must be 1- or 2-d.")
        return torch.diag(v, k)

    def diff(a, n=1, axis=-1, prepend=_nothing, append=_nothing):
        a = _array(a)
        if prepend is not _nothing or append is not _nothing:
            return unknown("numpy.diff", a)
        return torch.diff(a, n, _ax(a.dim(), axis))

    def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
        return _out(_middle("median", a, axis, _flag(keepdims)), out)

    def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
        return _out(_quantiles(a, q, axis, keepdims), out)

    quantile = percentile

    def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
        if returned:
            return unknown("numpy.average", a)
        return _fold("mean", a, axis, None, None, keepdims, real=True)

    def ptp(a, axis=None, out=None, keepdims=False):
        return _furthest("amax", a, axis, None, keepdims, _nothing, True) - _furthest("amin", a, axis, None, keepdims, _nothing, True)

    def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True):
        return _fold("nansum", a, axis, dtype, out, keepdims, where)

    def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
        return _fold("nanmean", a, axis, dtype, out, keepdims, where, real=True)

    def count_nonzero(a, axis=None, *, keepdims=False):
        return _fold("count_nonzero", a, axis, None, None, keepdims)

    def amax(a, axis=None, out=None, keepdims=False, initial=_nothing, where=True):
        return _furthest("amax", a, axis, out, keepdims, initial, where)

    def amin(a, axis=None, out=None, keepdims=False, initial=_nothing, where=True):
        return _furthest("amin", a, axis, out, keepdims, initial, where)

    def broadcast_to(array, shape, subok=False):
        array, shape = _array(array), _size(shape)
        if len(shape) < array.dim() or tuple(broadcast_shapes(array.shape, shape)) != tuple(shape):
            raise ValueError("operands could not be broadcast together with remapped shapes %s and requested shape %s" % (tuple(array.shape), tuple(shape)))
        return array.expand(*shape)

    def broadcast_arrays(*args, subok=False):
        return torch.broadcast_tensors(*[_array(each) for each in args])

    def take_along_axis(arr, indices, axis=-1):
        arr, indices = _array(arr), _array(indices)
        if axis is None:
            arr, axis = _flat(arr), 0
        if arr.dim() != indices.dim():
            raise ValueError("`indices` and `arr` must have the same number of dimensions")
        return torch.gather(arr, _ax(arr.dim(), axis), indices)

    def shape(a):
        return tuple(_array(a).shape)

    def size(a, axis=None):
        return _array(a).numel() if axis is None else _array(a).shape[_ax(_array(a).dim(), axis)]

    def ndim(a):
        return _array(a).dim()

    def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
        return _reduced("allclose", torch.isclose(*_both(_array(a), _array(b))))

    def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
        return torch.isclose(*_both(_array(a), _array(b)))

    def round(a, decimals=0, out=None):
        _whole(decimals)
        return _out(torch.round(_array(a), decimals=decimals), out)

    around = round

    def compress(condition, a, axis=None, out=None):
        return unknown("numpy.compress", a)

    def searchsorted(a, v, side="left", sorter=None):
        return shared.searchsorted(_array(a), v, side, sorter)

    def copyto(dst, src, casting="same_kind", where=True):
        dst[...] = src

    def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=_nothing):
        return shared.std(a, axis, dtype, out, _degrees(ddof, correction), keepdims, where=where)

    def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=_nothing):
        return shared.var(a, axis, dtype, out, _degrees(ddof, correction), keepdims, where=where)

    def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, ndmax=0, like=None):
        made = torch.clone(object) if is_tensor(object) and copy else _array(object)
        return _typed(made.reshape(*[1] * (ndmin - made.dim()), *made.shape) if made.dim() < ndmin else made, dtype)

    def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
        return _typed(_array(a), dtype)

    asanyarray = asarray

class linalg:
    """Functions of `numpy.linalg`."""
    def norm(x, ord=None, axis=None, keepdims=False):
        return _length_of(x, ord, axis, _flag(keepdims))

    def inv(a):
        a = _array(a)
        if a.dim() < 2 or a.shape[-1] != a.shape[-2]:
            raise ValueError("Last 2 dimensions of the array must be square")
        return torch.linalg.inv(a)

    def det(a):
        a = _array(a)
        if a.dim() < 2 or a.shape[-1] != a.shape[-2]:
            raise ValueError("Last 2 dimensions of the array must be square")
        return torch.linalg.det(a)

    def matmul(x1, x2, /):
        return _products(x1, x2)

class makers:
    """What makes an array is made elsewhere: here its arguments are looked at."""
    def zeros(shape, dtype=None, order="C", *, device=None, like=None):
        _sized(shape, dtype, order)

    ones = empty = zeros

    def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
        _sized(shape, dtype, order)

    def zeros_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
        _dtype(dtype)

    ones_like = empty_like = zeros_like

    def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
        _dtype(dtype)

    def eye(N, M=None, k=0, dtype=None, order="C", *, device=None, like=None):
        _sized((N, N if M is None else M), dtype, order)

    def identity(n, dtype=None, *, like=None):
        _sized((n,), dtype, "C")

    def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
        if not is_unknown(num) and not is_tensor(num) and _whole(num) < 0:
            raise ValueError("Number of samples, %d, must be non-negative." % num)

    def arange(start_or_stop=_nothing, /, stop=None, step=1, *, dtype=None, device=None, like=None, start=_nothing):
        given = start_or_stop if start is _nothing else start
        for each in (given, stop, step):
            if isinstance(each, (str, list, tuple, dict)):
                raise TypeError("arange() takes numbers, not " + type(each).__name__)
        if given is _nothing and stop is None:
            raise TypeError("arange() requires stop to be specified.")
        if isinstance(step, (int, float)) and step == 0:
            raise ZeroDivisionError("division by zero")
        bounds = [0, given] if stop is None else [given, stop]
        if _dtype(dtype) == "bool" and not [each for each in bounds + [step] if not isinstance(each, int)] and len(range(*bounds, step)) > 2:
            raise TypeError("no fill-function for data-type.")

    def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, ndmax=0, like=None):
        _regular(object)
        _dtype(dtype)

    def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
        _regular(a)
        _dtype(dtype)

    def rand(*size):
        _sized(size, None, "C")

    randn = rand

    def uniform(low=0.0, high=1.0, size=None):
        _sized(() if size is None else size, None, "C")

    def normal(loc=0.0, scale=1.0, size=None):
        _sized(() if size is None else size, None, "C")

    def standard_normal(size=None):
        _sized(() if size is None else size, None, "C")

    random = random_sample = standard_normal

    def randint(low, high=None, size=None, dtype=None):
        if isinstance(low, int) and isinstance(high, int) and low >= high or high is None and isinstance(low, int) and low <= 0:
            raise ValueError("low >= high")
        _sized(() if size is None else size, dtype, "C")

    def choice(a, size=None, replace=True, p=None):
        _sized(() if size is None else size, None, "C")

def _sized(shape, dtype, order):
    for each in _size(shape) if not is_tensor(shape) else []:
        if isinstance(each, int) and each < 0:
            raise ValueError("negative dimensions are not allowed")
    _dtype(dtype)
    _order(order)

# Rows of one length, all the way down.
def _regular(rows):
    if not isinstance(rows, (list, tuple)):
        return None
    lengths = [len(each) if isinstance(each, (list, tuple)) else None for each in rows]
    if len(set(lengths)) > 1 and not [each for each in rows if is_tensor(each) or is_unknown(each) or isinstance(each, str)]:
        raise ValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions.")
    for each in rows:
        _regular(each)
