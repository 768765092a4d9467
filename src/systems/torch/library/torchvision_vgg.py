# Plain convolutional networks of torchvision (Krizhevsky 2014; Simonyan and Zisserman 2014; Iandola et al. 2016).
import torch
from torch import nn
from torchvision import _settled

class VGG(nn.Module):
    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features = features
        self.avgpool = nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(nn.Linear(512 * 7 * 7, 4096), nn.ReLU(True), nn.Dropout(dropout), nn.Linear(4096, 4096), nn.ReLU(True), nn.Dropout(dropout), nn.Linear(4096, num_classes))
    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))

# Widths of the convolutions; "M" stands for a pooling.
cfgs = {
    "A": [64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"],
    "B": [64, 64, "M", 128, 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"],
    "D": [64, 64, "M", 128, 128, "M", 256, 256, 256, "M", 512, 512, 512, "M", 512, 512, 512, "M"],
    "E": [64, 64, "M", 128, 128, "M", 256, 256, 256, 256, "M", 512, 512, 512, 512, "M", 512, 512, 512, 512, "M"],
}

def make_layers(cfg, batch_norm=False):
    layers = []
    channels = 3
    for width in cfg:
        if width == "M":
            layers.append(nn.MaxPool2d(2, 2))
            continue
        layers.append(nn.Conv2d(channels, width, 3, padding=1))
        if batch_norm:
            layers.append(nn.BatchNorm2d(width))
        layers.append(nn.ReLU(inplace=True))
        channels = width
    return nn.Sequential(*layers)

def vgg11(weights=None, progress=True, **options):
    return VGG(make_layers(cfgs["A"]), **_settled(weights, options))

def vgg11_bn(weights=None, progress=True, **options):
    return VGG(make_layers(cfgs["A"], True), **_settled(weights, options))

def vgg13(weights=None, progress=True, **options):
    return VGG(make_layers(cfgs["B"]), **_settled(weights, options))

def vgg13_bn(weights=None, progress=True, **options):
    return VGG(make_layers(cfgs["B"], True), **_settled(weights, options))

def vgg16(weights=None, progress=True, **options):
    return VGG(make_layers(cfgs["D"]), **_settled(weights, options))

def vgg16_bn(weights=None, progress=True, **options):
    return VGG(make_layers(cfgs["D"], True), **_settled(weights, options))

def vgg19(weights=None, progress=True, **options):
    return VGG(make_layers(cfgs["E"]), **_settled(weights, options))

def vgg19_bn(weights=None, progress=True, **options):
    return VGG(make_layers(cfgs["E"], True), **_settled(weights, options))

class AlexNet(nn.Module):
    def __init__(self, num_classes=1000, dropout=0.5):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 64, 11, 4, 2), nn.ReLU(True), nn.MaxPool2d(3, 2), nn.Conv2d(64, 192, 5, padding=2), nn.ReLU(True), nn.MaxPool2d(3, 2), nn.Conv2d(192, 384, 3, padding=1), nn.ReLU(True), nn.Conv2d(384, 256, 3, padding=1), nn.ReLU(True), nn.Conv2d(256, 256, 3, padding=1), nn.ReLU(True), nn.MaxPool2d(3, 2))
        self.avgpool = nn.AdaptiveAvgPool2d((6, 6))
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Linear(256 * 6 * 6, 4096), nn.ReLU(True), nn.Dropout(dropout), nn.Linear(4096, 4096), nn.ReLU(True), nn.Linear(4096, num_classes))
    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))

def alexnet(weights=None, progress=True, **options):
    return AlexNet(**_settled(weights, options))

class Fire(nn.Module):
    def __init__(self, inplanes, squeeze_planes, expand1x1_planes, expand3x3_planes):
        super().__init__()
        self.inplanes = inplanes
        self.squeeze = nn.Conv2d(inplanes, squeeze_planes, 1)
        self.squeeze_activation = nn.ReLU(inplace=True)
        self.expand1x1 = nn.Conv2d(squeeze_planes, expand1x1_planes, 1)
        self.expand1x1_activation = nn.ReLU(inplace=True)
        self.expand3x3 = nn.Conv2d(squeeze_planes, expand3x3_planes, 3, padding=1)
        self.expand3x3_activation = nn.ReLU(inplace=True)
    def forward(self, x):
        x = self.squeeze_activation(self.squeeze(x))
        return torch.cat([self.expand1x1_activation(self.expand1x1(x)), self.expand3x3_activation(self.expand3x3(x))], 1)

class SqueezeNet(nn.Module):
    def __init__(self, version="1_0", num_classes=1000, dropout=0.5):
        super().__init__()
        self.num_classes = num_classes
        first, pooled = ((96, 7), (2, 6)) if version == "1_0" else ((64, 3), (1, 3))
        layers = [nn.Conv2d(3, first[0], first[1], 2), nn.ReLU(True), nn.MaxPool2d(3, 2, ceil_mode=True)]
        channels = first[0]
        for i, width in enumerate([16, 16, 32, 32, 48, 48, 64, 64]):
            layers.append(Fire(channels, width, width * 4, width * 4))
            channels = width * 8
            if i in pooled:
                layers.append(nn.MaxPool2d(3, 2, ceil_mode=True))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(dropout), nn.Conv2d(512, num_classes, 1), nn.ReLU(True), nn.AdaptiveAvgPool2d((1, 1)))
    def forward(self, x):
        return torch.flatten(self.classifier(self.features(x)), 1)

def squeezenet1_0(weights=None, progress=True, **options):
    return SqueezeNet("1_0", **_settled(weights, options))

def squeezenet1_1(weights=None, progress=True, **options):
    return SqueezeNet("1_1", **_settled(weights, options))
