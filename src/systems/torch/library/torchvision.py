# What torchvision's models are made of, by torchvision 0.20.
import torch
from torch import nn
from torch._operators import unknown

class ConvNormActivation(nn.Sequential):
    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=nn.BatchNorm2d, activation_layer=nn.ReLU, dilation=1, inplace=True, bias=None, conv_layer=nn.Conv2d):
        if padding is None:
            if isinstance(kernel_size, int) and isinstance(dilation, int):
                padding = (kernel_size - 1) // 2 * dilation
            else:
                sizes = kernel_size if isinstance(kernel_size, (tuple, list)) else (kernel_size,) * len(dilation)
                steps = dilation if isinstance(dilation, (tuple, list)) else (dilation,) * len(sizes)
                padding = tuple((k - 1) // 2 * d for k, d in zip(sizes, steps))
        if bias is None:
            bias = norm_layer is None
        layers = [conv_layer(in_channels, out_channels, kernel_size, stride, padding, dilation=dilation, groups=groups, bias=bias)]
        if norm_layer is not None:
            layers.append(norm_layer(out_channels))
        if activation_layer is not None:
            layers.append(activation_layer())
        super().__init__(*layers)
        self.out_channels = out_channels

class Conv2dNormActivation(ConvNormActivation):
    pass

ConvBNActivation = ConvBNReLU = ConvNormActivation

class Conv3dNormActivation(ConvNormActivation):
    def __init__(self, in_channels, out_channels, kernel_size=3, stride=1, padding=None, groups=1, norm_layer=nn.BatchNorm3d, activation_layer=nn.ReLU, dilation=1, inplace=True, bias=None):
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, groups, norm_layer, activation_layer, dilation, inplace, bias, nn.Conv3d)

class SqueezeExcitation(nn.Module):
    def __init__(self, input_channels, squeeze_channels, activation=nn.ReLU, scale_activation=nn.Sigmoid):
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation = activation()
        self.scale_activation = scale_activation()
    def forward(self, input):
        scale = self.scale_activation(self.fc2(self.activation(self.fc1(self.avgpool(input)))))
        return scale * input

class MLP(nn.Sequential):
    def __init__(self, in_channels, hidden_channels, norm_layer=None, activation_layer=nn.ReLU, inplace=None, bias=True, dropout=0.0):
        layers = []
        size = in_channels
        for hidden in hidden_channels[:-1]:
            layers.append(nn.Linear(size, hidden, bias=bias))
            if norm_layer is not None:
                layers.append(norm_layer(hidden))
            layers.append(activation_layer())
            layers.append(nn.Dropout(dropout))
            size = hidden
        layers.append(nn.Linear(size, hidden_channels[-1], bias=bias))
        layers.append(nn.Dropout(dropout))
        super().__init__(*layers)

class Permute(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.dims = dims
    def forward(self, x):
        return torch.permute(x, self.dims)

class StochasticDepth(nn.Module):
    def __init__(self, p, mode):
        super().__init__()
        self.p, self.mode = p, mode
    def forward(self, input):
        return stochastic_depth(input, self.p, self.mode, self.training)

DropPath = StochasticDepth

def stochastic_depth(input, p, mode, training=True):
    return nn.functional.dropout(input, p) if training and p > 0 else input

class FrozenBatchNorm2d(nn.Module):
    def __init__(self, num_features, eps=1e-5):
        super().__init__()
        self.eps = eps
        for name in ["weight", "bias", "running_mean", "running_var"]:
            made = torch.zeros if name in ["bias", "running_mean"] else torch.ones
            self.register_buffer(name, made(num_features))
    def forward(self, x):
        weight, bias = self.weight.reshape(1, -1, 1, 1), self.bias.reshape(1, -1, 1, 1)
        mean, variance = self.running_mean.reshape(1, -1, 1, 1), self.running_var.reshape(1, -1, 1, 1)
        scale = weight * (variance + self.eps).rsqrt()
        bias = bias - mean * scale
        return x * scale + bias

def _make_divisible(v, divisor, min_value=None):
    if min_value is None:
        min_value = divisor
    new_v = max(min_value, int(v + divisor / 2) // divisor * divisor)
    if new_v < 0.9 * v:
        new_v += divisor
    return new_v

def _log_api_usage_once(obj):
    return None

class Weights:
    def __init__(self, url=None, transforms=None, meta=None):
        self.url, self.transforms, self.meta = url, transforms, meta

class WeightsEnum:
    @classmethod
    def verify(cls, obj):
        return obj
    def get_state_dict(self, *args, **options):
        return {}

def handle_legacy_interface(**weights):
    return lambda function: function

def register_model(name=None):
    return lambda function: function

# The options of a model that is given weights: these settle the number of classes.
def _settled(weights, options, num_classes=1000, **own):
    pretrained = options.pop("pretrained", False)
    if weights or pretrained:
        given = options.setdefault("num_classes", num_classes)
        if given != num_classes:
            raise ValueError("The parameter 'num_classes' expected value %s but got %s instead." % (num_classes, given))
    return {**own, **options}

def _ovewrite_named_param(kwargs, param, new_value):
    kwargs[param] = new_value
