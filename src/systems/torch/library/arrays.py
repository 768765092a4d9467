
# Arrays of NumPy, by the signatures of NumPy 2: what they are given, and what functions and methods share.
_known = "float16 float32 float64 float128 half single double longdouble int8 int16 int32 int64 uint8 uint16 uint32 uint64 intp uintp int uint long ulong float bool bool_ byte ubyte short ushort intc uintc longlong complex64 complex128 complex csingle cdouble object str bytes bfloat16".split()
_short = {"f2": "float16", "f4": "float32", "f8": "float64", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64", "b1": "bool", "?": "bool", "e": "float16", "f": "float32", "d": "float64", "b": "int8", "h": "int16", "i": "int32", "q": "int64", "l": "int64", "B": "uint8", "half": "float16", "single": "float32", "double": "float64", "int": "int64", "float": "float64", "bool_": "bool", "intp": "int64", "longlong": "int64", "byte": "int8", "short": "int16", "intc": "int32", "long": "int64", "ubyte": "uint8", "ushort": "uint16", "uintc": "uint32", "ulong": "uint64", "uint": "uint64", "uintp": "uint64", "ulonglong": "uint64"}
_classes = {"float": "float64", "int": "int64", "bool": "bool"}

def _is_number(x):
    return isinstance(x, (int, float, complex))

def _dtype(dtype):
    if dtype is None or is_unknown(dtype):
        return dtype
    if isinstance(dtype, str):
        name = dtype.lstrip("<>=|")
        if name not in _known and name not in _short and dtype[:1] not in "SUVMmcaO":
            raise TypeError("data type '" + dtype + "' not understood")
        return _short.get(name, name)
    if _is_number(dtype) or is_tensor(dtype) or isinstance(dtype, (list, set)):
        raise TypeError("Cannot interpret '" + str(dtype) + "' as a data type")
    return _classes.get(getattr(dtype, "__name__", ""), dtype) if isinstance(dtype, type) else dtype

def _typed(x, dtype):
    if dtype is None:
        return x
    name = _dtype(dtype)
    if isinstance(name, str) and name not in _known:
        return unknown("numpy.ndarray.astype", x)
    return x.to(name)

def _order(order):
    if order is not None and (not isinstance(order, str) or order not in ("C", "F", "A", "K")):
        raise TypeError("order must be str: one of 'C', 'F', 'A', or 'K'" if not isinstance(order, str) else "order must be one of 'C', 'F', 'A', or 'K' (got '" + order + "')")

def _out(made, out):
    if out is None:
        return made
    if isinstance(out, tuple) and len(out) == 1:
        out = out[0]
    if not is_tensor(out):
        raise TypeError("return arrays must be of ArrayType")
    out[...] = made
    return out

# A list of numbers and of arrays, which must be of one shape.
def _array(x):
    if is_tensor(x) or is_unknown(x):
        return x
    if isinstance(x, (list, tuple, range)):
        rows = [_array(each) if isinstance(each, (list, tuple, range)) else each for each in x]
        if not [each for each in rows if is_tensor(each)]:
            for each in rows:
                if not is_unknown(each) and not _is_number(each):
                    raise TypeError("an array of numbers has none of " + type(each).__name__)
            return torch.tensor(list(rows), dtype=torch.float64 if not rows or [each for each in rows if isinstance(each, float)] else None)
        rows = [each if is_tensor(each) or is_unknown(each) else torch.tensor(each) for each in rows]
        shapes = [tuple(each.shape) for each in rows if is_tensor(each)]
        if [s for s in shapes if s != shapes[0]]:
            raise ValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape")
        return torch.stack(rows)
    if _is_number(x):
        return torch.tensor(x, dtype=torch.float64 if isinstance(x, float) else None)
    raise TypeError("an array is wanted, not " + type(x).__name__)

# An operand: an array, or a number as it is.
def _operand(x):
    if is_tensor(x) or is_unknown(x) or _is_number(x):
        return x
    if x is None or isinstance(x, (str, dict, set)):
        raise TypeError("ufunc not supported for the input types: " + type(x).__name__)
    return _array(x)

def _whole(value, what="an integer"):
    if is_unknown(value) or is_tensor(value):
        return value
    if not isinstance(value, int):
        raise TypeError("'" + type(value).__name__ + "' object cannot be interpreted as an integer")
    return value

def _ax(rank, axis):
    _whole(axis)
    if axis >= rank or axis < -rank:
        raise IndexError("axis %d is out of bounds for array of dimension %d" % (axis, rank))
    return axis % rank

def _axes(rank, axis):
    if axis is None:
        return list(range(rank))
    if not isinstance(axis, tuple):
        return [_ax(rank, axis)]
    found = [_ax(rank, each) for each in axis]
    if len(set(found)) < len(found):
        raise ValueError("duplicate value in 'axis'")
    return found

def _real(x):
    return x if x.is_floating_point() else x.to("float64")

# Functions of elements take narrow integers for narrow floats.
def _narrow_real(x):
    return x if x.is_floating_point() else x.to({1: "float16", 2: "float32"}.get(x.itemsize, "float64"))

def _masked(x, where, other):
    if where is True:
        return x
    mask = _array(where)
    if is_tensor(mask) and mask.dtype != torch.bool:
        raise TypeError("Cannot cast array data to dtype('bool') according to the rule 'safe'")
    if tuple(broadcast_shapes(x.shape, mask.shape)) != tuple(x.shape):
        raise ValueError("the mask does not broadcast to the array")
    return torch.where(mask, x, other)

def _initial(initial):
    if not _is_number(initial) and not is_tensor(initial) and not is_unknown(initial):
        raise TypeError("the initial value is a number, not " + type(initial).__name__)

def _flag(value):
    if not is_unknown(value) and not is_tensor(value) and not isinstance(value, (bool, int)):
        raise TypeError("'" + type(value).__name__ + "' object cannot be interpreted as an integer")
    return bool(value)

def _summed(name, a, axis, keepdims):
    dims = _axes(a.dim(), axis)
    if not dims:
        return a
    if name == "sum" or name == "mean":
        return getattr(torch, name)(a, dim=tuple(dims), keepdim=keepdims)
    if name == "any" or name == "all":
        a = a.to("bool")
    elif name == "prod" and not a.is_floating_point():
        a = a.to("int64" if a.dtype.is_signed or a.dtype == torch.bool else "uint64")
    return _reduced(name, a, dims, keepdims)

def _fold(name, a, axis, dtype, out, keepdims, where=True, neutral=0, real=False):
    a = _array(a)
    a = _masked(_real(a) if real else a, where, neutral)
    return _out(_typed(_summed(name, a, axis, _flag(keepdims)), dtype), out)

_nothing = object()

def _furthest(name, a, axis, out, keepdims, initial, where):
    a = _array(a)
    _initial(0 if initial is _nothing else initial)
    if where is not True and initial is _nothing:
        raise ValueError("reduction operation '" + name + "' does not have an identity, so to use a where mask one has to specify 'initial'")
    a = _masked(a, where, 0 if initial is _nothing else initial)
    dims = _axes(a.dim(), axis)
    made = getattr(torch, name)(a, dim=tuple(dims), keepdim=_flag(keepdims)) if dims else a
    return _out(made, out)

def _place(name, a, axis, out, keepdims):
    a = _array(a)
    keepdims = _flag(keepdims)
    if axis is None:
        rank = a.dim()
        made = getattr(torch, name)(a.reshape(-1), dim=0)
        return _out(made.reshape(*[1] * rank) if keepdims and rank else made, out)
    return _out(getattr(torch, name)(a, dim=_ax(max(1, a.dim()), axis), keepdim=keepdims), out)

def _run(name, a, axis, dtype, out):
    a = _array(a)
    a, axis = (a.reshape(-1), 0) if axis is None else (a, _ax(a.dim(), axis))
    made = torch.cumsum(a, dim=axis) if name == "cumsum" else _along(name, a, axis)
    return _out(_typed(made, dtype), out)

def _spread(a, axis, ddof, keepdims, where):
    a = _masked(_real(_array(a)), where, 0)
    if not _is_number(ddof) and not is_unknown(ddof):
        raise TypeError("unsupported operand for ddof: " + type(ddof).__name__)
    dims = _axes(a.dim(), axis)
    return torch.var(a, dim=tuple(dims), correction=ddof, keepdim=_flag(keepdims)) if dims else a * 0

def _size(shape):
    if isinstance(shape, int) or is_unknown(shape):
        return (shape,)
    if is_tensor(shape):
        return shape
    if not isinstance(shape, (list, tuple, torch.Size)):
        raise TypeError("'" + type(shape).__name__ + "' object cannot be interpreted as an integer")
    for each in shape:
        _whole(each)
    return tuple(shape)

def _reshaped(a, shape, order="C", copy=None):
    _order(order)
    sizes = _size(shape)
    if len([s for s in sizes if isinstance(s, int) and s < 0]) > 1:
        raise ValueError("can only specify one unknown dimension")
    if order == "F" and a.dim() > 1:
        made = a.permute(*range(a.dim())[::-1]).reshape(*sizes[::-1])
        return made.permute(*range(made.dim())[::-1])
    return a.reshape(*sizes)

def _permuted(a, axes):
    rank = a.dim()
    if axes is None:
        axes = tuple(range(rank))[::-1]
    found = [_ax(rank, each) for each in axes]
    if len(found) != rank:
        raise ValueError("axes don't match array")
    if len(set(found)) < rank:
        raise ValueError("repeated axis in transpose")
    return a.permute(*found) if rank > 1 else a

def _flat(a):
    return a if a.dim() == 1 else a.reshape(-1)

def _picked(a, indices, axis):
    indices = _array(indices)
    if axis is None:
        a, axis = _flat(a), 0
    axis = _ax(a.dim(), axis)
    if indices.is_floating_point():
        raise TypeError("Cannot cast array data from dtype('float64') to dtype('int64') according to the rule 'safe'")
    keys = [slice(None)] * a.dim()
    keys[axis] = indices
    if indices.dim() == 0:
        return torch.select(a, axis, 0)
    return a[tuple(keys)]

def _unlike(a):
    return _each("equal", a)

def _total(counts):
    whole = 0
    for each in counts:
        whole = whole + each
    return whole

def _filled(a, value):
    if isinstance(value, (list, tuple)):
        raise ValueError("setting an array element with a sequence.")
    value = _operand(value)
    if is_tensor(value) and tuple(broadcast_shapes(a.shape, value.shape)) != tuple(a.shape):
        raise ValueError("could not broadcast the value into shape %s" % (tuple(a.shape),))
    return operator("fill", "* -> *", a)

def _clipped(a, low, high):
    a = _array(a)
    low, high = None if low is None else _operand(low), None if high is None else _operand(high)
    if low is not None:
        a = torch.maximum(a, low) if is_tensor(low) else torch.clamp(a, min=low)
    if high is not None:
        a = torch.minimum(a, high) if is_tensor(high) else torch.clamp(a, max=high)
    return a

def _viewed(a, dtype):
    return a if dtype is None else torch.view_dtype(a, _dtype(dtype))

def _within(indices, size, mode):
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError("clipmode must be one of 'clip', 'raise', or 'wrap' (got '" + str(mode) + "')")
    if isinstance(indices, (list, tuple)):
        for each in indices:
            _within(each, size, mode)
    elif isinstance(indices, int) and mode == "raise" and (indices >= size or indices < -size):
        raise IndexError("index %d is out of bounds for axis with size %d" % (indices, size))

def _product(a, b):
    if _is_number(a) or _is_number(b) or a.dim() == 0 or b.dim() == 0:
        return a * b
    k = b.dim() - 2 if b.dim() > 1 else 0
    if a.shape[-1] != b.shape[k]:
        raise ValueError("shapes %s and %s not aligned: %d (dim %d) != %d (dim %d)" % (tuple(a.shape), tuple(b.shape), a.shape[-1], a.dim() - 1, b.shape[k], k))
    if b.dim() < 3:
        return torch.matmul(a, b)
    return torch.tensordot(a, b, dims=([a.dim() - 1], [k]))

class shared:
    """Functions of which the first argument is what a method is called on."""
    def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True):
        _initial(0 if initial is None else initial)
        return _fold("sum", a, axis, dtype, out, keepdims, where)

    def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True):
        _initial(0 if initial is None else initial)
        return _fold("prod", a, axis, dtype, out, keepdims, where, 1)

    def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
        return _fold("mean", a, axis, dtype, out, keepdims, where, real=True)

    def all(a, axis=None, out=None, keepdims=False, *, where=True):
        return _fold("all", a, axis, None, out, keepdims, where, 1)

    def any(a, axis=None, out=None, keepdims=False, *, where=True):
        return _fold("any", a, axis, None, out, keepdims, where)

    def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None):
        return _out(_typed(torch.sqrt(_spread(a, axis, ddof, keepdims, where)), dtype), out)

    def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None):
        return _out(_typed(_spread(a, axis, ddof, keepdims, where), dtype), out)

    def max(a, axis=None, out=None, keepdims=False, initial=_nothing, where=True):
        return _furthest("amax", a, axis, out, keepdims, initial, where)

    def min(a, axis=None, out=None, keepdims=False, initial=_nothing, where=True):
        return _furthest("amin", a, axis, out, keepdims, initial, where)

    def argmax(a, axis=None, out=None, *, keepdims=False):
        return _place("argmax", a, axis, out, keepdims)

    def argmin(a, axis=None, out=None, *, keepdims=False):
        return _place("argmin", a, axis, out, keepdims)

    def cumsum(a, axis=None, dtype=None, out=None):
        return _run("cumsum", a, axis, dtype, out)

    def cumprod(a, axis=None, dtype=None, out=None):
        return _run("cumprod", a, axis, dtype, out)

    def ravel(a, order="C"):
        _order(order)
        return _flat(_array(a)) if order != "F" else _reshaped(_array(a), -1, order)

    def repeat(a, repeats, axis=None):
        a = _array(a)
        a, axis = (_flat(a), 0) if axis is None else (a, _ax(a.dim(), axis))
        size = a.shape[axis]
        if is_tensor(repeats) and repeats.dim() > 0 or is_unknown(repeats):
            if is_tensor(repeats) and repeats.shape[0] not in (1, size):
                raise ValueError("operands could not be broadcast together with shape (%d,) (%d,)" % (size, repeats.shape[0]))
            return unknown("numpy.repeat", a)
        counts = [repeats] if not isinstance(repeats, (list, tuple)) else list(repeats)
        counts = [int(each) if isinstance(each, float) else each for each in counts]
        for each in counts:
            if not is_unknown(each) and not is_tensor(each) and (not isinstance(each, (int, float)) or each < 0):
                raise ValueError("repeats may not contain negative values.") if isinstance(each, (int, float)) else TypeError("Cannot cast the repeats to dtype('int64') according to the rule 'safe'")
        if len(counts) != 1 and len(counts) != size:
            raise ValueError("operands could not be broadcast together with shape (%d,) (%d,)" % (size, len(counts)))
        if len(counts) == 1 and counts[0] > 0:
            return torch.repeat_interleave(a, counts[0], dim=axis)
        total = size * counts[0] if len(counts) == 1 else _total(counts)
        keys = [slice(None)] * a.dim()
        keys[axis] = [0] * total if total else slice(0, 0)
        return a[tuple(keys)]

    def squeeze(a, axis=None):
        a = _array(a)
        shape = list(a.shape)
        dims = [i for i, s in enumerate(shape) if s == 1] if axis is None else _axes(len(shape), axis)
        if [d for d in dims if shape[d] != 1]:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        for dim in sorted(dims)[::-1]:
            a = a.squeeze(dim)
        return a

    def swapaxes(a, axis1, axis2):
        a = _array(a)
        one, other = _ax(a.dim(), axis1), _ax(a.dim(), axis2)
        return a if one == other else a.transpose(one, other)

    def round(a, decimals=0, out=None):
        _whole(decimals)
        return _out(torch.round(_array(a), decimals=decimals), out)

    def nonzero(a):
        a = _array(a)
        return torch.nonzero(a, as_tuple=True) if isinstance(a.tolist(), list) else tuple(unknown("numpy.nonzero", a) for _ in range(a.dim()))

    def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True):
        a = _array(ar)
        if return_index or return_inverse or return_counts or axis is not None:
            return tuple(unknown("numpy.unique", a) for _ in range(1 + return_index + return_inverse + return_counts)) if axis is None else unknown("numpy.unique", a)
        return torch.unique(a) if isinstance(a.tolist(), list) else unknown("numpy.unique", a)

    def flatnonzero(a):
        return functions.nonzero(_array(a).reshape(-1))[0]

    def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
        a = _array(a)
        a, axis = (_flat(a), 0) if axis is None else (a, _ax(a.dim(), axis))
        return torch.argsort(a, dim=axis)

    def argpartition(a, kth, axis=-1, kind="introselect", order=None):
        a = _array(a)
        a, axis = (_flat(a), 0) if axis is None else (a, _ax(a.dim(), axis))
        if isinstance(kth, int) and (kth >= a.shape[axis] or kth < -a.shape[axis]):
            raise ValueError("kth(=%d) out of bounds (%d)" % (kth, a.shape[axis]))
        return torch.argsort(a, dim=axis)

    def take(a, indices, axis=None, out=None, mode="raise"):
        a = _array(a)
        if axis is not None:
            axis = _ax(a.dim(), axis)
        _within(indices, a.numel() if axis is None else a.shape[axis], mode)
        return _out(_picked(a, indices, axis), out)

    def dot(a, b, out=None):
        return _out(_product(_operand(a), _operand(b)), out)

    def diagonal(a, offset=0, axis1=0, axis2=1):
        a = _array(a)
        if a.dim() < 2:
            raise ValueError("diag requires an array of at least two dimensions")
        one, other = _ax(a.dim(), axis1), _ax(a.dim(), axis2)
        if one == other:
            raise ValueError("axis1 and axis2 cannot be the same")
        return torch.diagonal(a, _whole(offset), one, other)

    def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
        a = _array(a)
        if a.dim() < 2:
            raise ValueError("diag requires an array of at least two dimensions")
        one, other = _ax(a.dim(), axis1), _ax(a.dim(), axis2)
        if one == other:
            raise ValueError("axis1 and axis2 cannot be the same")
        return _out(_typed(torch.sum(torch.diagonal(a, _whole(offset), one, other), dim=-1), dtype), out)

    def searchsorted(a, v, side="left", sorter=None):
        if side not in ("left", "right"):
            raise ValueError("search side must be one of 'left' or 'right' (got '" + str(side) + "')")
        v = _array(v)
        if _array(a).dim() != 1:
            raise ValueError("object too deep for desired array")
        return operator("searchsorted", "* -> *", v).to("int64")

class ndarray(shared):
    """Methods of arrays that functions of their names are not."""
    def reshape(self, *shape, order="C", copy=None):
        if not shape:
            raise TypeError("reshape() takes exactly 1 argument (0 given)")
        return _reshaped(self, shape[0] if len(shape) == 1 else shape, order, copy)

    def transpose(self, *axes):
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
            axes = axes[0]
        return _permuted(self, axes if axes is None or axes else None)

    def flatten(self, order="C"):
        _order(order)
        return self.reshape(-1) if order != "F" else _reshaped(self, -1, order)

    def clip(self, min=None, max=None, out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True):
        return _out(_clipped(self, min, max), out)

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        _order(order)
        return _typed(self, "float64" if dtype is None else dtype)

    def copy(self, order="C"):
        _order(order)
        return torch.clone(self)

    def view(self, dtype=None, type=None):
        return _viewed(self, dtype)

    def fill(self, value, /):
        return _filled(self, value)

    def sort(self, axis=-1, kind=None, order=None, *, stable=None):
        return torch.sort(self, dim=_ax(self.dim(), axis))[0]

    def partition(self, kth, axis=-1, kind="introselect", order=None):
        axis = _ax(self.dim(), axis)
        if isinstance(kth, int) and (kth >= self.shape[axis] or kth < -self.shape[axis]):
            raise ValueError("kth(=%d) out of bounds (%d)" % (kth, self.shape[axis]))
        return torch.sort(self, dim=axis)[0]

    def resize(self, *new_shape, refcheck=True):
        sizes = _size(new_shape[0] if len(new_shape) == 1 else new_shape)
        total = 1
        for each in sizes:
            total *= each
        return self.reshape(*sizes) if total == self.numel() else operator("resize", " ".join(_letters[i] + "^" for i in range(self.dim())) + " -> " + " ".join(str(s) for s in sizes), self)

    def conj(self):
        return self

    def conjugate(self):
        return self

    def byteswap(self, inplace=False):
        return _each("byteswap", self)

    def setflags(self, write=None, align=None, uic=None):
        return None

    def item(self, *args):
        if len(args) == 1 and isinstance(args[0], tuple):
            args = args[0]
        for each in args:
            _whole(each)
        if not args:
            if self.numel() != 1:
                raise ValueError("can only convert an array of size 1 to a Python scalar")
            return self.item()
        if len(args) == 1:
            return self.reshape(-1)[args[0]].item()
        if len(args) != self.dim():
            raise ValueError("incorrect number of indices for array")
        return self[args].item()

    def swapaxes(self, axis1, axis2, /):
        return shared.swapaxes(self, axis1, axis2)

    def compress(self, condition, axis=None, out=None):
        return unknown("numpy.ndarray.compress", self)

    def choose(self, choices, out=None, mode="raise"):
        return unknown("numpy.ndarray.choose", self)

    def to_device(self, device, /, *, stream=None):
        return self

    def tolist(self):
        return self.tolist()

    def all(self, axis=None, out=None, keepdims=False, *, where=True):
        return _fold("all", self, axis, None, out, bool(keepdims), where, 1)

    def any(self, axis=None, out=None, keepdims=False, *, where=True):
        return _fold("any", self, axis, None, out, bool(keepdims), where)

    def put(self, indices, values, mode="raise"):
        _within(indices, self.numel(), mode)
        return _each("put", self)
