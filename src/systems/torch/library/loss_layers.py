# Layers of `torch.nn` that compute losses, by PyTorch 2's signatures.
from collections import namedtuple
import torch
from torch import nn
import torch.nn.functional as F
from torch._operators import require, settings

def _loss(function, name, order):
    names = order.split()
    class Loss(nn.Module):
        def __init__(self, *args, **options):
            super().__init__()
            given = dict(zip(names, args))
            given.update(options)
            for key in options:
                if key not in names:
                    raise TypeError("%s.__init__() got an unexpected keyword argument '%s'" % (name, key))
            self.reduction = F._reduction(given.pop("size_average", None), given.pop("reduce", None), given.pop("reduction", "mean"))
            require(name, **given)
            settings(name, reduction=self.reduction, **given)
            self._given = list(given)
            for key, value in given.items():
                setattr(self, key, value)
        def forward(self, *inputs):
            return function(*inputs, **{key: getattr(self, key) for key in self._given}, reduction=self.reduction)
    return Loss

_old = " size_average reduce reduction"
CTCLoss = _loss(F.ctc_loss, "CTCLoss", "blank reduction zero_infinity")
MultiLabelMarginLoss = _loss(F.multilabel_margin_loss, "MultiLabelMarginLoss", _old)
MultiMarginLoss = _loss(F.multi_margin_loss, "MultiMarginLoss", "p margin weight" + _old)

class NLLLoss2d(nn.NLLLoss):
    pass

class TripletMarginWithDistanceLoss(nn.Module):
    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        super().__init__()
        require("TripletMarginWithDistanceLoss", margin=margin)
        self.distance_function, self.margin, self.swap, self.reduction = distance_function, margin, swap, reduction
    def forward(self, anchor, positive, negative):
        return F.triplet_margin_with_distance_loss(anchor, positive, negative, distance_function=self.distance_function, margin=self.margin, swap=self.swap, reduction=self.reduction)

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])

class AdaptiveLogSoftmaxWithLoss(nn.Module):
    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        self.in_features, self.n_classes = in_features, n_classes
        self.cutoffs, self.div_value = list(cutoffs) + [n_classes], div_value
        self.shortlist_size, self.n_clusters = self.cutoffs[0], len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = nn.Linear(in_features, self.head_size, bias=head_bias, dtype=dtype)
        self.tail = nn.ModuleList()
        for i in range(self.n_clusters):
            hidden = int(in_features // (div_value ** (i + 1)))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(nn.Sequential(nn.Linear(in_features, hidden, bias=False, dtype=dtype), nn.Linear(hidden, size, bias=False, dtype=dtype)))
    def log_prob(self, input):
        lead = input.dim() - 1
        head = F.log_softmax(self.head(input), dim=-1)
        parts = [head.narrow(lead, 0, self.shortlist_size)]
        for i, tail in enumerate(self.tail):
            parts.append(F.log_softmax(tail(input), dim=-1) + head.narrow(lead, self.shortlist_size + i, 1))
        return torch.cat(parts, dim=-1)
    def forward(self, input_, target_):
        output = self.log_prob(input_).gather(-1, target_.unsqueeze(-1)).squeeze(-1)
        return _ASMoutput(output, -output.mean())
    def predict(self, input):
        return self.log_prob(input).argmax(dim=-1)
