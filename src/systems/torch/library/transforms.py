# `torch.func`: what a function makes beside its derivatives, of which only the shapes are known here.
import torch
from torch._operators import is_tensor, operator, unknown
from torch.distributed import _say_not_read

_letters = "abcdefghijlmopqrstuvwxyz"

def _tensors(values):
    return [each for each in values if is_tensor(each)]

def _dims(shape, skipped=0):
    return " ".join(_letters[skipped + at] + "^" for at in range(len(shape))) or "()"

def _say(name):
    _say_not_read("torch.func." + name, "what it gives has the shapes of the derivatives; the pass that makes them is not drawn, nor its time")

# An operator that makes what has the dims of `shapes` one behind the other, out of tensors.
def _derived(name, shapes, *values):
    texts, skipped = [], 0
    for each in values:
        texts.append(_dims(each.shape, skipped))
        skipped += each.dim()
    out = " ".join(str(size) for shape in shapes for size in shape) or "()"
    return operator(name, ", ".join(texts) + " -> " + out, *values)

# The same for each tensor of nested rows and dicts.
def _each(value, make):
    if isinstance(value, dict):
        return {key: _each(item, make) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_each(item, make) for item in value)
    return make(value)

def _chosen(args, argnums):
    picked = [args[at] for at in ((argnums,) if isinstance(argnums, int) else argnums)]
    return picked[0] if isinstance(argnums, int) else tuple(picked)

def grad_and_value(func, argnums=0, has_aux=False):
    def run(*args, **options):
        made = func(*args, **options)
        loss = made[0] if has_aux else made
        if loss.dim() != 0:
            raise RuntimeError("Expected f(*args) to return a scalar tensor, got tensor with %d dims" % loss.dim())
        _say("grad")
        return _each(_chosen(args, argnums), lambda x: _derived("grad", [x.shape], loss, x)), made
    return run

def grad(func, argnums=0, has_aux=False):
    both = grad_and_value(func, argnums, has_aux)
    def run(*args, **options):
        found, made = both(*args, **options)
        return (found, made[1]) if has_aux else found
    return run

def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    def run(*args):
        made = func(*args)
        result, aux = made if has_aux else (made, None)
        _say("jacrev")
        by = _chosen(args, argnums)
        found = _each(result, lambda y: _each(by, lambda x: _derived("jacobian", [y.shape, x.shape], y, x)))
        return (found, aux) if has_aux else found
    return run

def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    return jacrev(func, argnums, has_aux=has_aux)

def hessian(func, argnums=0):
    def run(*args):
        made = func(*args)
        _say("hessian")
        by = _chosen(args, argnums)
        return _each(made, lambda y: _each(by, lambda x: _each(by, lambda z: _derived("hessian", [y.shape, x.shape, z.shape], y, x, z))))
    return run

# Rows of what is mapped over, one call each; more of them than are drawn are unknown.
def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    def run(*args, **options):
        dims = in_dims if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        if len(dims) != len(args):
            raise ValueError("vmap(): in_dims is not compatible with the structure of inputs: %d dims of %d inputs" % (len(dims), len(args)))
        if any(isinstance(d, dict) or (d is not None and not is_tensor(a)) for a, d in zip(args, dims)):
            return unknown("torch.func.vmap() over structures", *_tensors(args))
        sizes = [a.shape[d] for a, d in zip(args, dims) if d is not None]
        if not sizes:
            raise ValueError("vmap(): at least one input must be mapped over")
        if len(set(sizes)) > 1:
            raise ValueError("vmap: Expected all tensors to have the same size in the mapped dimension, got sizes %s" % sizes)
        if sizes[0] > 16:
            return unknown("torch.func.vmap() over more than 16 rows", *_tensors(args))
        made = [func(*[a if d is None else a.select(d, i) for a, d in zip(args, dims)], **options) for i in range(sizes[0])]
        if isinstance(made[0], (list, tuple)):
            return type(made[0])(torch.stack([row[i] for row in made], dim=out_dims[i] if isinstance(out_dims, tuple) else out_dims) for i in range(len(made[0])))
        return torch.stack(made, dim=out_dims)
    return run

def vjp(func, *primals, has_aux=False):
    made = func(*primals)
    result, aux = made if has_aux else (made, None)
    def pull(*cotangents, retain_graph=None, create_graph=None):
        _say("vjp")
        found = tuple(_each(x, lambda x: _derived("vjp", [x.shape], *_tensors(cotangents), x)) for x in primals)
        return found
    return (result, pull, aux) if has_aux else (result, pull)

def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    made = func(*primals)
    result, aux = made if has_aux else (made, None)
    _say("jvp")
    tangent = _each(result, lambda y: _derived("jvp", [y.shape], y, *_tensors(tangents)))
    return (result, tangent, aux) if has_aux else (result, tangent)

def linearize(func, *primals):
    result = func(*primals)
    def along(*tangents):
        _say("linearize")
        return _each(result, lambda y: _derived("jvp", [y.shape], y, *_tensors(tangents)))
    return result, along

def functionalize(func, *, remove="mutations"):
    return func

# A module called with weights that are given: known where these are its own.
def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    given = parameter_and_buffer_dicts
    given = [given] if isinstance(given, dict) else list(given)
    own = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    for each in given:
        for name, value in each.items():
            if name not in own or value is not own[name]:
                return unknown("torch.func.functional_call() with other weights", *_tensors(list(args)))
    return module(*args, **(kwargs or {}))
