# What the texts of functions begin with: annotations out of shapes.
import torch
from torch._operators import operator, is_tensor, as_torch, is_unknown, unknown, places, is_places, add_at, chosen
import torch.nn.functional as F

_letters = "abcdefghijlmopqrstuvwxyz"

def _names(count, skipped=0):
    return [_letters[i + skipped] for i in range(count)]

def _axis(x, dim):
    return dim % max(1, x.dim())

def _each(name, x):
    return operator(name, "* -> *", x)

def broadcast_shapes(*shapes):
    rank = max([len(s) for s in shapes] + [0])
    result = []
    for at in range(rank):
        sizes = [s[at - rank + len(s)] for s in shapes if at - rank + len(s) >= 0]
        other = [s for s in sizes if s != 1]
        result.append(other[0] if other else 1)
    return torch.Size(result)

def _joint(name, *values):
    tensors = [v for v in values if is_tensor(v)]
    shape = broadcast_shapes(*[t.shape for t in tensors])
    rank = len(shape)
    texts = []
    for t in tensors:
        own = t.shape
        lead = rank - len(own)
        dims = ["1" if own[i] == 1 and shape[lead + i] != 1 else _letters[lead + i] for i in range(len(own))]
        texts.append(" ".join(dims))
    return operator(name, ", ".join(texts) + " -> " + (" ".join(_names(rank)) or "()"), *tensors)

def _reduced(name, x, dim=None, keepdim=False, results=1, mark="^"):
    rank = x.dim()
    if dim is None:
        dims = list(range(rank))
    else:
        dims = [d % max(1, rank) for d in (dim if isinstance(dim, (tuple, list)) else [dim])]
    names = _names(rank)
    given = " ".join(n + mark if i in dims else n for i, n in enumerate(names))
    left = [n if i not in dims else "1" for i, n in enumerate(names) if keepdim or i not in dims]
    out = " ".join(left) or "()"
    return operator(name, given + " -> " + ", ".join([out] * results), x)

def _along(name, x, dim, results=1):
    names = _names(x.dim())
    at = _axis(x, dim)
    text = " ".join(n + "^" if i == at else n for i, n in enumerate(names))
    return operator(name, text + " -> " + ", ".join([text] * results), x)

# Of functions that work on matrices one by one: dims before the last `core` of each operand are free.
def _batched(name, core, tails, *tensors):
    cores = core if isinstance(core, list) else [core] * len(tensors)
    leads = [list(t.shape)[:t.dim() - k] for t, k in zip(tensors, cores)]
    shape = broadcast_shapes(*leads)
    names, used, texts = _names(len(shape)), len(shape), []
    for t, k, lead in zip(tensors, cores, leads):
        skipped = len(shape) - len(lead)
        dims = ["1" if s == 1 and shape[skipped + i] != 1 else names[skipped + i] for i, s in enumerate(lead)]
        dims += [n + "^" for n in _names(k, used)]
        used += k
        texts.append(" ".join(dims) or "()")
    results = ", ".join(" ".join(names + [str(s) for s in tail]) or "()" for tail in tails)
    return operator(name, ", ".join(texts) + " -> " + results, *tensors)

def _shaped(name, shape, *tensors):
    return _made(name, [shape], *tensors)

def _made(name, shapes, *tensors):
    used, texts = 0, []
    for t in tensors:
        texts.append(" ".join(_letters[used + i] + "^" for i in range(t.dim())) or "()")
        used += t.dim()
    results = ", ".join(" ".join(str(s) for s in shape) or "()" for shape in shapes)
    return operator(name, ", ".join(texts) + " -> " + results, *tensors)
