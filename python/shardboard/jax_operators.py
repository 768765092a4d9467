"""The primitives of JAX as operators of a text, which has torch's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .graph import Dtype, Ref
from .jax_maker import SYMBOLS, Filled, Maker, sizes_of
from .jax_products import convolution, dot, gather
from .jax_shardings import constraint_of

Built = Any
Builder = Callable[[Maker], Built]


#: The number that changes nothing as a second operand.
_NOTHING = {"add": 0, "sub": 0, "mul": 1, "div": 1}


def _binary(op: str) -> Builder:
    def build(make: Maker) -> Built:
        """Operands of one shape; a number that stands everywhere is written as one."""
        left, right = make.values
        if isinstance(left, Filled) and isinstance(right, Filled):
            return make.make(op, [make.tensor(0), right.value])
        if isinstance(left, Filled) and op in ("add", "mul"):
            left, right = right, left
        if isinstance(right, Filled) and right.value == _NOTHING.get(op) and isinstance(left, Ref) and make.shape(0 if left is make.values[0] else 1) == make.result():
            return left
        return make.make(op, [each.value if isinstance(each, Filled) else each for each in (left, right)])

    return build


def _unary(op: str) -> Builder:
    return lambda make: _folded(make, op) if isinstance(make.values[0], Filled) else make.make(op, [make.values[0]])


_NUMBERS: dict[str, Callable[[Any], Any]] = {"sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "neg": lambda x: -x, "exp": np.exp, "log": np.log}


def _folded(make: Maker, op: str) -> Built:
    """Of one number everywhere, the number."""
    rule, value = _NUMBERS.get(op), make.values[0]
    if rule is None:
        return make.make(op, [make.tensor(0)])
    return Filled(float(rule(np.float64(value.value))), value.shape)


def _extreme(which: str) -> Builder:
    def build(make: Maker) -> Built:
        """The larger or smaller of two; beside a number it is a bound."""
        for at in (0, 1):
            value = make.values[at]
            if isinstance(value, Filled):
                nothing = float("-inf") if which == "maximum" else float("inf")
                if value.value == nothing:
                    return make.values[1 - at]
                bounds = [value.value, None] if which == "maximum" else [None, value.value]
                return make.make("clamp", [make.tensor(1 - at), *bounds])
        return make.make(which, make.values)

    return build


def _clamp(make: Maker) -> Built:
    low, value, high = make.values
    if isinstance(low, Filled) and isinstance(high, Filled) and isinstance(value, Ref):
        return make.make("clamp", [value, low.value, high.value])
    return None


def _power(make: Maker) -> Built:
    return make.make("pow", [make.tensor(0), make.params["y"]])


def _pow(make: Maker) -> Built:
    base, power = make.values
    return make.make("pow", [make.tensor(0), power.value]) if isinstance(power, Filled) else make.make("pow", [make.tensor(0), power])


def _divide(make: Maker) -> Built:
    return _binary("floor_divide" if np.issubdtype(make.out.dtype, np.integer) else "div")(make)


def _compare(op: str) -> Builder:
    return _binary(op)


def _convert(make: Maker) -> Built:
    value, wanted = make.values[0], make.params["new_dtype"]
    if isinstance(value, Filled):
        kind = bool if wanted == bool else int if np.issubdtype(wanted, np.integer) else float
        return Filled(kind(value.value), value.shape)
    if str(make.eqn.invars[0].aval.dtype) == str(wanted):
        return value
    return make.make("to", [value, Dtype(str(wanted))])


def _same(make: Maker) -> Built:
    return make.values[0]


def _select(make: Maker) -> Built:
    if len(make.values) != 3:
        return None
    which, otherwise, then = make.values
    if str(make.eqn.invars[0].aval.dtype) != "bool" or not isinstance(which, Ref):
        return None
    if isinstance(then, Filled) and isinstance(otherwise, Ref):
        return make.make("masked_fill", [otherwise, which, then.value])
    if isinstance(otherwise, Filled) and isinstance(then, Ref):
        return make.make("masked_fill", [then, make.make("logical_not", [which], make.eqn.invars[0].aval), otherwise.value])
    return make.make("where", [which, make.tensor(2), make.tensor(1)])


def _broadcast(make: Maker) -> Built:
    """Ones where dims are new, and copies where a size is 1."""
    value, wanted = make.values[0], make.result()
    if isinstance(value, Filled):
        return Filled(value.value, wanted)
    places, shape = make.params["broadcast_dimensions"], make.shape()
    between = [shape[places.index(dim)] if dim in places else 1 for dim in range(len(wanted))]
    made = value
    if between != shape:
        new = [dim for dim in range(len(wanted)) if dim not in places]
        if len(new) == 1:
            made = make.shaped("unsqueeze", [value, new[0] if new[0] < len(wanted) - 1 else -1], sizes_of(between))
        else:
            made = make.shaped("reshape", [value, between], sizes_of(between))
    return made if between == wanted else make.make("expand", [made, wanted])


def _reshape(make: Maker) -> Built:
    value, wanted = make.values[0], make.result()
    if isinstance(value, Filled):
        return Filled(value.value, wanted)
    for size in (*make.out.shape, *make.eqn.invars[0].aval.shape):
        if not isinstance(size, int):
            SYMBOLS[str(size)] = size
    return make.make("reshape", [value, wanted])


def _squeeze(make: Maker) -> Built:
    value, dims = make.values[0], make.params["dimensions"]
    if isinstance(value, Filled):
        return Filled(value.value, make.result())
    if len(dims) == 1:
        return make.make("squeeze", [value, dims[0]])
    return make.make("reshape", [value, make.result()])


def _transpose(make: Maker) -> Built:
    order = list(make.params["permutation"])
    moved = [at for at, dim in enumerate(order) if at != dim]
    if len(moved) == 2:
        return make.make("transpose", [make.tensor(0), *moved])
    return make.make("permute", [make.tensor(0), order])


def _slice(make: Maker) -> Built:
    value, shape = make.tensor(0), list(make.eqn.invars[0].aval.shape)
    low, high = make.params["start_indices"], make.params["limit_indices"]
    steps = make.params["strides"] or [1] * len(shape)
    for dim, (start, end, step) in enumerate(zip(low, high, steps)):
        if start == 0 and end == shape[dim] and step == 1:
            continue
        whole = end == shape[dim]
        shape[dim] = -(-(end - start) // step)
        value = make.shaped("slice", [value, dim, make.recorder.size(start), None if whole else make.recorder.size(end), step], shape)
    return value


def _split(make: Maker) -> Built:
    whole = make.recorder.node("split", [make.tensor(0), list(make.params["sizes"]), make.params["axis"]], None, make.stack)
    return [make.recorder.node("getitem", [whole, at], each.aval, make.stack) for at, each in enumerate(make.eqn.outvars)]


def _concatenate(make: Maker) -> Built:
    return make.make("cat", [[make.tensor(at) for at in range(len(make.values))], make.params["dimension"]])


def _pad(make: Maker) -> Built:
    value, config = make.values[1], make.params["padding_config"]
    if not isinstance(value, Filled) or any(low < 0 or high < 0 or inner for low, high, inner in config):
        return None
    given = [size for low, high, _ in reversed(config) for size in (low, high)]
    while len(given) > 2 and given[-2:] == [0, 0]:
        given = given[:-2]
    return make.make("pad", [make.tensor(0), given], value=value.value) if value.value else make.make("pad", [make.tensor(0), given])


def _iota(make: Maker) -> Built:
    dim, shape = make.params["dimension"], make.result()
    row = make.shaped("arange", [shape[dim]], [make.out.shape[dim]])
    if len(shape) == 1:
        return row
    between = [size if at == dim else 1 for at, size in enumerate(shape)]
    return make.make("expand", [make.shaped("reshape", [row, between], [make.out.shape[at] if at == dim else 1 for at in range(len(shape))]), shape])


def _reduce(op: str) -> Builder:
    def build(make: Maker) -> Built:
        dims = list(make.params["axes"])
        return make.make(op, [make.tensor(0), dims])

    return build


def _index_of(op: str) -> Builder:
    return lambda make: make.make(op, [make.tensor(0), make.params["axes"][0]]) if len(make.params["axes"]) == 1 else None


def _running(op: str) -> Builder:
    return lambda make: None if make.params["reverse"] else make.make(op, [make.tensor(0), make.params["axis"]])


def _top(make: Maker) -> Built:
    whole = make.recorder.node("topk", [make.tensor(0), make.params["k"]], None, make.stack)
    return [make.recorder.node("getitem", [whole, at], each.aval, make.stack) for at, each in enumerate(make.eqn.outvars)]


def _constraint(make: Maker) -> Built:
    constraint = (make.params["sharding"], len(make.out.shape), sorted(make.params.get("unconstrained_dims") or ()))
    make.recorder.constraints.append(constraint)
    written = constraint_of(constraint)
    return make.values[0] if written is None else make.make("word::place", [make.tensor(0)], layout=written)


def _reversed(make: Maker) -> Built:
    return make.make("flip", [make.tensor(0), list(make.params["dimensions"])])


OPERATORS: dict[str, Builder] = {
    **{name: _binary(name) for name in ("add", "sub", "mul")},
    "add_any": _binary("add"),
    "div": _divide, "max": _extreme("maximum"), "min": _extreme("minimum"), "clamp": _clamp, "pow": _pow, "integer_pow": _power,
    **{name: _compare(name) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    "and": _binary("bitwise_and"), "or": _binary("bitwise_or"), "not": _unary("bitwise_not"),
    **{name: _unary(name) for name in ("exp", "log", "sqrt", "rsqrt", "tanh", "sin", "cos", "abs", "neg", "floor", "erf", "round")},
    "logistic": _unary("sigmoid"), "square": lambda make: make.make("pow", [make.tensor(0), 2]),
    "convert_element_type": _convert, "stop_gradient": _same, "copy": _same, "copy_p": _same, "optimization_barrier": lambda make: list(make.values),
    "reduce_precision": _same, "pvary": _same,
    "select_n": _select, "broadcast_in_dim": _broadcast, "reshape": _reshape, "squeeze": _squeeze, "transpose": _transpose,
    "slice": _slice, "split": _split, "concatenate": _concatenate, "pad": _pad, "iota": _iota, "rev": _reversed,
    "reduce_sum": _reduce("sum"), "reduce_max": _reduce("amax"), "reduce_min": _reduce("amin"), "reduce_prod": lambda make: None,
    "argmax": _index_of("argmax"), "argmin": _index_of("argmin"), "cumsum": _running("cumsum"), "top_k": _top,
    "dot_general": dot, "gather": gather, "conv_general_dilated": convolution, "sharding_constraint": _constraint,
}
