# Data sets of torchvision and its ways to prepare images, by torchvision 0.20: their sizes alone.
import torch
from torch._operators import is_tensor, unknown
from torch.utils.data import Dataset

# The channels of pictures by their modes.
modes = {"1": 1, "L": 1, "LA": 2, "RGB": 3, "YCbCr": 3, "LAB": 3, "HSV": 3, "RGBA": 4, "CMYK": 4}

class Picture:
    def __init__(self, channels, height, width):
        self.channels = channels
        self.height = height
        self.width = width
        self.size = (width, height)
    def convert(self, mode=None):
        return Picture(modes.get(mode, 3), self.height, self.width)
    def resize(self, size):
        return Picture(self.channels, size[1], size[0])

def picture_of(image):
    if type(image) is Picture:
        return image
    if is_tensor(image) and len(image.shape) >= 3:
        return Picture(image.shape[-3], image.shape[-2], image.shape[-1])
    mode = getattr(image, "mode", None)
    channels = modes.get(mode) if type(mode) is str else None
    return Picture(channels or unknown("image.channels"), None, None)

def like(image, height, width):
    picture = picture_of(image)
    if is_tensor(image):
        return torch.empty(tuple(image.shape[:-2]) + (height, width), dtype=image.dtype)
    return Picture(picture.channels, height, width)

def pair_of(size):
    return (size, size) if isinstance(size, int) else (size[0], size[-1])

class VisionDataset(Dataset):
    picture = (3, None, None)
    counts = (0, 0)
    class_count = None
    def __init__(self, root=None, *args, train=True, split="train", transform=None, target_transform=None, transforms=None, **kwargs):
        if len(args) > 0:
            train = args[0]
        if len(args) > 1 and transform is None:
            transform = args[1]
        self.root = root
        self.is_train = train is True or train in ("train", "train+unlabeled")
        if train is True and split not in ("train", "extra"):
            self.is_train = False
        self.transform = transform
        self.target_transform = target_transform
    @property
    def classes(self):
        return unknown("dataset.classes") if self.class_count is None else ["class %d" % i for i in range(self.class_count)]
    @property
    def class_to_idx(self):
        return unknown("dataset.class_to_idx") if self.class_count is None else {name: i for i, name in enumerate(self.classes)}
    def __getitem__(self, index):
        image = Picture(*self.picture)
        target = 0
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target
    def __len__(self):
        count = self.counts[0 if self.is_train else 1]
        return count if count > 0 else unknown("len(dataset)")

class MNIST(VisionDataset):
    picture = (1, 28, 28)
    counts = (60000, 10000)
    class_count = 10
    @property
    def data(self):
        return torch.empty((len(self),) + self.picture[1:], dtype=torch.uint8)
    @property
    def targets(self):
        return torch.empty(len(self), dtype=torch.int64)

class FashionMNIST(MNIST):
    pass

class KMNIST(MNIST):
    pass

class QMNIST(MNIST):
    pass

class CIFAR10(VisionDataset):
    picture = (3, 32, 32)
    counts = (50000, 10000)
    class_count = 10

class CIFAR100(CIFAR10):
    class_count = 100

class SVHN(VisionDataset):
    picture = (3, 32, 32)
    counts = (73257, 26032)

class STL10(VisionDataset):
    picture = (3, 96, 96)
    counts = (5000, 8000)
    class_count = 10

class ImageFolder(VisionDataset):
    def __init__(self, root, transform=None, target_transform=None, loader=None, is_valid_file=None, allow_empty=False):
        super().__init__(root, transform=transform, target_transform=target_transform)

class ImageNet(VisionDataset):
    counts = (1281167, 50000)
    class_count = 1000
    def __init__(self, root, split="train", **kwargs):
        super().__init__(root, split=split, **kwargs)

class FakeData(VisionDataset):
    def __init__(self, size=1000, image_size=(3, 224, 224), num_classes=10, transform=None, target_transform=None, random_offset=0):
        super().__init__(None, transform=transform, target_transform=target_transform)
        self.picture = image_size
        self.counts = (size, size)

def make_grid(tensor, nrow=8, padding=2, **kwargs):
    images = torch.stack(list(tensor)) if isinstance(tensor, (list, tuple)) else tensor
    count, channels, height, width = images.shape
    columns = min(nrow, count)
    rows = -(-count // columns)
    return torch.empty((max(channels, 3), rows * (height + padding) + padding, columns * (width + padding) + padding))

def save_image(tensor, fp, **kwargs):
    pass

class Compose:
    def __init__(self, transforms):
        self.transforms = transforms
    def __call__(self, image):
        for t in self.transforms:
            image = t(image)
        return image

class Lambda:
    def __init__(self, lambd):
        self.lambd = lambd
    def __call__(self, image):
        return self.lambd(image)

class ToTensor:
    dtype = torch.float32
    def __call__(self, image):
        if is_tensor(image):
            return image
        picture = picture_of(image)
        if picture.height is None:
            return unknown("torchvision.transforms.ToTensor()")
        return torch.empty((picture.channels, picture.height, picture.width), dtype=self.dtype)

class PILToTensor(ToTensor):
    dtype = torch.uint8

class ToImage(PILToTensor):
    pass

class Resize:
    def __init__(self, size, interpolation=None, max_size=None, antialias=True):
        self.size = size
    def __call__(self, image):
        picture = picture_of(image)
        if not isinstance(self.size, int) and len(self.size) == 2:
            return like(image, self.size[0], self.size[1])
        size = self.size if isinstance(self.size, int) else self.size[0]
        height, width = picture.height, picture.width
        if height is None or width is None:
            return like(image, None, None)
        if height < width:
            return like(image, size, int(size * width / height))
        return like(image, int(size * height / width), size)

class CenterCrop:
    def __init__(self, size, *args, **kwargs):
        self.size = pair_of(size)
    def __call__(self, image):
        return like(image, *self.size)

class RandomCrop(CenterCrop):
    pass

class RandomResizedCrop(CenterCrop):
    pass

class Pad:
    def __init__(self, padding, fill=0, padding_mode="constant"):
        self.padding = (padding,) * 4 if isinstance(padding, int) else tuple(padding) * (4 // len(padding))
    def __call__(self, image):
        picture = picture_of(image)
        if picture.height is None:
            return image
        left, top, right, bottom = self.padding
        return like(image, picture.height + top + bottom, picture.width + left + right)

class Grayscale:
    def __init__(self, num_output_channels=1):
        self.channels = num_output_channels
    def __call__(self, image):
        picture = picture_of(image)
        if is_tensor(image):
            return torch.empty((self.channels, picture.height, picture.width), dtype=image.dtype)
        return Picture(self.channels, picture.height, picture.width)

class ToPILImage:
    def __init__(self, mode=None):
        self.mode = mode
    def __call__(self, image):
        return picture_of(image)

class ToDtype:
    def __init__(self, dtype, scale=False):
        self.dtype = dtype
    def __call__(self, image):
        return image.to(self.dtype) if is_tensor(image) else image

ConvertImageDtype = ToDtype

class SameSize:
    def __init__(self, *args, **kwargs):
        pass
    def __call__(self, image):
        return image

Normalize = RandomHorizontalFlip = RandomVerticalFlip = RandomRotation = RandomAffine = RandomErasing = SameSize
ColorJitter = RandomApply = RandomChoice = RandomOrder = RandomGrayscale = RandomPerspective = SameSize
AutoAugment = RandAugment = TrivialAugmentWide = AugMix = GaussianBlur = RandomInvert = RandomPosterize = SameSize
RandomSolarize = RandomAdjustSharpness = RandomAutocontrast = RandomEqualize = ElasticTransform = SameSize
