# `torch.nn.utils`: weights that are computed out of others, and vectors of parameters.
import torch
from torch import nn
import torch.nn.functional as F
from torch._operators import is_tensor, operator, unknown
from torch.distributed import _say_not_read

_letters = "abcdefghijlmopqrstuvwxyz"

def _normed(direction, size):
    names = [_letters[i] for i in range(direction.dim())]
    own = ["1" if size.dim() == 0 or s != d else n for n, s, d in zip(names, size.shape or [0] * len(names), direction.shape)]
    given = " ".join(n if o == n else n + "^" for n, o in zip(names, own))
    sizes = " ".join(own) if size.dim() else "()"
    return operator("weight_norm", given + ", " + sizes + " -> " + given, direction, size)

def weight_norm(module, name="weight", dim=0):
    weight = getattr(module, name)
    shape = [] if dim is None else [s if i == dim % weight.dim() else 1 for i, s in enumerate(weight.shape)]
    delattr(module, name)
    size, direction = nn.Parameter(torch.zeros(shape)), nn.Parameter(torch.zeros(weight.shape))
    module.register_parameter(name + "_g", size)
    module.register_parameter(name + "_v", direction)
    setattr(module, name, _normed(direction, size))
    return module

def remove_weight_norm(module, name="weight"):
    shape = getattr(module, name + "_v").shape
    for each in (name, name + "_g", name + "_v"):
        delattr(module, each)
    setattr(module, name, nn.Parameter(torch.zeros(shape)))
    return module

class _WeightNorm(nn.Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = dim
    def forward(self, weight_g, weight_v):
        return _normed(weight_v, weight_g)
    def right_inverse(self, weight):
        shape = [] if self.dim is None else [s if i == self.dim % weight.dim() else 1 for i, s in enumerate(weight.shape)]
        return torch.zeros(shape), weight

# `weight_norm` of `torch.nn.utils.parametrizations`.
def parametrized_weight_norm(module, name="weight", dim=0):
    return register_parametrization(module, name, _WeightNorm(dim))

def _settled(name, weight):
    _say_not_read(name, "weights are drawn without the products that settle them")
    dims = " ".join(_letters[i] + "^" for i in range(weight.dim()))
    return operator(name, dims + " -> " + dims, weight)

# Of all but the dim that stays, the weight is one row.
def _rows(weight, dim):
    return weight.shape[dim], weight.numel() // weight.shape[dim]

def _own_dim(module, dim):
    return dim if dim is not None else 1 if "ConvTranspose" in type(module).__name__ else 0

# `spectral_norm` of `torch.nn.utils` from before parametrizations.
def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    weight = getattr(module, name)
    rows, columns = _rows(weight, _own_dim(module, dim))
    delattr(module, name)
    own = nn.Parameter(torch.zeros(weight.shape))
    module.register_parameter(name + "_orig", own)
    setattr(module, name, _settled("spectral_norm", own))
    module.register_buffer(name + "_u", torch.zeros(rows))
    module.register_buffer(name + "_v", torch.zeros(columns))
    return module

class _SpectralNorm(nn.Module):
    def __init__(self, weight, dim):
        super().__init__()
        if weight.dim() > 1:
            rows, columns = _rows(weight, dim)
            self.register_buffer("_u", torch.zeros(rows))
            self.register_buffer("_v", torch.zeros(columns))
    def forward(self, weight):
        return _settled("spectral_norm", weight)

class _Orthogonal(nn.Module):
    def forward(self, weight):
        return _settled("orthogonal", weight)

# `spectral_norm` and `orthogonal` of `torch.nn.utils.parametrizations`.
def parametrized_spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    return register_parametrization(module, name, _SpectralNorm(getattr(module, name), _own_dim(module, dim)))

def parametrized_orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    weight = getattr(module, name)
    if weight.dim() < 2:
        raise ValueError("Expected a matrix or batch of matrices. Got a tensor of %d dimensions." % weight.dim())
    made = _Orthogonal()
    register_parametrization(module, name, made)
    if use_trivialization:
        side = max(weight.shape[-2:])
        made.register_buffer("base", torch.zeros(*weight.shape[:-2], side, side))
    return module

class ParametrizationList(nn.ModuleList):
    """Modules that work out a weight of another module, one behind the other, out of what is trained."""
    def forward(self):
        weight = self.original if hasattr(self, "original") else (self.original0, self.original1)
        for i, each in enumerate(self):
            weight = each(*weight) if isinstance(weight, tuple) else each(weight)
        return weight

def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    if not hasattr(module, "parametrizations"):
        module.parametrizations = nn.ModuleDict()
    if tensor_name in module.parametrizations:
        held = module.parametrizations[tensor_name]
        held.append(parametrization)
    else:
        weight = getattr(module, tensor_name)
        if hasattr(parametrization, "right_inverse"):
            weight = parametrization.right_inverse(weight)
        held = ParametrizationList([parametrization])
        delattr(module, tensor_name)
        if isinstance(weight, tuple):
            held.original0, held.original1 = [nn.Parameter(torch.zeros(each.shape)) for each in weight]
        else:
            held.original = nn.Parameter(torch.zeros(weight.shape))
        module.parametrizations[tensor_name] = held
    setattr(module, tensor_name, held())
    return module

def is_parametrized(module, tensor_name=None):
    held = getattr(module, "parametrizations", None)
    return held is not None and (tensor_name is None or tensor_name in held)

def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    held = module.parametrizations[tensor_name]
    shape = held().shape if leave_parametrized else held.original.shape
    delattr(module, tensor_name)
    module.parametrizations = nn.ModuleDict({key: each for key, each in module.parametrizations.items() if key != tensor_name})
    setattr(module, tensor_name, nn.Parameter(torch.zeros(shape)))
    return module

def cached():
    from contextlib import nullcontext
    return nullcontext()

def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    rows = list(sequences)
    longest = max(each.shape[0] for each in rows)
    padded = []
    for each in rows:
        missing = longest - each.shape[0]
        sides = (missing, 0) if padding_side == "left" else (0, missing)
        padded.append(F.pad(each, (0, 0) * (each.dim() - 1) + sides, value=padding_value) if missing else each)
    return torch.stack(padded, 0 if batch_first else 1)

class PackedSequence:
    """Rows of different lengths, which are drawn with their padding."""
    def __init__(self, padded, lengths, batch_first):
        self._padded, self._lengths, self._batch_first = padded, lengths, batch_first
    @property
    def data(self):
        return unknown("torch.nn.utils.rnn.PackedSequence.data", self._padded)
    batch_sizes = sorted_indices = unsorted_indices = None
    def to(self, *args, **options):
        return self
    cuda = cpu = to

def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    _say_not_read("pack_padded_sequence", "rows are drawn as long as they are given, with their padding, which is not computed in a run")
    return PackedSequence(input, lengths, batch_first)

def pack_sequence(sequences, enforce_sorted=True):
    rows = list(sequences)
    return pack_padded_sequence(pad_sequence(rows), torch.tensor([each.shape[0] for each in rows]))

def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    rows = sequence._padded
    if batch_first != sequence._batch_first:
        rows = rows.transpose(0, 1)
    at = 1 if batch_first else 0
    missing = 0 if total_length is None else total_length - rows.shape[at]
    if missing > 0:
        rows = F.pad(rows, (0, 0) * (rows.dim() - 1 - at) + (0, missing), value=padding_value)
    elif missing < 0:
        rows = rows.narrow(at, 0, total_length)
    lengths = sequence._lengths
    return rows, lengths if is_tensor(lengths) else torch.tensor(lengths)

def parameters_to_vector(parameters):
    return torch.cat([p.reshape(-1) for p in parameters])

def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return torch.empty(())

clip_grad_norm = clip_grad_norm_

def clip_grad_value_(parameters, clip_value, foreach=None):
    return None
