# Layers of `torch.nn` that take the number of their inputs from the first call, and wrappers.
from torch import nn
from torch._operators import unknown

def _lazy(base, taken, **preset):
    class Lazy(base):
        def __init__(self, *args, **options):
            nn.Module.__init__(self)
            self._given = (args, options)
            self.weight = unknown("torch.nn.parameter.UninitializedParameter()")
        def forward(self, input, *rest):
            if self._given is not None:
                args, options = self._given
                self._given = None
                base.__init__(self, input.shape[taken], *args, **{**preset, **options})
            return base.forward(self, input, *rest)
    return Lazy

LazyLinear = _lazy(nn.Linear, -1)
LazyConv1d, LazyConv2d, LazyConv3d = _lazy(nn.Conv1d, -2), _lazy(nn.Conv2d, -3), _lazy(nn.Conv3d, -4)
LazyConvTranspose1d = _lazy(nn.ConvTranspose1d, -2)
LazyConvTranspose2d = _lazy(nn.ConvTranspose2d, -3)
LazyConvTranspose3d = _lazy(nn.ConvTranspose3d, -4)
LazyBatchNorm1d, LazyBatchNorm2d = _lazy(nn.BatchNorm1d, 1), _lazy(nn.BatchNorm2d, 1)
LazyBatchNorm3d = _lazy(nn.BatchNorm3d, 1)
LazyInstanceNorm1d = _lazy(nn.InstanceNorm1d, -2, affine=True)
LazyInstanceNorm2d, LazyInstanceNorm3d = _lazy(nn.InstanceNorm2d, -3, affine=True), _lazy(nn.InstanceNorm3d, -4, affine=True)

class DataParallel(nn.Module):
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
    def forward(self, *inputs, **options):
        return self.module(*inputs, **options)
