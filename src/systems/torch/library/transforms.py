# `torch.func`: what a function makes beside its derivatives, whose numbers nothing here has.
from torch._operators import is_tensor, unknown

def _tensors(values):
    return [each for each in values if is_tensor(each)]

def _derivatives(name, values, count):
    made = tuple(unknown("torch.func." + name + "()", *_tensors(values)) for _ in range(count))
    return made

def vjp(func, *primals, has_aux=False):
    made = func(*primals)
    result, aux = made if has_aux else (made, None)
    def pull(*cotangents, retain_graph=None, create_graph=None):
        return _derivatives("vjp", [*cotangents, *primals], len(primals))
    return (result, pull, aux) if has_aux else (result, pull)

def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    made = func(*primals)
    result, aux = made if has_aux else (made, None)
    (tangent,) = _derivatives("jvp", [*primals, *tangents], 1)
    return (result, tangent, aux) if has_aux else (result, tangent)

def linearize(func, *primals):
    def along(*tangents):
        (tangent,) = _derivatives("linearize", [*primals, *tangents], 1)
        return tangent
    return func(*primals), along

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
