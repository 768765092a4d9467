# `torch.autograd`: gradients that a text asks for itself.
from torch._operators import is_tensor, operator, unknown
from torch.distributed import _say_not_read

_letters = "abcdefghijlmopqrstuvwxyz"

def _dims(tensor, skipped=0):
    return " ".join(_letters[skipped + at] + "^" for at in range(tensor.dim())) or "()"

def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None, is_grads_batched=False, materialize_grads=False):
    made = [outputs] if is_tensor(outputs) else list(outputs)
    by = [inputs] if is_tensor(inputs) else list(inputs)
    if is_grads_batched:
        return tuple(unknown("torch.autograd.grad", *made, each) for each in by)
    _say_not_read("torch.autograd.grad", "what it gives has the shapes of what it differentiates by; the pass that makes it is not drawn, nor its time")
    return tuple(operator("grad", _dims(made[0]) + ", " + _dims(each, made[0].dim()) + " -> " + _dims(each, made[0].dim()), made[0], each) for each in by)
