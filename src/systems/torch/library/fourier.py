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

# `torch.stft` of rows of samples, and back: what each frame holds is complex.
def stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect", normalized=False, onesided=None, return_complex=None, align_to_window=None):
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    if return_complex is None:
        raise RuntimeError("stft requires the return_complex parameter be given for real inputs")
    if input.dim() not in (1, 2):
        raise RuntimeError("stft: expected a 1D or 2D tensor, but it has %d dims" % input.dim())
    samples = input.shape[-1]
    if center and pad_mode == "reflect" and n_fft // 2 >= samples:
        raise RuntimeError("stft: padding %d should be less than the %d samples" % (n_fft // 2, samples))
    length = samples + (2 * (n_fft // 2) if center else 0)
    _require_frames("stft", length, n_fft, hop, width, window)
    bins = n_fft if onesided is False else n_fft // 2 + 1
    lead = "b " if input.dim() == 2 else ""
    made = "%s%d %d" % (lead, bins, 1 + (length - n_fft) // hop)
    return operator("stft", lead + "l^ -> " + made + ("" if return_complex else " 2"), input)

def _require_frames(name, length, n_fft, hop, width, window):
    if not 0 < n_fft <= length:
        raise RuntimeError("%s: expected 0 < n_fft < %d, but got n_fft=%d" % (name, length, n_fft))
    if hop <= 0:
        raise RuntimeError("%s: expected hop_length > 0, but got hop_length=%d" % (name, hop))
    if not 0 < width <= n_fft:
        raise RuntimeError("%s: expected 0 < win_length <= n_fft, but got win_length=%d" % (name, width))
    if window is not None and tuple(window.shape) != (width,):
        raise RuntimeError("%s: expected a 1D window tensor of size equal to win_length=%d, but got window with size %s" % (name, width, list(window.shape)))

def istft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None, length=None, return_complex=False):
    hop = n_fft // 4 if hop_length is None else hop_length
    bins, frames = input.shape[-2:]
    wanted = n_fft if onesided is False else n_fft // 2 + 1
    if bins != wanted:
        raise RuntimeError("istft: expected the frequency dimension to be %d, but it is %d" % (wanted, bins))
    _require_frames("istft", n_fft, n_fft, hop, n_fft if win_length is None else win_length, window)
    whole = n_fft + hop * (frames - 1)
    made = length if length is not None else whole - 2 * (n_fft // 2) if center else whole
    lead = "b " if input.dim() == 3 else ""
    return operator("istft", "%sf^ t^ -> %s%d" % (lead, lead, made), input)
