# Models of torchvision as its documentation lists them, by torchvision 0.20.
import torch
from torch import nn

class ResidualBlock(nn.Module):
    expansion = 1
    def __init__(self, inplanes, planes, stride, groups, base_width):
        super().__init__()
        self.conv1 = nn.Conv2d(inplanes, planes, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(planes, planes, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = shortcut_of(inplanes, planes, stride)
    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))

class BottleneckBlock(nn.Module):
    expansion = 4
    def __init__(self, inplanes, planes, stride, groups, base_width):
        super().__init__()
        width = int(planes * base_width / 64) * groups
        self.conv1 = nn.Conv2d(inplanes, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, groups=groups, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, planes * 4, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(planes * 4)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = shortcut_of(inplanes, planes * 4, stride)
    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))

def shortcut_of(inplanes, planes, stride):
    if stride == 1 and inplanes == planes:
        return None
    return nn.Sequential(nn.Conv2d(inplanes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))

class ResidualNet(nn.Module):
    def __init__(self, block, layers, num_classes, groups=1, width_per_group=64):
        super().__init__()
        self.inplanes = 64
        self.groups = groups
        self.base_width = width_per_group
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        self.layer1 = self.stage_of(block, 64, layers[0], 1)
        self.layer2 = self.stage_of(block, 128, layers[1], 2)
        self.layer3 = self.stage_of(block, 256, layers[2], 2)
        self.layer4 = self.stage_of(block, 512, layers[3], 2)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * block.expansion, num_classes)
    def stage_of(self, block, planes, count, stride):
        made = []
        for i in range(count):
            made.append(block(self.inplanes, planes, stride if i == 0 else 1, self.groups, self.base_width))
            self.inplanes = planes * block.expansion
        return nn.Sequential(*made)
    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))

def resnet18(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return ResidualNet(ResidualBlock, [2, 2, 2, 2], num_classes)

def resnet34(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return ResidualNet(ResidualBlock, [3, 4, 6, 3], num_classes)

def resnet50(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return ResidualNet(BottleneckBlock, [3, 4, 6, 3], num_classes)

def resnet101(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return ResidualNet(BottleneckBlock, [3, 4, 23, 3], num_classes)

def resnet152(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return ResidualNet(BottleneckBlock, [3, 8, 36, 3], num_classes)

def resnext50_32x4d(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return ResidualNet(BottleneckBlock, [3, 4, 6, 3], num_classes, 32, 4)

def resnext101_32x8d(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return ResidualNet(BottleneckBlock, [3, 4, 23, 3], num_classes, 32, 8)

def wide_resnet50_2(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return ResidualNet(BottleneckBlock, [3, 4, 6, 3], num_classes, 1, 128)

def wide_resnet101_2(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return ResidualNet(BottleneckBlock, [3, 4, 23, 3], num_classes, 1, 128)

class PlainConvNet(nn.Module):
    def __init__(self, features, side, classifier):
        super().__init__()
        self.features = features
        self.avgpool = nn.AdaptiveAvgPool2d((side, side))
        self.classifier = classifier
    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))

def vgg_of(widths, has_norms, num_classes, dropout=0.5):
    layers = []
    channels = 3
    for width in widths:
        if width == 0:
            layers.append(nn.MaxPool2d(2, 2))
            continue
        layers.append(nn.Conv2d(channels, width, 3, padding=1))
        if has_norms:
            layers.append(nn.BatchNorm2d(width))
        layers.append(nn.ReLU(inplace=True))
        channels = width
    classifier = nn.Sequential(nn.Linear(512 * 7 * 7, 4096), nn.ReLU(True), nn.Dropout(dropout), nn.Linear(4096, 4096), nn.ReLU(True), nn.Dropout(dropout), nn.Linear(4096, num_classes))
    return PlainConvNet(nn.Sequential(*layers), 7, classifier)

vgg11_widths = [64, 0, 128, 0, 256, 256, 0, 512, 512, 0, 512, 512, 0]
vgg13_widths = [64, 64, 0, 128, 128, 0, 256, 256, 0, 512, 512, 0, 512, 512, 0]
vgg16_widths = [64, 64, 0, 128, 128, 0, 256, 256, 256, 0, 512, 512, 512, 0, 512, 512, 512, 0]
vgg19_widths = [64, 64, 0, 128, 128, 0, 256, 256, 256, 256, 0, 512, 512, 512, 512, 0, 512, 512, 512, 512, 0]

def vgg11(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return vgg_of(vgg11_widths, False, num_classes)

def vgg13(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return vgg_of(vgg13_widths, False, num_classes)

def vgg16(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return vgg_of(vgg16_widths, False, num_classes)

def vgg19(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return vgg_of(vgg19_widths, False, num_classes)

def vgg16_bn(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return vgg_of(vgg16_widths, True, num_classes)

def vgg19_bn(*, weights=None, progress=True, pretrained=False, num_classes=1000, **kwargs):
    return vgg_of(vgg19_widths, True, num_classes)

def alexnet(*, weights=None, progress=True, pretrained=False, num_classes=1000, dropout=0.5):
    features = nn.Sequential(nn.Conv2d(3, 64, 11, 4, 2), nn.ReLU(True), nn.MaxPool2d(3, 2), nn.Conv2d(64, 192, 5, padding=2), nn.ReLU(True), nn.MaxPool2d(3, 2), nn.Conv2d(192, 384, 3, padding=1), nn.ReLU(True), nn.Conv2d(384, 256, 3, padding=1), nn.ReLU(True), nn.Conv2d(256, 256, 3, padding=1), nn.ReLU(True), nn.MaxPool2d(3, 2))
    classifier = nn.Sequential(nn.Dropout(dropout), nn.Linear(256 * 6 * 6, 4096), nn.ReLU(True), nn.Dropout(dropout), nn.Linear(4096, 4096), nn.ReLU(True), nn.Linear(4096, num_classes))
    return PlainConvNet(features, 6, classifier)
