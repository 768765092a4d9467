# Segmentation of torchvision (Long et al. 2014; Chen et al. 2017; Howard et al. 2019), and layers between.
from collections import OrderedDict
import torch
from torch import nn
from torchvision import _settled, mobilenet_v3_large, resnet101, resnet50
import torch.nn.functional as F

# The modules of a model up to the last that is asked for, and what those asked for give.
class IntermediateLayerGetter(nn.ModuleDict):
    def __init__(self, model, return_layers):
        named = list(model.named_children())
        missing = [name for name in return_layers if name not in [each for each, _ in named]]
        if missing:
            raise ValueError("return_layers are not present in model")
        super().__init__()
        self.return_layers = {str(name): str(given) for name, given in return_layers.items()}
        wanted = len(self.return_layers)
        for name, module in named:
            if wanted == 0:
                break
            self[name] = module
            wanted -= name in self.return_layers
    def forward(self, x):
        found = OrderedDict()
        for name, module in self.items():
            x = module(x)
            if name in self.return_layers:
                found[self.return_layers[name]] = x
        return found

class FCNHead(nn.Sequential):
    def __init__(self, in_channels, channels):
        inner = in_channels // 4
        super().__init__(nn.Conv2d(in_channels, inner, 3, padding=1, bias=False), nn.BatchNorm2d(inner), nn.ReLU(), nn.Dropout(0.1), nn.Conv2d(inner, channels, 1))

class ASPPPooling(nn.Sequential):
    def __init__(self, in_channels, out_channels):
        super().__init__(nn.AdaptiveAvgPool2d(1), nn.Conv2d(in_channels, out_channels, 1, bias=False), nn.BatchNorm2d(out_channels), nn.ReLU())
    def forward(self, x):
        size = x.shape[-2:]
        for module in self:
            x = module(x)
        return F.interpolate(x, size=size, mode="bilinear", align_corners=False)

class ASPP(nn.Module):
    def __init__(self, in_channels, atrous_rates, out_channels=256):
        super().__init__()
        parts = [nn.Sequential(nn.Conv2d(in_channels, out_channels, 1, bias=False), nn.BatchNorm2d(out_channels), nn.ReLU())]
        for rate in atrous_rates:
            parts.append(nn.Sequential(nn.Conv2d(in_channels, out_channels, 3, padding=rate, dilation=rate, bias=False), nn.BatchNorm2d(out_channels), nn.ReLU()))
        self.convs = nn.ModuleList(parts + [ASPPPooling(in_channels, out_channels)])
        self.project = nn.Sequential(nn.Conv2d(len(self.convs) * out_channels, out_channels, 1, bias=False), nn.BatchNorm2d(out_channels), nn.ReLU(), nn.Dropout(0.5))
    def forward(self, x):
        return self.project(torch.cat([conv(x) for conv in self.convs], dim=1))

class DeepLabHead(nn.Sequential):
    def __init__(self, in_channels, num_classes, atrous_rates=(12, 24, 36)):
        super().__init__(ASPP(in_channels, atrous_rates), nn.Conv2d(256, 256, 3, padding=1, bias=False), nn.BatchNorm2d(256), nn.ReLU(), nn.Conv2d(256, num_classes, 1))

class FCN(nn.Module):
    def __init__(self, backbone, classifier, aux_classifier=None):
        super().__init__()
        self.backbone, self.classifier, self.aux_classifier = backbone, classifier, aux_classifier
    def forward(self, x):
        features = self.backbone(x)
        heads = {"out": self.classifier, "aux": self.aux_classifier}
        return OrderedDict((name, F.interpolate(head(features[name]), size=x.shape[-2:], mode="bilinear", align_corners=False)) for name, head in heads.items() if head is not None)

class DeepLabV3(FCN):
    pass

def _segmented(model, head, net, weights, options):
    has_weights = bool(weights or options.get("pretrained", False))
    options = _settled(weights, options, 21)
    aux_loss = options.get("aux_loss") or has_weights
    classes = options.get("num_classes") or 21
    if net is mobilenet_v3_large:
        features, (aux, out), widths = net(dilated=True).features, ("4", "16"), (40, 960)
    else:
        features, (aux, out), widths = net(replace_stride_with_dilation=[False, True, True]), ("layer3", "layer4"), (1024, 2048)
    backbone = IntermediateLayerGetter(features, {out: "out", aux: "aux"} if aux_loss else {out: "out"})
    return model(backbone, head(widths[1], classes), FCNHead(widths[0], classes) if aux_loss else None)

def fcn_resnet50(weights=None, progress=True, **options):
    return _segmented(FCN, FCNHead, resnet50, weights, options)

def fcn_resnet101(weights=None, progress=True, **options):
    return _segmented(FCN, FCNHead, resnet101, weights, options)

def deeplabv3_resnet50(weights=None, progress=True, **options):
    return _segmented(DeepLabV3, DeepLabHead, resnet50, weights, options)

def deeplabv3_resnet101(weights=None, progress=True, **options):
    return _segmented(DeepLabV3, DeepLabHead, resnet101, weights, options)

def deeplabv3_mobilenet_v3_large(weights=None, progress=True, **options):
    return _segmented(DeepLabV3, DeepLabHead, mobilenet_v3_large, weights, options)

class LRASPPHead(nn.Module):
    def __init__(self, low_channels, high_channels, num_classes, inter_channels):
        super().__init__()
        self.cbr = nn.Sequential(nn.Conv2d(high_channels, inter_channels, 1, bias=False), nn.BatchNorm2d(inter_channels), nn.ReLU(inplace=True))
        self.scale = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(high_channels, inter_channels, 1, bias=False), nn.Sigmoid())
        self.low_classifier = nn.Conv2d(low_channels, num_classes, 1)
        self.high_classifier = nn.Conv2d(inter_channels, num_classes, 1)
    def forward(self, input):
        low, high = input["low"], input["high"]
        x = F.interpolate(self.cbr(high) * self.scale(high), size=low.shape[-2:], mode="bilinear", align_corners=False)
        return self.low_classifier(low) + self.high_classifier(x)

class LRASPP(nn.Module):
    def __init__(self, backbone, low_channels, high_channels, num_classes, inter_channels=128):
        super().__init__()
        self.backbone = backbone
        self.classifier = LRASPPHead(low_channels, high_channels, num_classes, inter_channels)
    def forward(self, input):
        out = self.classifier(self.backbone(input))
        return OrderedDict(out=F.interpolate(out, size=input.shape[-2:], mode="bilinear", align_corners=False))

def lraspp_mobilenet_v3_large(weights=None, progress=True, **options):
    classes = _settled(weights, options, 21).get("num_classes") or 21
    backbone = IntermediateLayerGetter(mobilenet_v3_large(dilated=True).features, {"4": "low", "16": "high"})
    return LRASPP(backbone, 40, 960, classes)
