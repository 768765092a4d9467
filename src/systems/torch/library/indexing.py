# Functions that read and write elements by their places, by the signatures of PyTorch 2.
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

def gather(input, dim, index, sparse_grad=False, out=None):
    return _shaped("gather", list(index.shape), input, index)

def scatter_add(input, dim, index, src):
    return _along2("scatter_add", input, dim, index, src)

def _embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return F.embedding(indices, weight)

def _embedding_bag(weight, indices, offsets, scale_grad_by_freq=False, mode=0, sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=-1):
    made = F.embedding_bag(indices, weight, offsets, include_last_offset=include_last_offset)
    return (made, *[unknown("torch._embedding_bag", indices) for _ in range(3)])
