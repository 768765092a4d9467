# Functions that read and write elements by their places, by the signatures of PyTorch 2.
def scatter(input, dim, index, src=None, value=None, reduce=None):
    return _along2("scatter", input, dim, index, *([_as_long(src, index)] if is_tensor(src) else []))

# Of a longer source the first elements are taken.
def _as_long(src, index):
    for d in range(index.dim()):
        if src.shape[d] > index.shape[d]:
            src = src.narrow(d, 0, index.shape[d])
    return src

# Places are a row of their own, `source` has one element for each, and only `dim` stays whole.
def _in_rows(name, input, dim, index, source=None):
    at, names = _axis(input, dim), _names(input.dim())
    given = " ".join(n + "^" if i == at else n for i, n in enumerate(names))
    texts, operands = [given, "y^"], [input, index]
    if source is not None:
        isRow = source.dim() == len(names)
        texts.append(" ".join("y^" if i == at else n for i, n in enumerate(names)) if isRow else "z^")
        operands.append(source)
    return operator(name, ", ".join(texts) + " -> " + given, *operands)

# Elements go along one dim; all other dims that are as long everywhere stay as they are.
def _along2(name, input, dim, *others):
    at = dim % max(1, input.dim())
    own = _names(input.dim())
    used = input.dim()
    texts = []
    kept = [i != at for i in range(input.dim())]
    for t in others:
        if t.dim() == input.dim():
            kept = [k and a == b for k, a, b in zip(kept, t.shape, input.shape)]
    for t in others:
        fresh = [_letters[used + i] + "^" for i in range(t.dim())]
        used += t.dim()
        if t.dim() == input.dim():
            fresh = [own[i] if kept[i] else fresh[i] for i in range(t.dim())]
        texts.append(" ".join(fresh))
    whole = " ".join(n if k else n + "^" for n, k in zip(own, kept))
    return operator(name, ", ".join([whole] + texts) + " -> " + whole, input, *others)

def scatter_reduce(input, dim, index, src, reduce, include_self=True):
    return _along2("scatter_reduce", input, dim, index, src)

def index_add(input, dim, index, source, alpha=1):
    if is_places(index):
        return add_at(input, index, source * alpha if alpha != 1 else source)
    return _in_rows("index_add", input, dim, index, source)

def index_copy(input, dim, index, source):
    return _in_rows("index_copy", input, dim, index, source)

def index_fill(input, dim, index, value):
    return _in_rows("index_fill", input, dim, index)

def masked_scatter(input, mask, source):
    return _shaped("masked_scatter", list(input.shape), input, mask, source)

def index_put(input, indices, values, accumulate=False):
    return _shaped("index_put", list(input.shape), input, values)

def select_scatter(input, src, dim, index):
    at, names = _axis(input, dim), _names(input.dim())
    size = input.shape[at]
    if isinstance(size, int) and isinstance(index, int) and not -size <= index < size:
        raise IndexError("select(): index %d out of range for tensor of size %s at dimension %d" % (index, list(input.shape), at))
    given = " ".join(n + "^" if i == at else n for i, n in enumerate(names))
    text = given + ", " + (" ".join(n for i, n in enumerate(names) if i != at) or "()")
    return operator("select_scatter", text + " -> " + given, input, src)

def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    if step < 1:
        raise RuntimeError("slice step must be positive")
    shape = list(input.shape)
    if isinstance(shape[dim], int):
        shape[dim] = len(range(shape[dim])[start:end:step])
        if list(src.shape) != shape:
            raise RuntimeError("expected src to have a size equal to the slice of self. src size = %s, slice size = %s" % (list(src.shape), shape))
    return _along2("slice_scatter", input, dim, src)

# The elements of a small tensor, row by row, where they follow from the text.
def _known(x):
    made = x.tolist() if is_tensor(x) else x
    return made if isinstance(made, (list, int, float, bool)) else None

# Where the elements of nested lists are not 0.
def _held(values, at=()):
    if isinstance(values, list):
        return [each for i, inner in enumerate(values) for each in _held(inner, at + (i,))]
    return [at] if values else []

def _flattened(values):
    return [each for inner in values for each in _flattened(inner)] if isinstance(values, list) else [values]

# The places as one tensor for each dim; `None` where nobody knows them.
def _known_places(x):
    values = _known(x)
    if not isinstance(values, list):
        return None
    held = _held(values)
    return tuple(torch.tensor([at[d] for at in held], dtype=torch.int64) for d in range(x.dim()))

def nonzero(input, *, as_tuple=False, out=None):
    found = places(input, not as_tuple)
    if found is not None:
        return found
    known = _known_places(input)
    if known is not None:
        return known if as_tuple else torch.stack(known, 1)
    if as_tuple:
        return tuple(unknown("torch.nonzero", input) for _ in range(input.dim()))
    return unknown("torch.nonzero", input)

def argwhere(input):
    return nonzero(input)

def where(condition):
    found = places(condition, False) or _known_places(condition)
    if found is not None:
        return found
    return tuple(unknown("torch.where", condition) for _ in range(condition.dim()))

def masked_select(input, mask):
    flags = _known(mask)
    if isinstance(flags, list) and tuple(mask.shape) == tuple(input.shape):
        held = [i for i, each in enumerate(_flattened(flags)) if each]
        return input.reshape(-1).index_select(0, torch.tensor(held, dtype=torch.int64))
    return unknown("torch.masked_select", input, mask)

_sorted = sorted

def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    found = None if return_inverse or return_counts else chosen(input)
    if found is not None:
        return found
    values = None if return_inverse or return_counts or dim is not None else _known(input)
    if isinstance(values, list):
        kept = []
        for each in _sorted(_flattened(values)):
            if not kept or kept[-1] != each:
                kept.append(each)
        return torch.tensor(kept, dtype=input.dtype)
    made = [unknown("torch.unique", input)]
    if return_inverse:
        made.append(_each("unique_inverse", input))
    if return_counts:
        made.append(unknown("torch.unique", input))
    return tuple(made) if len(made) > 1 else made[0]

unique_consecutive = unique

def bincount(input, weights=None, minlength=0):
    values = _known(input)
    if isinstance(values, list):
        return _shaped("bincount", [max(values + [minlength - 1]) + 1], input)
    if minlength > 0:
        return _shaped("bincount", [minlength], input)
    return unknown("torch.bincount", input)

def bucketize(input, boundaries, **options):
    return _each("bucketize", input)

def searchsorted(sorted_sequence, values, **options):
    return _each("searchsorted", values)

def isin(elements, test_elements, **options):
    return _each("isin", elements)

def gather(input, dim, index, sparse_grad=False, out=None):
    at = dim % max(1, input.dim())
    own = _names(input.dim())
    picked = _names(input.dim(), input.dim())
    same = [i != at and a == b for i, (a, b) in enumerate(zip(input.shape, index.shape))]
    given = " ".join(n if k else n + "^" for n, k in zip(own, same))
    free = [k or i == at for i, k in enumerate(same)]
    names = [o if k else p for o, p, k in zip(own, picked, same)]
    places = " ".join(n if k else n + "^" for n, k in zip(names, free))
    made = " ".join(n if k else str(s) for n, k, s in zip(names, free, index.shape))
    return operator("gather", given + ", " + places + " -> " + made, input, index)

# As gather, but data and indices broadcast in the other dims; without a dim over all elements.
def take_along_dim(input, indices, dim=None):
    if dim is None:
        return torch.gather(torch.reshape(input, (-1,)), 0, torch.reshape(indices, (-1,)))
    at = dim % max(1, input.dim())
    sizes = torch.broadcast_shapes(*[[1 if i == at else s for i, s in enumerate(each.shape)] for each in (input, indices)])
    along = lambda each: each.expand([each.shape[i] if i == at else s for i, s in enumerate(sizes)])
    return torch.gather(along(input), at, along(indices))

# Places in all elements, row by row.
def take(input, index):
    return torch.reshape(input, (-1,))[index]

def scatter_add(input, dim, index, src):
    return _along2("scatter_add", input, dim, index, _as_long(src, index))

def _embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return F.embedding(indices, weight)

def _embedding_bag(weight, indices, offsets, scale_grad_by_freq=False, mode=0, sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=-1):
    made = F.embedding_bag(indices, weight, offsets, include_last_offset=include_last_offset)
    return (made, *[unknown("torch._embedding_bag", indices) for _ in range(3)])
