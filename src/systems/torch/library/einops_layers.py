# `einops.layers.torch`.
import torch
from torch import nn
import einops

class Rearrange(nn.Module):
    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern, self.axes_lengths = pattern, axes_lengths
    def forward(self, input):
        return einops.rearrange(input, self.pattern, **self.axes_lengths)

class Reduce(nn.Module):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern, self.reduction, self.axes_lengths = pattern, reduction, axes_lengths
    def forward(self, input):
        return einops.reduce(input, self.pattern, self.reduction, **self.axes_lengths)

def _flat(side):
    return " ".join(side.replace("(", " ").replace(")", " ").split())

class EinMix(nn.Module):
    def __init__(self, pattern, weight_shape, bias_shape=None, **axes_lengths):
        super().__init__()
        self.pattern, self.weight_shape, self.bias_shape = pattern, weight_shape, bias_shape
        self.axes_lengths = axes_lengths
        left, right = pattern.split("->")
        names = weight_shape.split()
        self.weight = nn.Parameter(torch.zeros([axes_lengths[name] for name in names]))
        if bias_shape is not None:
            held = bias_shape.split()
            sizes = [axes_lengths[name] if name in held else 1 for name in _flat(right).split() if name != "..."]
            self.bias = nn.Parameter(torch.zeros(sizes))
        else:
            self.bias = None
        self._sides = [_flat(left), _flat(right)]
        self._grouped = ["(" in left, "(" in right]
        self._given = {name: size for name, size in axes_lengths.items() if name in _flat(left).split()}
    def forward(self, input):
        left, right = self.pattern.split("->")
        flat, made = self._sides
        if self._grouped[0]:
            input = einops.rearrange(input, left + "->" + flat, **self._given)
        result = einops.einsum(input, self.weight, flat + ", " + self.weight_shape + " -> " + made)
        if self.bias is not None:
            result = result + self.bias
        if self._grouped[1]:
            given = {name: size for name, size in self.axes_lengths.items() if name in made.split()}
            result = einops.rearrange(result, made + "->" + right, **given)
        return result
