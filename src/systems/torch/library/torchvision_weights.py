# Weights of torchvision's models by name: the images that they were trained on, and no numbers.
import torch
import torchvision
from torchvision import CenterCrop, ToTensor, WeightsEnum

class ImageClassification:
    def __init__(self, crop_size):
        self.crop_size = [crop_size]
    def __call__(self, image):
        if isinstance(image, torch.Tensor):
            return CenterCrop(self.crop_size[0])(image.float())
        return ToTensor()(CenterCrop(self.crop_size[0])(image))

class Weight(WeightsEnum):
    def __init__(self, name, size, classes=1000):
        self.name = name
        self.url = name
        self.meta = {"categories": ["class %d" % i for i in range(classes)], "min_size": (size, size)}
    def transforms(self, **options):
        return ImageClassification(options.get("crop_size", self.meta["min_size"][0]))

def _of(default, **sizes):
    class Weights(WeightsEnum):
        pass
    for name, size in sizes.items():
        setattr(Weights, name, Weight(name, size))
    Weights.DEFAULT = getattr(Weights, default)
    return Weights

def _first(size):
    return _of("IMAGENET1K_V1", IMAGENET1K_V1=size)

_once = _first(224)
AlexNet_Weights = ConvNeXt_Base_Weights = ConvNeXt_Large_Weights = ConvNeXt_Small_Weights = ConvNeXt_Tiny_Weights = DenseNet121_Weights = _once
DenseNet161_Weights = DenseNet169_Weights = DenseNet201_Weights = EfficientNet_B0_Weights = GoogLeNet_Weights = MNASNet0_5_Weights = _once
MNASNet0_75_Weights = MNASNet1_0_Weights = MNASNet1_3_Weights = MobileNet_V3_Small_Weights = ResNet18_Weights = ResNet34_Weights = _once
ResNeXt101_64X4D_Weights = ShuffleNet_V2_X0_5_Weights = ShuffleNet_V2_X1_0_Weights = ShuffleNet_V2_X1_5_Weights = ShuffleNet_V2_X2_0_Weights = SqueezeNet1_0_Weights = _once
SqueezeNet1_1_Weights = Swin_B_Weights = Swin_S_Weights = Swin_T_Weights = VGG11_Weights = VGG11_BN_Weights = _once
VGG13_Weights = VGG13_BN_Weights = VGG16_BN_Weights = VGG19_Weights = VGG19_BN_Weights = _once
VGG16_Weights = _of("IMAGENET1K_V1", IMAGENET1K_V1=224, IMAGENET1K_FEATURES=224)
EfficientNet_B1_Weights = _of("IMAGENET1K_V2", IMAGENET1K_V1=240, IMAGENET1K_V2=240)
EfficientNet_B2_Weights = _first(288)
EfficientNet_B3_Weights = _first(300)
EfficientNet_B4_Weights = _first(380)
EfficientNet_B5_Weights = _first(456)
EfficientNet_B6_Weights = _first(528)
EfficientNet_B7_Weights = _first(600)
EfficientNet_V2_S_Weights = _first(384)
EfficientNet_V2_M_Weights = _first(480)
EfficientNet_V2_L_Weights = _first(480)
Inception_V3_Weights = _first(299)
MaxVit_T_Weights = _first(224)
Swin_V2_B_Weights = _first(256)
Swin_V2_S_Weights = _first(256)
Swin_V2_T_Weights = _first(256)
_twice = _of("IMAGENET1K_V2", IMAGENET1K_V1=224, IMAGENET1K_V2=224)
MobileNet_V2_Weights = MobileNet_V3_Large_Weights = RegNet_X_400MF_Weights = RegNet_X_800MF_Weights = RegNet_X_1_6GF_Weights = RegNet_X_3_2GF_Weights = _twice
RegNet_X_8GF_Weights = RegNet_X_16GF_Weights = RegNet_X_32GF_Weights = RegNet_Y_400MF_Weights = RegNet_Y_800MF_Weights = RegNet_Y_1_6GF_Weights = _twice
RegNet_Y_3_2GF_Weights = RegNet_Y_8GF_Weights = ResNet50_Weights = ResNet101_Weights = ResNet152_Weights = ResNeXt50_32X4D_Weights = _twice
ResNeXt101_32X8D_Weights = Wide_ResNet50_2_Weights = Wide_ResNet101_2_Weights = _twice
RegNet_Y_16GF_Weights = RegNet_Y_32GF_Weights = _of("IMAGENET1K_V2", IMAGENET1K_V1=224, IMAGENET1K_V2=224, IMAGENET1K_SWAG_E2E_V1=384, IMAGENET1K_SWAG_LINEAR_V1=224)
RegNet_Y_128GF_Weights = _of("IMAGENET1K_SWAG_E2E_V1", IMAGENET1K_SWAG_E2E_V1=384, IMAGENET1K_SWAG_LINEAR_V1=224)
ViT_B_32_Weights = ViT_L_32_Weights = _once
ViT_B_16_Weights = _of("IMAGENET1K_V1", IMAGENET1K_V1=224, IMAGENET1K_SWAG_E2E_V1=384, IMAGENET1K_SWAG_LINEAR_V1=224)
ViT_L_16_Weights = _of("IMAGENET1K_V1", IMAGENET1K_V1=224, IMAGENET1K_SWAG_E2E_V1=512, IMAGENET1K_SWAG_LINEAR_V1=224)
ViT_H_14_Weights = _of("IMAGENET1K_SWAG_E2E_V1", IMAGENET1K_SWAG_E2E_V1=518, IMAGENET1K_SWAG_LINEAR_V1=224)

class SegmentationWeights(WeightsEnum):
    COCO_WITH_VOC_LABELS_V1 = DEFAULT = Weight("COCO_WITH_VOC_LABELS_V1", 520, 21)

FCN_ResNet50_Weights = FCN_ResNet101_Weights = DeepLabV3_ResNet50_Weights = DeepLabV3_ResNet101_Weights = SegmentationWeights
DeepLabV3_MobileNet_V3_Large_Weights = LRASPP_MobileNet_V3_Large_Weights = SegmentationWeights

def get_weight(name):
    kind, _, member = name.partition(".")
    return getattr(getattr(torchvision.models, kind), member)
