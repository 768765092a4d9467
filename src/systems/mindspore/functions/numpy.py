# Functions of mindspore.numpy (2.10) by the primitives that they are compiled to.


def add(x1, x2, dtype=None):
    return P.Sub()(x1, -x2 if _is_number(x2) else P.Neg()(x2))


def sum(a, axis=None, dtype=None, keepdims=False, initial=None):
    return P.SumExt()(a, axis, keepdims)


def mean(a, axis=None, keepdims=False, dtype=None):
    return P.ReduceMean(keepdims)(a, () if axis is None else axis)


def argmax(a, axis=None):
    return P.Argmax(axis)(a) if axis is not None else P.Argmax(0)(P.Reshape()(a, (-1,)))


def matmul(x1, x2, dtype=None):
    return P.MatMulExt()(x1, x2)


def tensordot(a, b, axes=2):
    if isinstance(axes, int):
        axes = (tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes)))
    left, right = [_axes(dims, each.ndim) for dims, each in zip(axes, (a, b))]
    rows = [dim for dim in range(a.ndim) if dim not in left]
    columns = [dim for dim in range(b.ndim) if dim not in right]
    size = 1
    for dim in left:
        size = size * a.shape[dim]
    x = a if rows + left == list(range(a.ndim)) else P.Transpose()(a, tuple(rows + left))
    y = b if right + columns == list(range(b.ndim)) else P.Transpose()(b, tuple(right + columns))
    product = P.MatMul()(P.Reshape()(x, (-1, size)), P.Reshape()(y, (size, -1)))
    return P.Reshape()(product, tuple([a.shape[dim] for dim in rows] + [b.shape[dim] for dim in columns]))


def _axes(dims, rank):
    return [dim % rank for dim in ([dims] if isinstance(dims, int) else dims)]


def transpose(a, axes=None):
    return P.Transpose()(a, tuple(range(a.ndim))[::-1] if axes is None else tuple(axes))


def swapaxes(x, axis1, axis2):
    return P.Transpose()(x, _perm(x.ndim, axis1, axis2))


def expand_dims(a, axis):
    return P.ExpandDims()(a, axis)


def reshape(x, new_shape):
    return P.Reshape()(x, new_shape)


def concatenate(arrays, axis=0):
    return P.Concat(axis)(arrays)


def split(x, indices_or_sections, axis=0):
    if not isinstance(indices_or_sections, int):
        return P.unread("split")
    return P.Split(axis, indices_or_sections)(x)


def where(condition, x=None, y=None):
    return P.NonZero()(condition) if x is None else P.Select()(condition, x, y)


def ones(shape, dtype=None):
    return _made(shape, dtype, 1)


def full(shape, fill_value, dtype=None):
    return _made(shape, dtype, fill_value)


def arange(start, stop=None, step=None, dtype=None):
    if stop is not None or step is not None:
        return P.unread("arange")
    return _counted(start, None, 1, dtype)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    if not _is_number(start) or not _is_number(stop) or retstep:
        return P.unread("linspace")
    return P.constant((num,), "float32" if dtype is None else dtype, None)
