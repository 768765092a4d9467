# RegNets of torchvision (Radosavovic et al. 2020).
from collections import OrderedDict
import math
import torch
from torch import nn
from torchvision import Conv2dNormActivation, SqueezeExcitation, _make_divisible, _settled

class ResBottleneckBlock(nn.Module):
    def __init__(self, before, width, stride, group_width, se_ratio):
        super().__init__()
        self.proj = None
        if before != width or stride != 1:
            self.proj = Conv2dNormActivation(before, width, 1, stride, activation_layer=None)
        parts = OrderedDict(a=Conv2dNormActivation(before, width, 1), b=Conv2dNormActivation(width, width, 3, stride, groups=width // group_width))
        if se_ratio:
            parts["se"] = SqueezeExcitation(width, int(round(se_ratio * before)))
        parts["c"] = Conv2dNormActivation(width, width, 1, activation_layer=None)
        self.f = nn.Sequential(parts)
        self.activation = nn.ReLU(inplace=True)
    def forward(self, x):
        return self.activation((x if self.proj is None else self.proj(x)) + self.f(x))

# Widths grow by w_a a block, as powers of w_m, and blocks of one width are a stage.
def _stages(depth, w_0, w_a, w_m, group_width):
    powers = [round(math.log((w_0 + w_a * i) / w_0) / math.log(w_m)) for i in range(depth)]
    widths = [int(round(w_0 * w_m ** power / 8) * 8) for power in powers]
    found = []
    for width in sorted(set(widths)):
        group = min(group_width, width)
        found.append((_make_divisible(width, group), group, widths.count(width)))
    return found

class RegNet(nn.Module):
    def __init__(self, stages, se_ratio, num_classes=1000):
        super().__init__()
        self.stem = Conv2dNormActivation(3, 32, 3, 2)
        channels, parts = 32, []
        for i, (width, group, count) in enumerate(stages):
            blocks = []
            for j in range(count):
                blocks.append(("block%d-%d" % (i + 1, j), ResBottleneckBlock(channels, width, 2 if j == 0 else 1, group, se_ratio)))
                channels = width
            parts.append(("block%d" % (i + 1), nn.Sequential(OrderedDict(blocks))))
        self.trunk_output = nn.Sequential(OrderedDict(parts))
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(channels, num_classes)
    def forward(self, x):
        return self.fc(self.avgpool(self.trunk_output(self.stem(x))).flatten(start_dim=1))

def regnet_y_400mf(weights=None, progress=True, **options):
    return RegNet(_stages(16, 48, 27.89, 2.09, 8), 0.25, **_settled(weights, options))

def regnet_y_800mf(weights=None, progress=True, **options):
    return RegNet(_stages(14, 56, 38.84, 2.4, 16), 0.25, **_settled(weights, options))

def regnet_y_1_6gf(weights=None, progress=True, **options):
    return RegNet(_stages(27, 48, 20.71, 2.65, 24), 0.25, **_settled(weights, options))

def regnet_y_3_2gf(weights=None, progress=True, **options):
    return RegNet(_stages(21, 80, 42.63, 2.66, 24), 0.25, **_settled(weights, options))

def regnet_y_8gf(weights=None, progress=True, **options):
    return RegNet(_stages(17, 192, 76.82, 2.19, 56), 0.25, **_settled(weights, options))

def regnet_y_16gf(weights=None, progress=True, **options):
    return RegNet(_stages(18, 200, 106.23, 2.48, 112), 0.25, **_settled(weights, options))

def regnet_y_32gf(weights=None, progress=True, **options):
    return RegNet(_stages(20, 232, 115.89, 2.53, 232), 0.25, **_settled(weights, options))

def regnet_y_128gf(weights=None, progress=True, **options):
    return RegNet(_stages(27, 456, 160.83, 2.52, 264), 0.25, **_settled(weights, options))

def regnet_x_400mf(weights=None, progress=True, **options):
    return RegNet(_stages(22, 24, 24.48, 2.54, 16), None, **_settled(weights, options))

def regnet_x_800mf(weights=None, progress=True, **options):
    return RegNet(_stages(16, 56, 35.73, 2.28, 16), None, **_settled(weights, options))

def regnet_x_1_6gf(weights=None, progress=True, **options):
    return RegNet(_stages(18, 80, 34.01, 2.25, 24), None, **_settled(weights, options))

def regnet_x_3_2gf(weights=None, progress=True, **options):
    return RegNet(_stages(25, 88, 26.31, 2.25, 48), None, **_settled(weights, options))

def regnet_x_8gf(weights=None, progress=True, **options):
    return RegNet(_stages(23, 80, 49.56, 2.88, 120), None, **_settled(weights, options))

def regnet_x_16gf(weights=None, progress=True, **options):
    return RegNet(_stages(22, 216, 55.59, 2.1, 128), None, **_settled(weights, options))

def regnet_x_32gf(weights=None, progress=True, **options):
    return RegNet(_stages(23, 320, 69.86, 2.0, 168), None, **_settled(weights, options))
