# ConvNeXts of torchvision (Liu et al. 2022).
import functools
import torch
from torch import nn
from torchvision import Conv2dNormActivation, Permute, StochasticDepth, _settled

class LayerNorm2d(nn.LayerNorm):
    def forward(self, x):
        x = nn.functional.layer_norm(x.permute(0, 2, 3, 1), self.normalized_shape, self.weight, self.bias, self.eps)
        return x.permute(0, 3, 1, 2)

class CNBlock(nn.Module):
    def __init__(self, dim, layer_scale, stochastic_depth_prob):
        super().__init__()
        self.block = nn.Sequential(nn.Conv2d(dim, dim, 7, padding=3, groups=dim, bias=True), Permute([0, 2, 3, 1]), nn.LayerNorm(dim, eps=1e-6), nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim), Permute([0, 3, 1, 2]))
        self.layer_scale = nn.Parameter(torch.full((dim, 1, 1), layer_scale))
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
    def forward(self, input):
        return self.stochastic_depth(self.layer_scale * self.block(input)) + input

class ConvNeXt(nn.Module):
    def __init__(self, widths, depths, stochastic_depth_prob=0.0, layer_scale=1e-6, num_classes=1000):
        super().__init__()
        norm_layer = functools.partial(LayerNorm2d, eps=1e-6)
        layers = [Conv2dNormActivation(3, widths[0], 4, 4, 0, norm_layer=norm_layer, activation_layer=None, bias=True)]
        total, at = sum(depths), 0
        for i, (width, depth) in enumerate(zip(widths, depths)):
            made = []
            for _ in range(depth):
                made.append(CNBlock(width, layer_scale, stochastic_depth_prob * at / (total - 1.0)))
                at += 1
            layers.append(nn.Sequential(*made))
            if i + 1 < len(widths):
                layers.append(nn.Sequential(norm_layer(width), nn.Conv2d(width, widths[i + 1], 2, 2)))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(norm_layer(widths[-1]), nn.Flatten(1), nn.Linear(widths[-1], num_classes))
    def forward(self, x):
        return self.classifier(self.avgpool(self.features(x)))

def convnext_tiny(weights=None, progress=True, **options):
    return ConvNeXt([96, 192, 384, 768], [3, 3, 9, 3], **_settled(weights, options, stochastic_depth_prob=0.1))

def convnext_small(weights=None, progress=True, **options):
    return ConvNeXt([96, 192, 384, 768], [3, 3, 27, 3], **_settled(weights, options, stochastic_depth_prob=0.4))

def convnext_base(weights=None, progress=True, **options):
    return ConvNeXt([128, 256, 512, 1024], [3, 3, 27, 3], **_settled(weights, options, stochastic_depth_prob=0.5))

def convnext_large(weights=None, progress=True, **options):
    return ConvNeXt([192, 384, 768, 1536], [3, 3, 27, 3], **_settled(weights, options, stochastic_depth_prob=0.5))
