# Losses of `torch.nn.functional`, by PyTorch 2's signatures.
import math
import torch
import torch.nn.functional as F
from torch._operators import operator, is_tensor, unknown

_letters = "abcdefghijlmopqrstuvwxyz"

def _reduction(size_average, reduce, reduction):
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        return "none"
    return "sum" if size_average is False else "mean"

def _named(order, args, options):
    given = dict(zip(order.split(), args))
    given.update(options)
    return _reduction(given.get("size_average"), given.get("reduce"), given.get("reduction", "mean"))

def _loss(name, order, without=0):
    def function(input, target, *args, **options):
        reduction = _named(order, args, options)
        if without and reduction == "none":
            return _kept(name, input.shape[:input.dim() - without], input, target)
        return _joined(name, reduction, input, target)
    return function

def _kept(name, shape, *tensors):
    return _whole(name, *tensors, out=" ".join(str(s) for s in shape) or "()")

def _joined(name, reduction, *tensors):
    shape = torch.broadcast_shapes(*[t.shape for t in tensors])
    rank = len(shape)
    texts = []
    for t in tensors:
        lead = rank - t.dim()
        texts.append(" ".join("1" if t.shape[i] == 1 and shape[lead + i] != 1 else _letters[lead + i] + ("^" if reduction != "none" else "") for i in range(t.dim())))
    out = "()" if reduction != "none" else " ".join(_letters[i] for i in range(rank))
    return operator(name, ", ".join(texts) + " -> " + out, *tensors)

_old = " size_average reduce reduction"
smooth_l1_loss = _loss("smooth_l1_loss", _old + " beta")
huber_loss = _loss("huber_loss", "reduction delta weight")
binary_cross_entropy = _loss("binary_cross_entropy", "weight" + _old)
poisson_nll_loss = _loss("poisson_nll_loss", "log_input full size_average eps reduce reduction")
soft_margin_loss = _loss("soft_margin_loss", _old)
hinge_embedding_loss = _loss("hinge_embedding_loss", "margin" + _old)
multilabel_soft_margin_loss = _loss("multilabel_soft_margin_loss", "weight" + _old, 1)

def _loss_of_three(name, order, shape):
    def function(first, second, third, *args, **options):
        tensors = [first, second, third]
        is_kept = _named(order, args, options) == "none"
        return _kept(name, shape(*tensors), *tensors) if is_kept else _whole(name, *tensors)
    return function

def _broadcast(*tensors):
    return torch.broadcast_shapes(*[t.shape for t in tensors])

cosine_embedding_loss = _loss_of_three("cosine_embedding_loss", "margin" + _old, lambda a, b, t: _broadcast(a, b)[:-1])
margin_ranking_loss = _loss_of_three("margin_ranking_loss", "margin" + _old, _broadcast)
triplet_margin_loss = _loss_of_three("triplet_margin_loss", "margin p eps swap" + _old, lambda a, p, n: _broadcast(a, p, n)[:-1])

def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    if not is_tensor(var):
        var = torch.full_like(input, var)
    if reduction == "none":
        return _kept("gaussian_nll_loss", _broadcast(input, target), input, target, var)
    return _whole("gaussian_nll_loss", input, target, var)

def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    if reduction == "none":
        return _kept("ctc_loss", log_probs.shape[1:-1], log_probs, targets)
    return _whole("ctc_loss", log_probs, targets)

def _whole(name, *tensors, out="()"):
    used = 0
    texts = []
    for t in tensors:
        texts.append(" ".join(_letters[used + i] + "^" for i in range(t.dim())))
        used += t.dim()
    return operator(name, ", ".join(texts) + " -> " + out, *tensors)

multilabel_margin_loss = _loss("multilabel_margin_loss", _old, 1)

def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    if _reduction(size_average, reduce, reduction) == "none":
        return _kept("multi_margin_loss", target.shape, input, target)
    return _whole("multi_margin_loss", input, target)

def triplet_margin_with_distance_loss(anchor, positive, negative, distance_function=None, margin=1.0, swap=False, reduction="mean"):
    if distance_function is None:
        return triplet_margin_loss(anchor, positive, negative, reduction=reduction)
    near, far = distance_function(anchor, positive), distance_function(anchor, negative)
    loss = F.relu(near - far + margin)
    return loss if reduction == "none" else loss.sum() if reduction == "sum" else loss.mean()

def linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, reduction="mean", ignore_index=-100, label_smoothing=0.0, options=None):
    return F.cross_entropy(F.linear(input, linear_weight, linear_bias), target, reduction=reduction)
