# einops: patterns become reshapes and permutations, reductions the functions of torch.
import torch
from torch._operators import operator, is_tensor, ranked

def _parse(side):
    groups, group = [], None
    word = ""
    for c in side + " ":
        if c.isalnum() or c == "_":
            word += c
            continue
        if word:
            (groups.append([word]) if group is None else group.append(word))
            word = ""
        if c == "(":
            group = []
        elif c == ")":
            groups.append(group)
            group = None
        elif c == "." and group is None and (not groups or groups[-1] != "..."):
            groups.append("...")
        elif c == "." and group is not None and "..." not in group:
            group.append("...")
    return groups

def _spread(groups, stars):
    result = []
    for g in groups:
        if g == "...":
            result.extend([[s] for s in stars])
        else:
            flat = []
            for n in g:
                flat.extend(stars if n == "..." else [n])
            result.append(flat)
    return result

def _sizes(groups, shape, given):
    sizes = dict(given)
    for names, size in zip(groups, shape):
        known, missing = 1, []
        for n in names:
            if n.isdigit():
                known *= int(n)
            elif n in sizes:
                known *= sizes[n]
            else:
                missing.append(n)
        if len(missing) > 1:
            raise ValueError("could not infer sizes for " + str(missing))
        if missing and known == 1:
            # The size itself, which may follow from another line yet.
            sizes[missing[0]] = size
        elif missing:
            if size % known:
                raise ValueError("shape mismatch, can't divide axis of length %d in chunks of %d" % (size, known))
            sizes[missing[0]] = size // known
        elif known != size:
            raise ValueError("shape mismatch, %d != %d" % (size, known))
    return sizes

def _size(name, sizes):
    return int(name) if name.isdigit() else sizes[name]

def _unfolded(x, pattern, given):
    left, _, right = pattern.partition("->")
    one, two = _parse(left), _parse(right)
    if "..." not in left:
        x = ranked(x, len(one))
    stars = ["_%d" % i for i in range(x.dim() - len([g for g in one if g != "..."]))] if "..." in left else []
    one, two = _spread(one, stars), _spread(two, stars)
    if len(one) != x.dim():
        raise ValueError("the pattern has %d axes, the tensor %d" % (len(one), x.dim()))
    sizes = _sizes(one, x.shape, given)
    flat = [n for g in one for n in g]
    dims = [_size(n, sizes) for n in flat]
    if dims != list(x.shape):
        x = x.reshape(*dims)
    return x, flat, two, sizes

def _ordered(x, flat, names):
    order = [flat.index(n) for n in names]
    return x if order == list(range(len(order))) else x.permute(*order)

def _folded(x, groups, sizes):
    shape = []
    for g in groups:
        size = _size(g[0], sizes) if g else 1
        for n in g[1:]:
            size *= _size(n, sizes)
        shape.append(size)
    return x if shape == list(x.shape) else x.reshape(*shape)

def rearrange(tensor, pattern, **axes_lengths):
    if isinstance(tensor, (list, tuple)):
        tensor = torch.stack(list(tensor))
    x, flat, two, sizes = _unfolded(tensor, pattern, axes_lengths)
    ones = [i for i, n in enumerate(flat) if n == "1"]
    if ones:
        x = x.reshape(*[_size(n, sizes) for n in flat if n != "1"])
        flat = [n for n in flat if n != "1"]
    names = [n for g in two for n in g if n != "1"]
    return _folded(_ordered(x, flat, names), two, sizes)

def repeat(tensor, pattern, **axes_lengths):
    left, _, right = pattern.partition("->")
    known = set(n for g in _parse(left) for n in g)
    fresh = {n: v for n, v in axes_lengths.items() if n not in known}
    x, flat, two, sizes = _unfolded(tensor, pattern, {n: v for n, v in axes_lengths.items() if n in known})
    ones = [n for n in flat if n == "1"]
    if ones:
        x = x.reshape(*[_size(n, sizes) for n in flat if n != "1"])
        flat = [n for n in flat if n != "1"]
    sizes.update(fresh)
    names = [n for g in two for n in g if n != "1"]
    kept = [n for n in names if n in flat]
    x = _ordered(x, flat, kept)
    for at, n in enumerate(names):
        if n not in flat:
            x = x.unsqueeze(at)
    wide = [_size(n, sizes) for n in names]
    if wide != list(x.shape):
        x = x.expand(*wide)
    return _folded(x, two, sizes)

def reduce(tensor, pattern, reduction, **axes_lengths):
    if isinstance(tensor, (list, tuple)):
        tensor = torch.stack(list(tensor))
    x, flat, two, sizes = _unfolded(tensor, pattern, axes_lengths)
    names = [n for g in two for n in g if n != "1"]
    gone = [i for i, n in enumerate(flat) if n not in names]
    if gone:
        function = {"mean": torch.mean, "sum": torch.sum, "max": torch.amax, "min": torch.amin, "prod": torch.prod}.get(reduction, reduction)
        x = function(x, tuple(gone)) if callable(function) else x
        flat = [n for n in flat if n in names]
    return _folded(_ordered(x, flat, names), two, sizes)

def einsum(*args):
    *tensors, pattern = args
    left, _, right = pattern.partition("->")
    names = []
    for g in _parse(left.replace(",", " ")) + _parse(right):
        names.extend([g] if g == "..." else g)
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    short = {}
    for n in names:
        if n not in short:
            short[n] = "..." if n == "..." else next(letters)
    spelt = lambda side: "".join(short[n] for g in _parse(side) for n in ([g] if g == "..." else g))
    return torch.einsum(",".join(spelt(t) for t in left.split(",")) + "->" + spelt(right), *tensors)

def asnumpy(tensor):
    return tensor

def parse_shape(x, pattern):
    return {n: s for n, s in zip(pattern.split(), x.shape) if n != "_"}

def pack(tensors, pattern):
    at = pattern.split().index("*")
    rest = len(pattern.split()) - 1 - at
    shapes = [tuple(t.shape[at:t.dim() - rest]) for t in tensors]
    flat = [t.reshape(*t.shape[:at], -1, *t.shape[t.dim() - rest:]) for t in tensors]
    return (torch.cat(flat, dim=at) if len(flat) > 1 else flat[0]), shapes

def unpack(tensor, packed_shapes, pattern):
    at = pattern.split().index("*")
    lengths = []
    for s in packed_shapes:
        size = 1
        for n in s:
            size *= n
        lengths.append(size)
    parts = torch.split(tensor, lengths, dim=at) if len(lengths) > 1 else [tensor]
    return [p.reshape(*p.shape[:at], *s, *p.shape[at + 1:]) for p, s in zip(parts, packed_shapes)]
