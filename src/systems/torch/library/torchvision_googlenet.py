# GoogLeNet of torchvision (Szegedy et al. 2014).
from collections import namedtuple
import torch
from torch import nn
from torchvision import _settled
import torch.nn.functional as F

GoogLeNetOutputs = namedtuple("GoogLeNetOutputs", ["logits", "aux_logits2", "aux_logits1"])

class BasicConv2d(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, **options):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, bias=False, **options)
        self.bn = nn.BatchNorm2d(out_channels, eps=0.001)
    def forward(self, x):
        return F.relu(self.bn(self.conv(x)), inplace=True)

# Images as other statistics normalise them, which the weights were trained on.
def _shifted(x):
    channels = zip([0.229, 0.224, 0.225], [0.485, 0.456, 0.406])
    return torch.cat([torch.unsqueeze(x[:, i], 1) * (scale / 0.5) + (mean - 0.5) / 0.5 for i, (scale, mean) in enumerate(channels)], 1)

class Inception(nn.Module):
    def __init__(self, in_channels, ch1x1, ch3x3red, ch3x3, ch5x5red, ch5x5, pool_proj):
        super().__init__()
        self.branch1 = BasicConv2d(in_channels, ch1x1, 1)
        self.branch2 = nn.Sequential(BasicConv2d(in_channels, ch3x3red, 1), BasicConv2d(ch3x3red, ch3x3, 3, padding=1))
        self.branch3 = nn.Sequential(BasicConv2d(in_channels, ch5x5red, 1), BasicConv2d(ch5x5red, ch5x5, 3, padding=1))
        self.branch4 = nn.Sequential(nn.MaxPool2d(3, 1, 1, ceil_mode=True), BasicConv2d(in_channels, pool_proj, 1))
    def forward(self, x):
        return torch.cat([self.branch1(x), self.branch2(x), self.branch3(x), self.branch4(x)], 1)

class GoogLeNetAux(nn.Module):
    def __init__(self, in_channels, num_classes, dropout):
        super().__init__()
        self.conv = BasicConv2d(in_channels, 128, 1)
        self.fc1 = nn.Linear(2048, 1024)
        self.fc2 = nn.Linear(1024, num_classes)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        x = torch.flatten(self.conv(F.adaptive_avg_pool2d(x, (4, 4))), 1)
        return self.fc2(self.dropout(F.relu(self.fc1(x), inplace=True)))

class GoogLeNet(nn.Module):
    def __init__(self, num_classes=1000, aux_logits=True, transform_input=False, init_weights=None, blocks=None, dropout=0.2, dropout_aux=0.7):
        super().__init__()
        self.aux_logits, self.transform_input = aux_logits, transform_input
        self.conv1 = BasicConv2d(3, 64, 7, stride=2, padding=3)
        self.maxpool1 = nn.MaxPool2d(3, 2, ceil_mode=True)
        self.conv2 = BasicConv2d(64, 64, 1)
        self.conv3 = BasicConv2d(64, 192, 3, padding=1)
        self.maxpool2 = nn.MaxPool2d(3, 2, ceil_mode=True)
        self.inception3a = Inception(192, 64, 96, 128, 16, 32, 32)
        self.inception3b = Inception(256, 128, 128, 192, 32, 96, 64)
        self.maxpool3 = nn.MaxPool2d(3, 2, ceil_mode=True)
        self.inception4a = Inception(480, 192, 96, 208, 16, 48, 64)
        self.inception4b = Inception(512, 160, 112, 224, 24, 64, 64)
        self.inception4c = Inception(512, 128, 128, 256, 24, 64, 64)
        self.inception4d = Inception(512, 112, 144, 288, 32, 64, 64)
        self.inception4e = Inception(528, 256, 160, 320, 32, 128, 128)
        self.maxpool4 = nn.MaxPool2d(2, 2, ceil_mode=True)
        self.inception5a = Inception(832, 256, 160, 320, 32, 128, 128)
        self.inception5b = Inception(832, 384, 192, 384, 48, 128, 128)
        self.aux1 = GoogLeNetAux(512, num_classes, dropout_aux) if aux_logits else None
        self.aux2 = GoogLeNetAux(528, num_classes, dropout_aux) if aux_logits else None
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.dropout = nn.Dropout(dropout)
        self.fc = nn.Linear(1024, num_classes)
    def forward(self, x):
        x = _shifted(x) if self.transform_input else x
        x = self.maxpool2(self.conv3(self.conv2(self.maxpool1(self.conv1(x)))))
        x = self.inception4a(self.maxpool3(self.inception3b(self.inception3a(x))))
        aux1 = self.aux1(x) if self.aux1 is not None and self.training else None
        x = self.inception4d(self.inception4c(self.inception4b(x)))
        aux2 = self.aux2(x) if self.aux2 is not None and self.training else None
        x = self.inception5b(self.inception5a(self.maxpool4(self.inception4e(x))))
        x = self.fc(self.dropout(torch.flatten(self.avgpool(x), 1)))
        return GoogLeNetOutputs(x, aux2, aux1) if self.training and self.aux_logits else x

def googlenet(weights=None, progress=True, **options):
    has_weights = bool(weights or options.get("pretrained", False))
    return GoogLeNet(**_settled(weights, options, aux_logits=not has_weights, transform_input=has_weights))
