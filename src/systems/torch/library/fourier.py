# `torch.fft`, by the signatures of PyTorch 2: the dims that are transformed stay whole.
import torch
from torch._operators import operator

_letters = "abcdefghijlmopqrstuvwxyz"

def _transformed(name, x, sizes):
    rank = x.dim()
    given = " ".join(_letters[i] + "^" if i in sizes else _letters[i] for i in range(rank))
    made = " ".join(str(sizes[i]) if i in sizes and sizes[i] != x.shape[i] else _letters[i] + ("^" if i in sizes else "") for i in range(rank))
    return operator(name, given + " -> " + made, x)

def _along_one(name, last):
    def function(input, n=None, dim=-1, norm=None, out=None):
        at = dim % input.dim()
        return _transformed(name, input, {at: last(input.shape[at], n)})
    return function

def _along_some(name, last, least=None):
    def function(input, s=None, dim=least, norm=None, out=None):
        rank = input.dim()
        if dim is None:
            dim = range(rank) if s is None else range(rank - len(s), rank)
        dims = [d % rank for d in ([dim] if isinstance(dim, int) else dim)]
        sizes = {d: input.shape[d] if s is None or s[i] == -1 else s[i] for i, d in enumerate(dims)}
        sizes[dims[-1]] = last(input.shape[dims[-1]], None if s is None or s[-1] == -1 else s[-1])
        return _transformed(name, input, sizes)
    return function

_whole = lambda size, n: size if n is None else n
_half = lambda size, n: (size if n is None else n) // 2 + 1
_twice = lambda size, n: 2 * (size - 1) if n is None else n

fft, ifft = _along_one("fft", _whole), _along_one("ifft", _whole)
rfft, ihfft = _along_one("rfft", _half), _along_one("ihfft", _half)
irfft, hfft = _along_one("irfft", _twice), _along_one("hfft", _twice)
fft2, ifft2 = _along_some("fft2", _whole, (-2, -1)), _along_some("ifft2", _whole, (-2, -1))
rfft2, irfft2 = _along_some("rfft2", _half, (-2, -1)), _along_some("irfft2", _twice, (-2, -1))
fftn, ifftn = _along_some("fftn", _whole), _along_some("ifftn", _whole)
rfftn, irfftn = _along_some("rfftn", _half), _along_some("irfftn", _twice)

def fftshift(input, dim=None):
    dims = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    return _transformed("fftshift", input, {d % input.dim(): input.shape[d] for d in dims})

def ifftshift(input, dim=None):
    return fftshift(input, dim)

def fftfreq(n, d=1.0, **options):
    return torch.zeros(n)

def rfftfreq(n, d=1.0, **options):
    return torch.zeros(n // 2 + 1)
