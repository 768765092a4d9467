# EfficientNets of torchvision (Tan and Le 2019 and 2021).
import functools
import math
import torch
from torch import nn
from torchvision import Conv2dNormActivation, SqueezeExcitation, StochasticDepth, _make_divisible, _settled

class MBConv(nn.Module):
    def __init__(self, channels, out, kernel, stride, expand_ratio, drop, norm_layer):
        super().__init__()
        self.use_res_connect = stride == 1 and channels == out
        expanded = _make_divisible(channels * expand_ratio, 8)
        layers = []
        if expanded != channels:
            layers.append(Conv2dNormActivation(channels, expanded, 1, norm_layer=norm_layer, activation_layer=nn.SiLU))
        layers.append(Conv2dNormActivation(expanded, expanded, kernel, stride, groups=expanded, norm_layer=norm_layer, activation_layer=nn.SiLU))
        layers.append(SqueezeExcitation(expanded, max(1, channels // 4), nn.SiLU))
        layers.append(Conv2dNormActivation(expanded, out, 1, norm_layer=norm_layer, activation_layer=None))
        self.block = nn.Sequential(*layers)
        self.stochastic_depth = StochasticDepth(drop, "row")
        self.out_channels = out
    def forward(self, x):
        return x + self.stochastic_depth(self.block(x)) if self.use_res_connect else self.block(x)

class FusedMBConv(nn.Module):
    def __init__(self, channels, out, kernel, stride, expand_ratio, drop, norm_layer):
        super().__init__()
        self.use_res_connect = stride == 1 and channels == out
        expanded = _make_divisible(channels * expand_ratio, 8)
        layers = [Conv2dNormActivation(channels, expanded if expanded != channels else out, kernel, stride, norm_layer=norm_layer, activation_layer=nn.SiLU)]
        if expanded != channels:
            layers.append(Conv2dNormActivation(expanded, out, 1, norm_layer=norm_layer, activation_layer=None))
        self.block = nn.Sequential(*layers)
        self.stochastic_depth = StochasticDepth(drop, "row")
        self.out_channels = out
    def forward(self, x):
        return x + self.stochastic_depth(self.block(x)) if self.use_res_connect else self.block(x)

class EfficientNet(nn.Module):
    def __init__(self, stages, dropout, stochastic_depth_prob=0.2, num_classes=1000, norm_layer=None, last_channel=None):
        super().__init__()
        norm_layer = norm_layer or nn.BatchNorm2d
        channels = stages[0][4]
        layers = [Conv2dNormActivation(3, channels, stride=2, norm_layer=norm_layer, activation_layer=nn.SiLU)]
        total, at = sum(stage[6] for stage in stages), 0
        for block, expand_ratio, kernel, stride, _, width, count in stages:
            made = []
            for i in range(count):
                made.append(block(channels, width, kernel, stride if i == 0 else 1, expand_ratio, stochastic_depth_prob * at / total, norm_layer))
                channels, at = width, at + 1
            layers.append(nn.Sequential(*made))
        last_channel = last_channel or 4 * channels
        layers.append(Conv2dNormActivation(channels, last_channel, 1, norm_layer=norm_layer, activation_layer=nn.SiLU))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Dropout(dropout, inplace=True), nn.Linear(last_channel, num_classes))
    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))

# Expansion, kernel, stride, widths before and after, blocks.
_first = [(1, 3, 1, 32, 16, 1), (6, 3, 2, 16, 24, 2), (6, 5, 2, 24, 40, 2), (6, 3, 2, 40, 80, 3), (6, 5, 1, 80, 112, 3), (6, 5, 2, 112, 192, 4), (6, 3, 1, 192, 320, 1)]
_v2_s = [(1, 3, 1, 24, 24, 2), (4, 3, 2, 24, 48, 4), (4, 3, 2, 48, 64, 4), (4, 3, 2, 64, 128, 6), (6, 3, 1, 128, 160, 9), (6, 3, 2, 160, 256, 15)]
_v2_m = [(1, 3, 1, 24, 24, 3), (4, 3, 2, 24, 48, 5), (4, 3, 2, 48, 80, 5), (4, 3, 2, 80, 160, 7), (6, 3, 1, 160, 176, 14), (6, 3, 2, 176, 304, 18), (6, 3, 1, 304, 512, 5)]
_v2_l = [(1, 3, 1, 32, 32, 4), (4, 3, 2, 32, 64, 7), (4, 3, 2, 64, 96, 7), (4, 3, 2, 96, 192, 10), (6, 3, 1, 192, 224, 19), (6, 3, 2, 224, 384, 25), (6, 3, 1, 384, 640, 7)]
_precise = functools.partial(nn.BatchNorm2d, eps=0.001)

def _scaled(width_mult, depth_mult):
    adjusted = lambda width: _make_divisible(width * width_mult, 8)
    return [(MBConv, expand, kernel, stride, adjusted(before), adjusted(after), int(math.ceil(count * depth_mult))) for expand, kernel, stride, before, after, count in _first]

def _second(stages):
    return [(FusedMBConv if i < 3 else MBConv, *stage) for i, stage in enumerate(stages)]

def efficientnet_b0(weights=None, progress=True, **options):
    return EfficientNet(_scaled(1.0, 1.0), **_settled(weights, options, dropout=0.2))

def efficientnet_b1(weights=None, progress=True, **options):
    return EfficientNet(_scaled(1.0, 1.1), **_settled(weights, options, dropout=0.2))

def efficientnet_b2(weights=None, progress=True, **options):
    return EfficientNet(_scaled(1.1, 1.2), **_settled(weights, options, dropout=0.3))

def efficientnet_b3(weights=None, progress=True, **options):
    return EfficientNet(_scaled(1.2, 1.4), **_settled(weights, options, dropout=0.3))

def efficientnet_b4(weights=None, progress=True, **options):
    return EfficientNet(_scaled(1.4, 1.8), **_settled(weights, options, dropout=0.4))

def efficientnet_b5(weights=None, progress=True, **options):
    return EfficientNet(_scaled(1.6, 2.2), **_settled(weights, options, dropout=0.4, norm_layer=_precise))

def efficientnet_b6(weights=None, progress=True, **options):
    return EfficientNet(_scaled(1.8, 2.6), **_settled(weights, options, dropout=0.5, norm_layer=_precise))

def efficientnet_b7(weights=None, progress=True, **options):
    return EfficientNet(_scaled(2.0, 3.1), **_settled(weights, options, dropout=0.5, norm_layer=_precise))

def efficientnet_v2_s(weights=None, progress=True, **options):
    return EfficientNet(_second(_v2_s), **_settled(weights, options, dropout=0.2, norm_layer=_precise, last_channel=1280))

def efficientnet_v2_m(weights=None, progress=True, **options):
    return EfficientNet(_second(_v2_m), **_settled(weights, options, dropout=0.3, norm_layer=_precise, last_channel=1280))

def efficientnet_v2_l(weights=None, progress=True, **options):
    return EfficientNet(_second(_v2_l), **_settled(weights, options, dropout=0.4, norm_layer=_precise, last_channel=1280))
