# ShuffleNets v2 of torchvision (Ma et al. 2018).
import torch
from torch import nn
from torchvision import _settled

def channel_shuffle(x, groups):
    n, channels, height, width = x.shape
    return x.view(n, groups, channels // groups, height, width).transpose(1, 2).contiguous().view(n, channels, height, width)

class ShuffleBlock(nn.Module):
    def __init__(self, inp, oup, stride):
        super().__init__()
        self.stride = stride
        half = oup // 2
        before = inp if stride > 1 else half
        self.branch1 = nn.Sequential()
        if stride > 1:
            self.branch1 = nn.Sequential(nn.Conv2d(inp, inp, 3, stride, 1, groups=inp, bias=False), nn.BatchNorm2d(inp), nn.Conv2d(inp, half, 1, bias=False), nn.BatchNorm2d(half), nn.ReLU(inplace=True))
        self.branch2 = nn.Sequential(nn.Conv2d(before, half, 1, bias=False), nn.BatchNorm2d(half), nn.ReLU(inplace=True), nn.Conv2d(half, half, 3, stride, 1, groups=half, bias=False), nn.BatchNorm2d(half), nn.Conv2d(half, half, 1, bias=False), nn.BatchNorm2d(half), nn.ReLU(inplace=True))
    def forward(self, x):
        if self.stride == 1:
            x1, x2 = x.chunk(2, dim=1)
            return channel_shuffle(torch.cat((x1, self.branch2(x2)), dim=1), 2)
        return channel_shuffle(torch.cat((self.branch1(x), self.branch2(x)), dim=1), 2)

class ShuffleNetV2(nn.Module):
    def __init__(self, stages_repeats, stages_out_channels, num_classes=1000, inverted_residual=ShuffleBlock):
        super().__init__()
        first, *widths, last = stages_out_channels
        self.conv1 = nn.Sequential(nn.Conv2d(3, first, 3, 2, 1, bias=False), nn.BatchNorm2d(first), nn.ReLU(inplace=True))
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        channels = first
        for i, (count, width) in enumerate(zip(stages_repeats, widths)):
            blocks = [inverted_residual(channels, width, 2)]
            blocks.extend(inverted_residual(width, width, 1) for _ in range(count - 1))
            setattr(self, "stage%d" % (i + 2), nn.Sequential(*blocks))
            channels = width
        self.conv5 = nn.Sequential(nn.Conv2d(channels, last, 1, bias=False), nn.BatchNorm2d(last), nn.ReLU(inplace=True))
        self.fc = nn.Linear(last, num_classes)
    def forward(self, x):
        x = self.stage4(self.stage3(self.stage2(self.maxpool(self.conv1(x)))))
        return self.fc(self.conv5(x).mean([2, 3]))

def shufflenet_v2_x0_5(weights=None, progress=True, **options):
    return ShuffleNetV2([4, 8, 4], [24, 48, 96, 192, 1024], **_settled(weights, options))

def shufflenet_v2_x1_0(weights=None, progress=True, **options):
    return ShuffleNetV2([4, 8, 4], [24, 116, 232, 464, 1024], **_settled(weights, options))

def shufflenet_v2_x1_5(weights=None, progress=True, **options):
    return ShuffleNetV2([4, 8, 4], [24, 176, 352, 704, 1024], **_settled(weights, options))

def shufflenet_v2_x2_0(weights=None, progress=True, **options):
    return ShuffleNetV2([4, 8, 4], [24, 244, 488, 976, 2048], **_settled(weights, options))
