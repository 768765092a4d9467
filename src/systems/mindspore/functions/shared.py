# What the functions of several modules share. `P` makes primitives.
import mindspore._function_primitives as P


def _is_number(value):
    return isinstance(value, (int, float))


def _in_double(value):
    return value if _is_number(value) else P.Cast()(value, "float64")


def _dims(value):
    """A tuple of dims: of one, or of several."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _perm(rank, a, b):
    order = list(range(rank))
    order[a], order[b] = order[b], order[a]
    return tuple(order)


def _moved(rank, source, destination):
    sources = [dim % rank for dim in _dims(source)]
    targets = [dim % rank for dim in _dims(destination)]
    order = [dim for dim in range(rank) if dim not in sources]
    for target, dim in sorted(zip(targets, sources)):
        order.insert(target, dim)
    return tuple(order)


def _flat(sizes):
    """The arguments of a method that takes a tuple, or its items one by one."""
    return tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else tuple(sizes)


def _merged(shape, start, end):
    """A shape in which some neighbouring dims are one."""
    rank = len(shape)
    start, end = start % rank, end % rank
    size = 1
    for each in shape[start : end + 1]:
        size = size * each
    return tuple(shape[:start]) + (size,) + tuple(shape[end + 1 :])


def _clamp(input, min, max):
    if (min is None or _is_number(min)) and (max is None or _is_number(max)):
        return P.ClampScalar()(input, min, max)
    return P.ClampTensor()(input, min, max)


def _made(size, dtype, value, otherwise="float32"):
    """A constant of one value."""
    return P.constant(size if isinstance(size, (tuple, list)) else (size,), otherwise if dtype is None else dtype, value)


def _counted(start, end, step, dtype, is_cast=False):
    """Numbers in a row; a cast of them is not worked out while the net compiles."""
    if end is None:
        start, end = 0, start
    count = (end - start) / step
    whole = int(count)
    size = (whole if whole == count else whole + 1,)
    return P.constant(size, "int64" if dtype is None else dtype, start if is_cast else None, step if is_cast else None)


def _check_order(input, order):
    if len(order) != input.ndim:
        raise ValueError(f"a transpose of {input.ndim} dims needs as many axes, but got {len(order)}")


def _layer_norm(input, normalized_shape, weight, bias, eps):
    shape = tuple(normalized_shape)
    weight = _made(shape, None, 1) if weight is None else weight
    bias = _made(shape, None, 0) if bias is None else bias
    return P.LayerNormExt()(input, shape, weight, bias, eps)


def _group_norm(input, num_groups, weight, bias, eps):
    channels = (input.shape[1],)
    weight = _made(channels, None, 1) if weight is None else weight
    bias = _made(channels, None, 0) if bias is None else bias
    return P.GroupNorm()(input, num_groups, weight, bias, eps)[0]


def _pair(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


def _narrow(width, output_size):
    """Kernel and stride of the windows by which a last dim becomes so long."""
    stride = width // output_size
    return (1, width - (output_size - 1) * stride), (1, stride)


def _shuffled(input, factor):
    *front, channels, height, width = input.shape
    rank, count = len(input.shape), channels // factor**2
    apart = P.Reshape()(input, (*front, count, factor, factor, height, width))
    order = (*range(rank - 2), rank, rank - 2, rank + 1, rank - 1)
    return P.Reshape()(P.Transpose()(apart, order), (*front, count, height * factor, width * factor))


def _unshuffled(input, factor):
    *front, channels, height, width = input.shape
    rank, high, wide = len(input.shape), height // factor, width // factor
    apart = P.Reshape()(input, (*front, channels, high, factor, wide, factor))
    order = (*range(rank - 2), rank - 1, rank + 1, rank - 2, rank)
    return P.Reshape()(P.Transpose()(apart, order), (*front, channels * factor**2, high, wide))


def _scaled(input, size, scale_factor):
    """The lengths of resized images, by themselves or by a factor."""
    rank = input.ndim - 2
    if size is not None:
        return tuple(size) if isinstance(size, (tuple, list)) else (size,) * rank
    factors = scale_factor if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * rank
    return tuple([int(length * factor) for length, factor in zip(input.shape[2:], factors)])
