# Densely connected networks of torchvision (Huang et al. 2016).
from collections import OrderedDict
import torch
from torch import nn
from torchvision import _settled

class _DenseLayer(nn.Module):
    def __init__(self, num_input_features, growth_rate, bn_size, drop_rate, memory_efficient=False):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(num_input_features)
        self.relu1 = nn.ReLU(inplace=True)
        self.conv1 = nn.Conv2d(num_input_features, bn_size * growth_rate, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(bn_size * growth_rate)
        self.relu2 = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(bn_size * growth_rate, growth_rate, 3, padding=1, bias=False)
        self.drop_rate = float(drop_rate)
    def forward(self, input):
        before = input if isinstance(input, (list, tuple)) else [input]
        made = self.conv1(self.relu1(self.norm1(torch.cat(before, 1))))
        made = self.conv2(self.relu2(self.norm2(made)))
        return nn.functional.dropout(made, self.drop_rate, self.training) if self.drop_rate > 0 else made

class _DenseBlock(nn.ModuleDict):
    def __init__(self, num_layers, num_input_features, bn_size, growth_rate, drop_rate, memory_efficient=False):
        super().__init__()
        for i in range(num_layers):
            self.add_module("denselayer%d" % (i + 1), _DenseLayer(num_input_features + i * growth_rate, growth_rate, bn_size, drop_rate))
    def forward(self, init_features):
        features = [init_features]
        for layer in self.values():
            features.append(layer(features))
        return torch.cat(features, 1)

class _Transition(nn.Sequential):
    def __init__(self, num_input_features, num_output_features):
        super().__init__(OrderedDict([("norm", nn.BatchNorm2d(num_input_features)), ("relu", nn.ReLU(inplace=True)), ("conv", nn.Conv2d(num_input_features, num_output_features, 1, bias=False)), ("pool", nn.AvgPool2d(2, 2))]))

class DenseNet(nn.Module):
    def __init__(self, growth_rate=32, block_config=(6, 12, 24, 16), num_init_features=64, bn_size=4, drop_rate=0, num_classes=1000, memory_efficient=False):
        super().__init__()
        self.features = nn.Sequential(OrderedDict([("conv0", nn.Conv2d(3, num_init_features, 7, 2, 3, bias=False)), ("norm0", nn.BatchNorm2d(num_init_features)), ("relu0", nn.ReLU(inplace=True)), ("pool0", nn.MaxPool2d(3, 2, 1))]))
        channels = num_init_features
        for i, count in enumerate(block_config):
            self.features.add_module("denseblock%d" % (i + 1), _DenseBlock(count, channels, bn_size, growth_rate, drop_rate))
            channels += count * growth_rate
            if i != len(block_config) - 1:
                self.features.add_module("transition%d" % (i + 1), _Transition(channels, channels // 2))
                channels = channels // 2
        self.features.add_module("norm5", nn.BatchNorm2d(channels))
        self.classifier = nn.Linear(channels, num_classes)
    def forward(self, x):
        x = nn.functional.relu(self.features(x), inplace=True)
        return self.classifier(torch.flatten(nn.functional.adaptive_avg_pool2d(x, (1, 1)), 1))

def densenet121(weights=None, progress=True, **options):
    return DenseNet(32, (6, 12, 24, 16), 64, **_settled(weights, options))

def densenet161(weights=None, progress=True, **options):
    return DenseNet(48, (6, 12, 36, 24), 96, **_settled(weights, options))

def densenet169(weights=None, progress=True, **options):
    return DenseNet(32, (6, 12, 32, 32), 64, **_settled(weights, options))

def densenet201(weights=None, progress=True, **options):
    return DenseNet(32, (6, 12, 48, 32), 64, **_settled(weights, options))
