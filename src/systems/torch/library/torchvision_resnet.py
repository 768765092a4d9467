# Residual networks of torchvision (He et al. 2015; Xie et al. 2016; Zagoruyko and Komodakis 2016).
import torch
from torch import nn
from torchvision import _settled

def conv3x3(in_planes, out_planes, stride=1, groups=1, dilation=1):
    return nn.Conv2d(in_planes, out_planes, 3, stride, dilation, dilation, groups, bias=False)

def conv1x1(in_planes, out_planes, stride=1):
    return nn.Conv2d(in_planes, out_planes, 1, stride, bias=False)

class BasicBlock(nn.Module):
    expansion = 1
    def __init__(self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or nn.BatchNorm2d
        if groups != 1 or base_width != 64:
            raise ValueError("BasicBlock only supports groups=1 and base_width=64")
        if dilation > 1:
            raise NotImplementedError("Dilation > 1 not supported in BasicBlock")
        self.conv1 = conv3x3(inplanes, planes, stride)
        self.bn1 = norm_layer(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = norm_layer(planes)
        self.downsample = downsample
        self.stride = stride
    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))

class Bottleneck(nn.Module):
    expansion = 4
    def __init__(self, inplanes, planes, stride=1, downsample=None, groups=1, base_width=64, dilation=1, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or nn.BatchNorm2d
        width = int(planes * base_width / 64) * groups
        self.conv1 = conv1x1(inplanes, width)
        self.bn1 = norm_layer(width)
        self.conv2 = conv3x3(width, width, stride, groups, dilation)
        self.bn2 = norm_layer(width)
        self.conv3 = conv1x1(width, planes * self.expansion)
        self.bn3 = norm_layer(planes * self.expansion)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride
    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))

class ResNet(nn.Module):
    def __init__(self, block, layers, num_classes=1000, zero_init_residual=False, groups=1, width_per_group=64, replace_stride_with_dilation=None, norm_layer=None):
        super().__init__()
        self._norm_layer = norm_layer or nn.BatchNorm2d
        self.inplanes = 64
        self.dilation = 1
        self.groups = groups
        self.base_width = width_per_group
        dilated = replace_stride_with_dilation or [False, False, False]
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = self._norm_layer(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        self.layer1 = self._make_layer(block, 64, layers[0])
        self.layer2 = self._make_layer(block, 128, layers[1], 2, dilated[0])
        self.layer3 = self._make_layer(block, 256, layers[2], 2, dilated[1])
        self.layer4 = self._make_layer(block, 512, layers[3], 2, dilated[2])
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * block.expansion, num_classes)
    def _make_layer(self, block, planes, blocks, stride=1, dilate=False):
        first_dilation = self.dilation
        if dilate:
            self.dilation, stride = self.dilation * stride, 1
        downsample = None
        if stride != 1 or self.inplanes != planes * block.expansion:
            downsample = nn.Sequential(conv1x1(self.inplanes, planes * block.expansion, stride), self._norm_layer(planes * block.expansion))
        made = [block(self.inplanes, planes, stride, downsample, self.groups, self.base_width, first_dilation, self._norm_layer)]
        self.inplanes = planes * block.expansion
        for _ in range(1, blocks):
            made.append(block(self.inplanes, planes, groups=self.groups, base_width=self.base_width, dilation=self.dilation, norm_layer=self._norm_layer))
        return nn.Sequential(*made)
    def _forward_impl(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))
    def forward(self, x):
        return self._forward_impl(x)

def resnet18(weights=None, progress=True, **options):
    return ResNet(BasicBlock, [2, 2, 2, 2], **_settled(weights, options))

def resnet34(weights=None, progress=True, **options):
    return ResNet(BasicBlock, [3, 4, 6, 3], **_settled(weights, options))

def resnet50(weights=None, progress=True, **options):
    return ResNet(Bottleneck, [3, 4, 6, 3], **_settled(weights, options))

def resnet101(weights=None, progress=True, **options):
    return ResNet(Bottleneck, [3, 4, 23, 3], **_settled(weights, options))

def resnet152(weights=None, progress=True, **options):
    return ResNet(Bottleneck, [3, 8, 36, 3], **_settled(weights, options))

def resnext50_32x4d(weights=None, progress=True, **options):
    return ResNet(Bottleneck, [3, 4, 6, 3], **_settled(weights, options, groups=32, width_per_group=4))

def resnext101_32x8d(weights=None, progress=True, **options):
    return ResNet(Bottleneck, [3, 4, 23, 3], **_settled(weights, options, groups=32, width_per_group=8))

def resnext101_64x4d(weights=None, progress=True, **options):
    return ResNet(Bottleneck, [3, 4, 23, 3], **_settled(weights, options, groups=64, width_per_group=4))

def wide_resnet50_2(weights=None, progress=True, **options):
    return ResNet(Bottleneck, [3, 4, 6, 3], **_settled(weights, options, width_per_group=128))

def wide_resnet101_2(weights=None, progress=True, **options):
    return ResNet(Bottleneck, [3, 4, 23, 3], **_settled(weights, options, width_per_group=128))
