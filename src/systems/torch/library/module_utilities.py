# `torch.nn.utils`: weights that are computed out of others, and vectors of parameters.
import torch
from torch import nn
from torch._operators import operator

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

def parameters_to_vector(parameters):
    return torch.cat([p.reshape(-1) for p in parameters])

def clip_grad_norm_(parameters, max_norm, *args, **options):
    return torch.empty(())

def clip_grad_value_(parameters, clip_value, *args, **options):
    return None
