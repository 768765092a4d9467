# Averages of models over the steps of a training, by the signatures of PyTorch 2.
import copy
import torch
from torch import nn

class AveragedModel(nn.Module):
    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        self.module = copy.deepcopy(model)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long))
    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)
    def update_parameters(self, model):
        return None
