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
