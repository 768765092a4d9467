# Cells of `mindspore.nn` that compute losses, by the signatures of 2.10.
import mindspore._function_primitives as P
from mindspore import nn, ops

class LossBase(nn.Cell):
    def __init__(self, reduction="mean"):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ValueError("the reduction of a loss is one of 'mean', 'sum' and 'none', not '%s'" % (reduction,))
        self.reduction = reduction
        self.average = reduction == "mean"
        self.reduce = reduction != "none"
        self.reduce_mean = ops.ReduceMean()
        self.reduce_sum = ops.ReduceSum()
        self.mul = ops.Mul()
        self.cast = ops.Cast()
    def get_axis(self, x):
        return tuple(range(len(x.shape)))
    def get_loss(self, x, weights=1.0):
        scaled = x if weights == 1.0 else self.mul(weights, x)
        if self.reduction == "none":
            return scaled
        reduced = self.reduce_mean if self.average else self.reduce_sum
        return reduced(scaled, self.get_axis(scaled))
    def construct(self, logits, labels):
        raise NotImplementedError("a loss has a construct of its own")

_Loss = LossBase

class L1Loss(LossBase):
    def construct(self, logits, labels):
        return self.get_loss(ops.Abs()(logits - labels))

class MSELoss(LossBase):
    def construct(self, logits, labels):
        return self.get_loss(ops.Square()(logits - labels))

class MAELoss(L1Loss):
    pass

class RMSELoss(LossBase):
    def __init__(self):
        super().__init__()
        self.MSELoss = MSELoss()
    def construct(self, logits, label):
        return ops.Sqrt()(self.MSELoss(logits, label))

class SoftmaxCrossEntropyWithLogits(LossBase):
    def __init__(self, sparse=False, reduction="none"):
        super().__init__(reduction)
        self.sparse = sparse
        self.softmax_cross_entropy = ops.SoftmaxCrossEntropyWithLogits()
        self.one_hot = P.OneHot()
        self.sparse_softmax_cross_entropy = ops.SparseSoftmaxCrossEntropyWithLogits()
    def construct(self, logits, labels):
        if self.sparse and self.reduction == "mean":
            return self.sparse_softmax_cross_entropy(logits, labels)
        if self.sparse:
            classes = self.one_hot(labels, logits.shape[-1], 1.0, 0.0)
            return self.get_loss(self.softmax_cross_entropy(logits, classes)[0])
        return self.get_loss(self.softmax_cross_entropy(logits, labels)[0])

def _loss(function, names):
    order = names.split()
    class Loss(LossBase):
        def __init__(self, *args, **options):
            given = dict(zip(order, args))
            given.update(options)
            for key in given:
                if key not in order:
                    raise TypeError("got an unexpected keyword argument '%s'" % (key,))
            super().__init__(given.get("reduction", "mean"))
            self._given = {key: value for key, value in given.items() if value is not None}
        def construct(self, logits, labels):
            return function(logits, labels, **self._given)
    return Loss

CrossEntropyLoss = _loss(ops.cross_entropy, "weight ignore_index reduction label_smoothing")
NLLLoss = _loss(ops.nll_loss, "weight ignore_index reduction label_smoothing")
HuberLoss = _loss(ops.huber_loss, "reduction delta")
KLDivLoss = _loss(ops.kl_div, "reduction")
BCELoss = _loss(ops.binary_cross_entropy, "weight reduction")
BCEWithLogitsLoss = _loss(ops.binary_cross_entropy_with_logits, "reduction weight pos_weight")
SoftMarginLoss = _loss(ops.soft_margin_loss, "reduction")
HingeEmbeddingLoss = _loss(ops.hinge_embedding_loss, "margin reduction")
MultiLabelSoftMarginLoss = _loss(ops.multilabel_soft_margin_loss, "weight reduction")

class SmoothL1Loss(LossBase):
    def __init__(self, beta=1.0, reduction="none"):
        super().__init__(reduction)
        self.smooth_l1_loss = ops.SmoothL1Loss(beta, reduction)
    def construct(self, logits, labels):
        return self.smooth_l1_loss(logits, labels)

class GaussianNLLLoss(LossBase):
    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(reduction)
        self.full, self.eps = full, eps
    def construct(self, logits, labels, var):
        return ops.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)

class MarginRankingLoss(LossBase):
    def __init__(self, margin=0.0, reduction="mean"):
        super().__init__(reduction)
        self.margin = margin
    def construct(self, input1, input2, target):
        return ops.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)

class CosineEmbeddingLoss(LossBase):
    def __init__(self, margin=0.0, reduction="mean"):
        super().__init__(reduction)
        self.margin = margin
    def construct(self, logits_x1, logits_x2, labels):
        return ops.cosine_embedding_loss(logits_x1, logits_x2, labels, self.margin, self.reduction)

class DiceLoss(LossBase):
    def __init__(self, smooth=1e-5):
        super().__init__()
        self.smooth = smooth
    def construct(self, logits, label):
        rows, wanted = logits.view(-1), label.view(-1)
        common = self.reduce_sum(self.mul(rows, wanted))
        both = ops.add(self.reduce_sum(self.mul(rows, rows)), self.reduce_sum(self.mul(wanted, wanted)))
        return ops.sub(1, 2 * common / ops.add(both, self.smooth))

class PoissonNLLLoss(LossBase):
    def __init__(self, log_input=True, full=False, eps=1e-8, reduction="mean"):
        super().__init__(reduction)
        self.log_input, self.full, self.eps = log_input, full, eps
    def construct(self, input, target):
        target = self.cast(target, input.dtype)
        loss = input.exp() - target * input if self.log_input else input - target * (input + self.eps).log()
        if self.full:
            above = ops.Maximum()(target, self.eps)
            term = (above > 1) * ((above + 0.5) * above.log() - above + 0.9)
            loss = loss + ops.masked_fill(term, above <= 1, 0.0)
        return self.get_loss(loss)

class TripletMarginLoss(LossBase):
    def __init__(self, p=2, swap=False, eps=1e-06, reduction="mean", margin=1.0):
        super().__init__(reduction)
        self.given = (p, eps, swap)
        self.margin = margin
    def construct(self, x, positive, negative, margin=1.0):
        p, eps, swap = self.given
        chosen = self.margin if self.margin != 1.0 else margin
        return ops.triplet_margin_loss(x, positive, negative, chosen, p, eps, swap, self.reduction)
