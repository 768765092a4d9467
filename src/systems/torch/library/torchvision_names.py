# Models of torchvision by name.
import torchvision

# Those of `torchvision.models` itself, and those of modules inside it.
_own = """
    alexnet convnext_base convnext_large convnext_small convnext_tiny densenet121 densenet161 densenet169 densenet201 efficientnet_b0 efficientnet_b1
    efficientnet_b2 efficientnet_b3 efficientnet_b4 efficientnet_b5 efficientnet_b6 efficientnet_b7 efficientnet_v2_l efficientnet_v2_m efficientnet_v2_s googlenet
    inception_v3 maxvit_t mnasnet0_5 mnasnet0_75 mnasnet1_0 mnasnet1_3 mobilenet_v2 mobilenet_v3_large mobilenet_v3_small regnet_x_16gf regnet_x_1_6gf regnet_x_32gf
    regnet_x_3_2gf regnet_x_400mf regnet_x_800mf regnet_x_8gf regnet_y_128gf regnet_y_16gf regnet_y_1_6gf regnet_y_32gf regnet_y_3_2gf regnet_y_400mf regnet_y_800mf
    regnet_y_8gf resnet101 resnet152 resnet18 resnet34 resnet50 resnext101_32x8d resnext101_64x4d resnext50_32x4d shufflenet_v2_x0_5 shufflenet_v2_x1_0
    shufflenet_v2_x1_5 shufflenet_v2_x2_0 squeezenet1_0 squeezenet1_1 swin_b swin_s swin_t swin_v2_b swin_v2_s swin_v2_t vgg11 vgg11_bn vgg13 vgg13_bn vgg16
    vgg16_bn vgg19 vgg19_bn vit_b_16 vit_b_32 vit_h_14 vit_l_16 vit_l_32 wide_resnet101_2 wide_resnet50_2
""".split()
_inside = """
    deeplabv3_mobilenet_v3_large deeplabv3_resnet101 deeplabv3_resnet50 fasterrcnn_mobilenet_v3_large_320_fpn fasterrcnn_mobilenet_v3_large_fpn
    fasterrcnn_resnet50_fpn fasterrcnn_resnet50_fpn_v2 fcn_resnet101 fcn_resnet50 fcos_resnet50_fpn keypointrcnn_resnet50_fpn lraspp_mobilenet_v3_large
    maskrcnn_resnet50_fpn maskrcnn_resnet50_fpn_v2 mc3_18 mvit_v1_b mvit_v2_s quantized_googlenet quantized_inception_v3 quantized_mobilenet_v2
    quantized_mobilenet_v3_large quantized_resnet18 quantized_resnet50 quantized_resnext101_32x8d quantized_resnext101_64x4d quantized_shufflenet_v2_x0_5
    quantized_shufflenet_v2_x1_0 quantized_shufflenet_v2_x1_5 quantized_shufflenet_v2_x2_0 r2plus1d_18 r3d_18 raft_large raft_small retinanet_resnet50_fpn
    retinanet_resnet50_fpn_v2 s3d ssd300_vgg16 ssdlite320_mobilenet_v3_large swin3d_b swin3d_s swin3d_t
""".split()

# A maker by name, of which nothing is read before it is called.
def _maker(name):
    def model(*args, **options):
        return getattr(torchvision.models, name)(*args, **options)
    return model

class Names:
    def __getitem__(self, name):
        return _maker(name) if name in _own else getattr(torchvision.models, name)
    def get(self, name, default=None):
        return self[name]
    def __contains__(self, name):
        return name in _own
    def __iter__(self):
        return iter(_own)
    def keys(self):
        return list(_own)
    def values(self):
        return [self[name] for name in _own]
    def items(self):
        return [(name, self[name]) for name in _own]

__dict__ = Names()

# As in a shell, of "*" alone.
def _fits(name, pattern):
    first, *parts = pattern.split("*")
    if not parts or not name.startswith(first):
        return name == pattern
    rest = name[len(first):]
    for part in parts[:-1]:
        if part not in rest:
            return False
        rest = rest[rest.index(part) + len(part):]
    return rest.endswith(parts[-1])

def _patterns(given):
    return [given] if isinstance(given, str) else list(given or [])

def list_models(module=None, include=None, exclude=None):
    names = sorted(_own if module is not None else _own + _inside)
    wanted, refused = _patterns(include), _patterns(exclude)
    kept = [name for name in names if not wanted or any(_fits(name, each) for each in wanted)]
    return [name for name in kept if not any(_fits(name, each) for each in refused)]

def get_model_builder(name):
    return _maker(name.lower())

def get_model(name, **config):
    return getattr(torchvision.models, name.lower())(**config)
