# `torch.einsum`: sublists, dots, repeated letters, sizes of 1, and any number of operands.
from torch._operators import ranked

_letters52 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

def _equation_of(arguments):
    row = list(arguments)
    result = row.pop() if len(row) % 2 else None
    spelt = lambda places: "".join("..." if p is ... else _letters52[p] for p in places)
    left = ",".join(spelt(places) for places in row[1::2])
    return left if result is None else left + "->" + spelt(result), row[0::2]

def _spread(terms, right, operands):
    """Letters in place of dots, as many as the operands have dims there."""
    free = [c for c in _letters52 if c not in "".join(terms)]
    ranks = [t.dim() - len(term.replace("...", "")) for term, t in zip(terms, operands)]
    most = max([r for term, r in zip(terms, ranks) if "..." in term] + [0])
    stars = "".join(free[:most])
    spread = [term.replace("...", stars[len(stars) - r:] if r > 0 else "") for term, r in zip(terms, ranks)]
    if right is None:
        joined = "".join(terms).replace(".", "")
        return spread, stars + "".join(sorted(c for c in set(joined) if joined.count(c) == 1))
    return spread, right.replace("...", stars)

def _without_repeats(term, x):
    for c in sorted(set(term)):
        while term.count(c) > 1:
            first = term.index(c)
            second = term.index(c, first + 1)
            if x.shape[first] != x.shape[second]:
                raise RuntimeError("einsum(): subscript %s is repeated but the sizes don't match, %d != %d" % (c, x.shape[second], x.shape[first]))
            x = torch.diagonal(x, 0, first, second)
            term = "".join(l for i, l in enumerate(term) if i != first and i != second) + c
    return term, x

def _without_ones(term, x, sizes):
    """A dim of 1 that others have longer is the same for all of their places."""
    at = 0
    while at < len(term):
        if x.shape[at] == 1 and sizes[term[at]] != 1:
            x = x.select(at, 0)
            term = term[:at] + term[at + 1:]
        else:
            at += 1
    return term, x

def _checked(terms, operands):
    if len(terms) < len(operands):
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    if len(terms) > len(operands):
        raise RuntimeError("einsum(): fewer operands were provided than specified in the equation")
    for term, x in zip(terms, operands):
        if "..." not in term and len(term) != ranked(x, len(term)).dim():
            raise RuntimeError("einsum(): the number of subscripts in the equation (%d) does not match the number of dimensions (%d) for an operand and no ellipsis was given" % (len(term), x.dim()))

def einsum(equation, *operands):
    if not isinstance(equation, str):
        equation, operands = _equation_of((equation,) + operands)
    elif len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = operands[0]
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    _checked(terms, operands)
    terms, right = _spread(terms, right if arrow else None, operands)
    pairs = [_without_repeats(term, x) for term, x in zip(terms, operands)]
    sizes = {}
    for term, x in pairs:
        for c, size in zip(term, x.shape):
            if sizes.get(c, 1) == 1:
                sizes[c] = size
            elif size != 1 and size != sizes[c]:
                raise RuntimeError("einsum(): operands do not broadcast with remapped shapes: %s is %d and %d" % (c, sizes[c], size))
    for c in right:
        if c not in sizes:
            raise RuntimeError("einsum(): output subscript %s does not appear in the equation for any input operand" % c)
        if right.count(c) > 1:
            raise RuntimeError("einsum(): output subscript %s appears more than once in the output" % c)
    pairs = [_without_ones(term, x, sizes) for term, x in pairs]
    if len(pairs) <= 3:
        return _contracted(pairs, right)
    # From left to right, two at a time, as PyTorch does; what nothing needs any more is summed.
    term, x = pairs[0]
    for at in range(1, len(pairs)):
        rest = right + "".join(other for other, _ in pairs[at + 1:])
        joined = term + "".join(c for c in pairs[at][0] if c not in term)
        kept = right if at == len(pairs) - 1 else "".join(c for c in joined if c in rest)
        x = _contracted([(term, x), pairs[at]], kept)
        term = kept
    return x

def _contracted(pairs, right):
    small = "abcdefghijklmnopqrstuvwxyz"
    used = sorted(set("".join(term for term, _ in pairs)))
    spare = iter([c for c in small if c not in used])
    letters = {c: c if c in small else next(spare) for c in used}
    left = ",".join("".join(letters[c] for c in term) for term, _ in pairs)
    return torch._einsum(left + "->" + "".join(letters[c] for c in right), *[x for _, x in pairs])
