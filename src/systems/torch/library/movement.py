# Functions that move, repeat and join elements, by the signatures of PyTorch 2.
def unbind(input, dim=0):
    return tuple(input.select(dim, i) for i in range(input.shape[dim]))

def narrow(input, dim, start, length):
    keys = [slice(None)] * input.dim()
    keys[dim] = slice(start, start + length)
    return input[tuple(keys)]

def tensor_split(input, indices_or_sections=None, dim=0, *, indices=None, sections=None, tensor_indices_or_sections=None):
    given = [indices_or_sections, indices, sections, tensor_indices_or_sections]
    given = [each for each in given if each is not None]
    if len(given) != 1:
        raise TypeError("tensor_split() takes either indices or sections")
    indices_or_sections = given[0]
    size = input.shape[dim]
    if isinstance(indices_or_sections, int):
        n = indices_or_sections
        lengths = [size // n + (1 if i < size % n else 0) for i in range(n)]
    else:
        marks = [0] + list(indices_or_sections) + [size]
        lengths = [b - a for a, b in zip(marks, marks[1:])]
    return torch.split(input, lengths, dim)

def movedim(input, source, destination):
    rank = input.dim()
    froms = [s % rank for s in (source if isinstance(source, (tuple, list)) else [source])]
    tos = [d % rank for d in (destination if isinstance(destination, (tuple, list)) else [destination])]
    order = [None] * rank
    for s, d in zip(froms, tos):
        order[d] = s
    rest = iter([i for i in range(rank) if i not in froms])
    return input.permute(*[o if o is not None else next(rest) for o in order])

moveaxis = movedim

def swapdims(input, dim0, dim1):
    return input.transpose(dim0, dim1)

def adjoint(input):
    return input.transpose(-2, -1)

def unflatten(input, dim, sizes):
    at = _axis(input, dim)
    shape = list(input.shape)
    return input.reshape(*shape[:at], *sizes, *shape[at + 1:])

def ravel(input):
    return input.reshape(-1)

def view_as(input, other):
    return input.reshape(*other.shape)

reshape_as = view_as

def cat(tensors, dim=0, *, out=None):
    return torch.cat([each for each in tensors if tuple(each.shape) != (0,)], dim=dim)

def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    if repeats is None:
        input, repeats = torch.arange(input.shape[0]), input
    counts = repeats.tolist() if is_tensor(repeats) and repeats.dim() == 1 else None
    if isinstance(counts, list):
        if dim is None:
            input, dim = input.reshape(-1), 0
        if len(counts) == 1:
            counts = counts * input.shape[dim]
        if len(counts) != input.shape[dim]:
            raise RuntimeError("repeats must have the same size as input along dim, but got repeats.size(0) = %d and input.size(%d) = %d" % (len(counts), dim, input.shape[dim]))
        rows = [i for i, count in enumerate(counts) for _ in range(count)]
        return input.index_select(dim, torch.tensor(rows, dtype=torch.int64))
    if is_tensor(repeats):
        return unknown("torch.repeat_interleave", input, repeats)
    if dim is None:
        input, dim = input.reshape(-1), 0
    at = _axis(input, dim)
    shape = list(input.shape)
    wide = input.unsqueeze(at + 1).expand(*shape[:at + 1], repeats, *shape[at + 1:])
    return wide.reshape(*shape[:at], shape[at] * repeats, *shape[at + 1:])

def broadcast_tensors(*tensors):
    shape = broadcast_shapes(*[t.shape for t in tensors])
    return tuple(t if tuple(t.shape) == tuple(shape) else t.expand(*shape) for t in tensors)

def meshgrid(*tensors, indexing="ij"):
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    sizes = [t.shape[0] if t.dim() else 1 for t in tensors]
    order = list(range(len(sizes)))
    if indexing == "xy" and len(sizes) > 1:
        order[0], order[1] = 1, 0
    shape = [sizes[o] for o in order]
    made = []
    for i, t in enumerate(tensors):
        own = [1] * len(shape)
        own[order.index(i)] = sizes[i]
        made.append(t.reshape(*own).expand(*shape))
    return tuple(made)

def diagonal(input, offset=0, dim1=0, dim2=1):
    a, b = _axis(input, dim1), _axis(input, dim2)
    rows, columns = input.shape[a], input.shape[b]
    length = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
    names = _names(input.dim())
    given = " ".join(n + "^" if i in (a, b) else n for i, n in enumerate(names))
    rest = [n for i, n in enumerate(names) if i not in (a, b)]
    return operator("diagonal", given + " -> " + " ".join(rest + [str(length)]), input)

_diagonal = diagonal

def diag(input, diagonal=0):
    if input.dim() == 1:
        size = input.shape[0] + abs(diagonal)
        return operator("diag", "a^ -> %d %d" % (size, size), input)
    return _diagonal(input, diagonal)

def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    size = input.shape[-1] + abs(offset)
    names = _names(input.dim())
    result = list(names[:-1])
    for at in sorted((dim1 % (len(names) + 1), dim2 % (len(names) + 1))):
        result.insert(at, str(size))
    return operator("diag_embed", " ".join(names[:-1] + [names[-1] + "^"]) + " -> " + " ".join(result), input)

def tril_indices(row, col, offset=0, dtype=None, device=None):
    count = sum(min(col, max(0, i + offset + 1)) for i in range(row))
    return torch.empty(2, count, dtype=dtype or torch.int64)

def triu_indices(row, col, offset=0, dtype=None, device=None):
    count = sum(max(0, col - max(0, i + offset)) for i in range(row))
    return torch.empty(2, count, dtype=dtype or "int64")

def fliplr(input):
    return torch.flip(input, (1,))

def flipud(input):
    return torch.flip(input, (0,))

def rot90(input, k=1, dims=(0, 1)):
    a, b = dims
    if k % 4 == 2:
        return torch.flip(input, (a, b))
    return input if k % 4 == 0 else torch.flip(input, (b if k % 4 == 1 else a,)).transpose(a, b)

def view_as_complex(input):
    names = _names(input.dim() - 1)
    return operator("view_as_complex", " ".join(names + ["2"]) + " -> " + " ".join(names), input)

def view_as_real(input):
    names = _names(input.dim())
    return operator("view_as_real", " ".join(names) + " -> " + " ".join(names + ["2"]), input)

def real(input):
    return _each("real", input)

def imag(input):
    return _each("imag", input)

def atleast_1d(input):
    return input.reshape(1) if input.dim() == 0 else input

def atleast_2d(input):
    return input.reshape(1, -1) if input.dim() < 2 else input

def column_stack(tensors):
    return torch.cat([t.reshape(-1, 1) if t.dim() < 2 else t for t in tensors], dim=1)

def dstack(tensors):
    return torch.cat([atleast_3d(t) for t in tensors], dim=2)

def block_diag(*tensors):
    return _shaped("block_diag", [sum(t.shape[0] for t in tensors), sum(t.shape[1] for t in tensors)], *tensors)

def vander(x, N=None):
    return operator("vander", "a -> a %d" % (x.shape[0] if N is None else N), x)

def constant_pad_nd(input, pad, value=0):
    return F.pad(input, pad, value=value)

def as_strided(input, size, stride, storage_offset=None):
    return _shaped("as_strided", list(size), input)

def resize(input, *size, memory_format=None):
    sizes = list(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else list(size)
    return _shaped("resize", sizes, input)

resize_as = view_as

def split_with_sizes(input, split_sizes, dim=0):
    return torch.split(input, list(split_sizes), dim)

unsafe_split_with_sizes = split_with_sizes

def unsafe_split(input, split_size, dim=0):
    return torch.split(input, split_size, dim)

def unsafe_chunk(input, chunks, dim=0):
    return torch.chunk(input, chunks, dim)

def hsplit(input, indices_or_sections):
    return tensor_split(input, indices_or_sections, 0 if input.dim() == 1 else 1)

def vsplit(input, indices_or_sections):
    return tensor_split(input, indices_or_sections, 0)

def dsplit(input, indices_or_sections):
    return tensor_split(input, indices_or_sections, 2)

def atleast_3d(input):
    rank = input.dim()
    if rank > 2:
        return input
    return input.unsqueeze(-1) if rank == 2 else input.reshape(1, -1, 1)

def t(input):
    return input if input.dim() < 2 else input.transpose(0, 1)

def expand_as(input, other):
    return input.expand(*other.shape)

def concatenate(tensors, dim=0):
    return torch.cat(list(tensors), dim=dim)

def row_stack(tensors):
    return torch.vstack(list(tensors))

def diagflat(input, offset=0):
    size = input.numel() + abs(offset)
    return _shaped("diagflat", [size, size], input)

def view_dtype(input, dtype):
    before, after = input.element_size(), torch.zeros(1, dtype=dtype).element_size()
    *lead, last = input.shape
    return _shaped("view", [*lead, last * before // after], input)
