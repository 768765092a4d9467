# MobileNets and MnasNets of torchvision (Sandler et al. 2018; Howard et al. 2019; Tan et al. 2018).
import functools
import torch
from torch import nn
from torchvision import Conv2dNormActivation, SqueezeExcitation, _make_divisible, _settled

class InvertedResidual(nn.Module):
    def __init__(self, inp, oup, stride, expand_ratio, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or nn.BatchNorm2d
        hidden = int(round(inp * expand_ratio))
        self.stride = stride
        self.use_res_connect = stride == 1 and inp == oup
        layers = []
        if expand_ratio != 1:
            layers.append(Conv2dNormActivation(inp, hidden, 1, norm_layer=norm_layer, activation_layer=nn.ReLU6))
        layers.append(Conv2dNormActivation(hidden, hidden, stride=stride, groups=hidden, norm_layer=norm_layer, activation_layer=nn.ReLU6))
        self.conv = nn.Sequential(*layers, nn.Conv2d(hidden, oup, 1, bias=False), norm_layer(oup))
        self.out_channels = oup
    def forward(self, x):
        return x + self.conv(x) if self.use_res_connect else self.conv(x)

class MobileNetV2(nn.Module):
    def __init__(self, num_classes=1000, width_mult=1.0, inverted_residual_setting=None, round_nearest=8, block=None, norm_layer=None, dropout=0.2):
        super().__init__()
        block, norm_layer = block or InvertedResidual, norm_layer or nn.BatchNorm2d
        settings = inverted_residual_setting or [[1, 16, 1, 1], [6, 24, 2, 2], [6, 32, 3, 2], [6, 64, 4, 2], [6, 96, 3, 1], [6, 160, 3, 2], [6, 320, 1, 1]]
        channels = _make_divisible(32 * width_mult, round_nearest)
        self.last_channel = _make_divisible(1280 * max(1.0, width_mult), round_nearest)
        layers = [Conv2dNormActivation(3, channels, stride=2, norm_layer=norm_layer, activation_layer=nn.ReLU6)]
        for expand, width, count, stride in settings:
            width = _make_divisible(width * width_mult, round_nearest)
            for i in range(count):
                layers.append(block(channels, width, stride if i == 0 else 1, expand, norm_layer))
                channels = width
        layers.append(Conv2dNormActivation(channels, self.last_channel, 1, norm_layer=norm_layer, activation_layer=nn.ReLU6))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Linear(self.last_channel, num_classes))
    def forward(self, x):
        x = nn.functional.adaptive_avg_pool2d(self.features(x), (1, 1))
        return self.classifier(torch.flatten(x, 1))

def mobilenet_v2(weights=None, progress=True, **options):
    return MobileNetV2(**_settled(weights, options))

class MobileBlock(nn.Module):
    def __init__(self, channels, kernel, expanded, out, use_se, use_hs, stride, dilation, norm_layer):
        super().__init__()
        self.use_res_connect = stride == 1 and channels == out
        activation = nn.Hardswish if use_hs else nn.ReLU
        layers = []
        if expanded != channels:
            layers.append(Conv2dNormActivation(channels, expanded, 1, norm_layer=norm_layer, activation_layer=activation))
        layers.append(Conv2dNormActivation(expanded, expanded, kernel, 1 if dilation > 1 else stride, groups=expanded, norm_layer=norm_layer, activation_layer=activation, dilation=dilation))
        if use_se:
            layers.append(SqueezeExcitation(expanded, _make_divisible(expanded // 4, 8), scale_activation=nn.Hardsigmoid))
        layers.append(Conv2dNormActivation(expanded, out, 1, norm_layer=norm_layer, activation_layer=None))
        self.block = nn.Sequential(*layers)
        self.out_channels = out
        self._is_cn = stride > 1
    def forward(self, x):
        return x + self.block(x) if self.use_res_connect else self.block(x)

# Kernel, expanded width, width, squeeze and excitation, hard swish, stride.
_large = [(3, 16, 16, 0, 0, 1), (3, 64, 24, 0, 0, 2), (3, 72, 24, 0, 0, 1), (5, 72, 40, 1, 0, 2), (5, 120, 40, 1, 0, 1), (5, 120, 40, 1, 0, 1), (3, 240, 80, 0, 1, 2), (3, 200, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1), (3, 480, 112, 1, 1, 1), (3, 672, 112, 1, 1, 1), (5, 672, 160, 1, 1, 2), (5, 960, 160, 1, 1, 1), (5, 960, 160, 1, 1, 1)]
_small = [(3, 16, 16, 1, 0, 2), (3, 72, 24, 0, 0, 2), (3, 88, 24, 0, 0, 1), (5, 96, 40, 1, 1, 2), (5, 240, 40, 1, 1, 1), (5, 240, 40, 1, 1, 1), (5, 120, 48, 1, 1, 1), (5, 144, 48, 1, 1, 1), (5, 288, 96, 1, 1, 2), (5, 576, 96, 1, 1, 1), (5, 576, 96, 1, 1, 1)]

class MobileNetV3(nn.Module):
    def __init__(self, blocks, last_channel, num_classes=1000, dropout=0.2, width_mult=1.0, reduced_tail=False, dilated=False):
        super().__init__()
        norm_layer = functools.partial(nn.BatchNorm2d, eps=0.001, momentum=0.01)
        scaled = lambda width: _make_divisible(width * width_mult, 8)
        channels = scaled(16)
        layers = [Conv2dNormActivation(3, channels, stride=2, norm_layer=norm_layer, activation_layer=nn.Hardswish)]
        for i, (kernel, expanded, width, use_se, use_hs, stride) in enumerate(blocks):
            is_tail = i >= len(blocks) - 3
            if is_tail and reduced_tail:
                expanded, width = (expanded if i == len(blocks) - 3 else expanded // 2), width // 2
            layers.append(MobileBlock(channels, kernel, scaled(expanded), scaled(width), use_se, use_hs, stride, 2 if is_tail and dilated else 1, norm_layer))
            channels = scaled(width)
        layers.append(Conv2dNormActivation(channels, 6 * channels, 1, norm_layer=norm_layer, activation_layer=nn.Hardswish))
        last_channel = scaled(last_channel // 2 if reduced_tail else last_channel)
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Linear(6 * channels, last_channel), nn.Hardswish(inplace=True), nn.Dropout(dropout), nn.Linear(last_channel, num_classes))
    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))

def mobilenet_v3_large(weights=None, progress=True, **options):
    return MobileNetV3(_large, 1280, **_settled(weights, options))

def mobilenet_v3_small(weights=None, progress=True, **options):
    return MobileNetV3(_small, 1024, **_settled(weights, options))

class MnasBlock(nn.Module):
    def __init__(self, channels, out, kernel, stride, expansion):
        super().__init__()
        middle = channels * expansion
        self.apply_residual = channels == out and stride == 1
        self.layers = nn.Sequential(nn.Conv2d(channels, middle, 1, bias=False), nn.BatchNorm2d(middle), nn.ReLU(inplace=True), nn.Conv2d(middle, middle, kernel, stride, kernel // 2, groups=middle, bias=False), nn.BatchNorm2d(middle), nn.ReLU(inplace=True), nn.Conv2d(middle, out, 1, bias=False), nn.BatchNorm2d(out))
    def forward(self, x):
        return self.layers(x) + x if self.apply_residual else self.layers(x)

class MNASNet(nn.Module):
    def __init__(self, alpha, num_classes=1000, dropout=0.2):
        super().__init__()
        self.alpha, self.num_classes = alpha, num_classes
        first, channels, *widths = [_make_divisible(depth * alpha, 8) for depth in (32, 16, 24, 40, 80, 96, 192, 320)]
        layers = [nn.Conv2d(3, first, 3, 2, 1, bias=False), nn.BatchNorm2d(first), nn.ReLU(inplace=True), nn.Conv2d(first, first, 3, 1, 1, groups=first, bias=False), nn.BatchNorm2d(first), nn.ReLU(inplace=True), nn.Conv2d(first, channels, 1, bias=False), nn.BatchNorm2d(channels)]
        for width, (kernel, stride, expansion, count) in zip(widths, [(3, 2, 3, 3), (5, 2, 3, 3), (5, 2, 6, 3), (3, 1, 6, 2), (5, 2, 6, 4), (3, 1, 6, 1)]):
            stack = [MnasBlock(channels, width, kernel, stride, expansion)]
            stack.extend(MnasBlock(width, width, kernel, 1, expansion) for _ in range(1, count))
            layers.append(nn.Sequential(*stack))
            channels = width
        self.layers = nn.Sequential(*layers, nn.Conv2d(channels, 1280, 1, bias=False), nn.BatchNorm2d(1280), nn.ReLU(inplace=True))
        self.classifier = nn.Sequential(nn.Dropout(p=dropout, inplace=True), nn.Linear(1280, num_classes))
    def forward(self, x):
        return self.classifier(self.layers(x).mean([2, 3]))

def mnasnet0_5(weights=None, progress=True, **options):
    return MNASNet(0.5, **_settled(weights, options))

def mnasnet0_75(weights=None, progress=True, **options):
    return MNASNet(0.75, **_settled(weights, options))

def mnasnet1_0(weights=None, progress=True, **options):
    return MNASNet(1.0, **_settled(weights, options))

def mnasnet1_3(weights=None, progress=True, **options):
    return MNASNet(1.3, **_settled(weights, options))
