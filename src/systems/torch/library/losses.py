# Losses of `torch.nn.functional`, by PyTorch 2's signatures.
import torch
import torch.nn.functional as F
from torch._operators import operator, is_tensor

def _reduction(size_average, reduce, reduction):
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        return "none"
    return "sum" if size_average is False else "mean"

# Per sample: a dim that is called n holds samples, along which losses are added up or averaged.
def _per_sample(name, reduction, dims, *tensors):
    mark = "" if reduction == "none" else "+"
    texts = [" ".join("n" + mark if d == "n" else d + "^" for d in text.split()) for text in dims]
    out = "n" if reduction == "none" and "n" in dims[0].split() else "()"
    return operator(name, ", ".join(texts) + " -> " + out, *tensors)

def _ctc_lengths(log_probs, targets, input_lengths, target_lengths, blank):
    steps, batch, classes = log_probs.shape
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    for name, lengths in [("input_lengths", input_lengths), ("target_lengths", target_lengths)]:
        if (lengths.numel() if is_tensor(lengths) else len(lengths)) != batch:
            raise RuntimeError("%s must be of size batch_size" % name)
    if targets.dim() == 2 and targets.shape[0] != batch:
        raise RuntimeError("Expected tensor to have size %d at dimension 0, but got size %d for argument #2 'targets'" % (batch, targets.shape[0]))
    if not is_tensor(input_lengths) and max(input_lengths) > steps:
        raise RuntimeError("Expected input_lengths to have value at most %d, but got value %d" % (steps, max(input_lengths)))
    if not is_tensor(target_lengths):
        if targets.dim() == 1 and targets.shape[0] != sum(target_lengths):
            raise RuntimeError("Expected tensor to have size %d at dimension 0, but got size %d for argument #2 'targets'" % (sum(target_lengths), targets.shape[0]))
        if targets.dim() == 2 and targets.shape[1] < max(target_lengths):
            raise RuntimeError("Expected tensor to have size at least %d at dimension 1, but got size %d for argument #2 'targets'" % (max(target_lengths), targets.shape[1]))

def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    if log_probs.dim() == 3:
        _ctc_lengths(log_probs, targets, input_lengths, target_lengths, blank)
    if log_probs.dim() == 2:
        return _per_sample("ctc_loss", reduction, ["t c", "s"], log_probs, targets)
    if targets.dim() == 2:
        return _per_sample("ctc_loss", reduction, ["t n c", "n s"], log_probs, targets)
    # The targets of all samples stand in one row.
    out = str(log_probs.shape[1]) if reduction == "none" else "()"
    return operator("ctc_loss", "t^ m^ c^, s^ -> " + out, log_probs, targets)

def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    dims = "n c" if input.dim() == 2 else "c"
    return _per_sample("multilabel_margin_loss", _reduction(size_average, reduce, reduction), [dims, dims], input, target)

def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    dims = ["n c", "n"] if input.dim() == 2 else ["c", ""]
    operands = [input, target] if weight is None else [input, target, weight]
    return _per_sample("multi_margin_loss", _reduction(size_average, reduce, reduction), dims + ["c"] * (len(operands) - 2), *operands)

def triplet_margin_with_distance_loss(anchor, positive, negative, distance_function=None, margin=1.0, swap=False, reduction="mean"):
    if distance_function is None:
        return F.triplet_margin_loss(anchor, positive, negative, margin=margin, swap=swap, reduction=reduction)
    near, far = distance_function(anchor, positive), distance_function(anchor, negative)
    if swap:
        far = torch.minimum(far, distance_function(positive, negative))
    loss = F.relu(near - far + margin)
    return loss if reduction == "none" else loss.sum() if reduction == "sum" else loss.mean()

def linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, reduction="mean", ignore_index=-100, label_smoothing=0.0, options=None):
    settings = {} if ignore_index == -100 else {"ignore_index": ignore_index}
    if label_smoothing:
        settings["label_smoothing"] = label_smoothing
    return F.cross_entropy(F.linear(input, linear_weight, linear_bias), target, reduction=reduction, **settings)
