"""Products, rows of tables and convolutions of a jaxpr."""

from __future__ import annotations

from typing import Any

from .graph import Dtype, Ref
from .jax_maker import Maker

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def dot(make: Maker) -> Any:
    """A product, as @ where dims stand as @ wants them, else by letters."""
    (left_sum, right_sum), (left_batch, right_batch) = make.params["dimension_numbers"]
    left, right = make.tensor(0), make.tensor(1)
    kind = make.out.dtype
    for at, value in enumerate((left, right)):
        aval = make.eqn.invars[at].aval
        if aval.dtype != kind:
            value = make.shaped("to", [value, Dtype(str(kind))], aval.shape)
            left, right = (value, right) if at == 0 else (left, value)
    a, b = (len(make.eqn.invars[at].aval.shape) for at in (0, 1))
    batch = len(left_batch)
    in_front = list(left_batch) == list(right_batch) == list(range(batch))
    if in_front and list(left_sum) == [a - 1] and list(right_sum) == [batch] and b == batch + 2 and (batch == 0 or a == b):
        return make.make("matmul", [left, right])
    letters = iter(_LETTERS)
    one, two = [""] * a, [""] * b
    for at in range(a):
        one[at] = next(letters)
    for mine, other in zip((*left_batch, *left_sum), (*right_batch, *right_sum)):
        two[other] = one[mine]
    for at in range(b):
        two[at] = two[at] or next(letters)
    made = [one[at] for at in left_batch]
    made += [one[at] for at in range(a) if at not in (*left_batch, *left_sum)]
    made += [two[at] for at in range(b) if at not in (*right_batch, *right_sum)]
    return make.make("einsum", [f"{''.join(one)},{''.join(two)}->{''.join(made)}", [left, right]])


def gather(make: Maker) -> Any:
    """Rows of a table by their numbers."""
    numbers, sizes = make.params["dimension_numbers"], make.params["slice_sizes"]
    table, index = make.eqn.invars[0].aval, make.eqn.invars[1].aval
    is_rows = tuple(numbers.collapsed_slice_dims) == (0,) and tuple(numbers.start_index_map) == (0,) and not numbers.operand_batching_dims
    last = tuple(range(len(index.shape) - 1, len(make.out.shape)))
    if not is_rows or tuple(numbers.offset_dims) != last or tuple(sizes[1:]) != tuple(table.shape[1:]) or len(table.shape) != 2:
        return None
    rows = make.shaped("squeeze", [make.tensor(1), -1], index.shape[:-1], index.dtype)
    return make.make("embedding", [make.tensor(0), rows])


def convolution(make: Maker) -> Any:
    """A convolution, with dims in torch's order before and behind it."""
    params, numbers = make.params, make.params["dimension_numbers"]
    space = len(numbers.lhs_spec) - 2
    if space not in (1, 2, 3) or any(each != 1 for each in params["lhs_dilation"]) or params["batch_group_count"] != 1:
        return None
    if any(low != high for low, high in params["padding"]):
        return None
    left, right, out = (list(each) for each in (numbers.lhs_spec, numbers.rhs_spec, numbers.out_spec))

    def turned(at: int, order: list[int]) -> Ref:
        value, aval = make.tensor(at), make.eqn.invars[at].aval
        return value if order == sorted(order) else make.shaped("permute", [value, order], [aval.shape[dim] for dim in order])

    given = [list(params["window_strides"]), [low for low, _ in params["padding"]], list(params["rhs_dilation"]), params["feature_group_count"]]
    inner = [make.out.shape[dim] for dim in out]
    made = make.shaped(f"conv{space}d", [turned(0, left), turned(1, right), None, *given], inner)
    back = [out.index(dim) for dim in range(len(out))]
    return made if back == sorted(back) else make.make("permute", [made, back])
