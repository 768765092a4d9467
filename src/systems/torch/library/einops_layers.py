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
