"""Where MindSpore 2.10 compiles a strategy to a program that computes something else: each case replayed.

    python replay_mindspore.py

Every case of CASES is compiled for all ranks, and the printed graphs are run in numpy in lockstep: collectives move the
ranks' arrays as their printed groups say. A wrong form must differ from the unsharded product, and its safe rewriting
must equal it; a case without a reader returns every rank's block, which must be rows of the product. One line per check, then `N passed, N failed`; status 1 when one failed.
"""
import re
import types

from mindspore_compiler import compiled, leave

import mindspore as ms
import numpy as np
from mindspore import nn, ops
from mindspore.parallel import Layout

DEVICES = 8
layout = Layout((2, 2, 2), ("dp", "sp", "mp"))
SORTED, TURNED = ("sp", "mp"), ("mp", "sp")


def product(k, rows):
    return ops.MatMul().shard((layout("dp", k), layout(k, "None")), (layout(rows, "None"),))


def batches(out):
    return ops.BatchMatMul().shard(((2, 1, 4), (2, 4, 1)), (out,))


MATRICES = ((16, 32), (32, 8))
STACKS = ((8, 16, 64), (8, 64, 64))
def corners(columns):
    return ops.MatMul().shard((layout("mp", "None"), layout("None", columns)))


WRONG, RIGHT, REFUSED = "computes something else", "equals the product", "is refused"
# What the product warns of, the form, its operands, what becomes of it, and whether every rank reads the result whole.
CASES = [
    ("scatters-out-of-order", lambda: product(TURNED, ("dp", *TURNED)), MATRICES, WRONG, True),
    ("scatters-out-of-order, added up whole", lambda: product(TURNED, "dp"), MATRICES, RIGHT, True),
    ("a scatter in mesh order", lambda: product(SORTED, ("dp", *SORTED)), MATRICES, RIGHT, True),
    ("scatters-dim-0", lambda: batches((2, 4, 1)), STACKS, WRONG, True),
    ("scatters-dim-0, added up whole", lambda: batches((2, 1, 1)), STACKS, RIGHT, True),
    ("shares-last-axis", lambda: corners("mp"), MATRICES, WRONG, False),
    ("shares-last-axis, read by an operator", lambda: corners("mp"), MATRICES, REFUSED, True),
    ("shares-last-axis, the columns whole", lambda: corners("None"), MATRICES, RIGHT, False),
    ("shares-last-axis, the columns whole, read by an operator", lambda: corners("None"), MATRICES, RIGHT, True),
]


class Plan(nn.Cell):
    """A product, whose result every rank then reads whole, or which is returned."""

    def __init__(self, made, rank, is_read):
        super().__init__()
        self.product = made()
        self.read = ops.ReLU().shard(((1,) * rank,)) if is_read else None

    def construct(self, x, w):
        y = self.product(x, w)
        return y if self.read is None else self.read(y)


def nodes_of(graph):
    """Name, primitive, arguments and the whole line of every node, in order, and what is returned."""
    found = []
    for line in graph.split("\n"):
        node = re.match(r"\s*%(\d+)\([^)]*\) = (?:PrimFunc_)?(\w+)(?:\[[^\]]*\])?\((.*?)\) (?=\{|$|cnode)", line)
        if node:
            found.append((f"%{node[1]}", node[2], arguments(node[3]), line))
        elif ended := re.match(r"\s*Return\((%\d+)\)", line):
            return found, ended[1]
    raise ValueError("the graph returns nothing")


def arguments(text):
    """`%4, (I64(8), I64(8)), Bool(0)` as names, tuples and numbers."""
    quoted = re.sub(r"%(\w+)", r'"%\1"', re.sub(r"(?:I64|Bool)\((-?\d+)\)", r"\1", text))
    return eval(f"({quoted},)", {"__builtins__": {}})


def groups_of(lines):
    """The groups of a collective, in the order of their pieces, from the line of every rank."""
    named = [re.search(r"group_rank_ids: \(([^)]*)\)", line) for line in lines]
    return [[int(each) for each in found[1].split(",") if each.strip()] or list(range(DEVICES)) for found in named]


def collective(op, lines, blocks):
    out = []
    for rank, group in enumerate(groups_of(lines)):
        taken = [blocks[each] for each in group]
        if op == "AllGather":
            out.append(np.concatenate(taken))
            continue
        total = sum(taken)
        out.append(total if op == "AllReduce" else np.split(total, len(group))[group.index(rank)])
    return out


def local(op, args):
    x = args[0]
    match op:
        case "Reshape":
            return x.reshape(args[1])
        case "StridedSlice":
            return x[tuple(slice(*bounds) for bounds in zip(args[1], args[2], args[3]))]
        case "MatMul" | "BatchMatMul":
            return (np.swapaxes(x, -1, -2) if args[2] else x) @ (np.swapaxes(args[1], -1, -2) if args[3] else args[1])
        case "ReLU":
            return np.maximum(x, 0)
        case "Split":
            return np.split(x, args[2], args[1])
        case "MakeTuple":
            return list(args)
        case "TupleGetItem":
            return x[args[1]]
        case "Concat":
            return np.concatenate(args[0], args[1])
    raise NotImplementedError(f"{op} is not replayed")


def replayed(graphs, given):
    """What every rank returns."""
    programs = [nodes_of(graph) for graph in graphs]
    held = [{f"%para{at + 1}_{name}": array for at, (name, array) in enumerate(given.items())} for _ in graphs]
    for steps in zip(*(nodes for nodes, _ in programs)):
        name, op, _, _ = steps[0]
        values = [[known.get(arg, arg) if isinstance(arg, str) else arg for arg in step[2]] for known, step in zip(held, steps)]
        if op in ("AllGather", "AllReduce", "ReduceScatter"):
            made = collective(op, [step[3] for step in steps], [each[0] for each in values])
        else:
            made = [local(op, each) for each in values]
        for known, step, array in zip(held, steps, made):
            known[step[0]] = array
    return [known[result] for known, (_, result) in zip(held, programs)]


def outcome(made, shapes, is_read):
    random = np.random.default_rng(0)
    given = {name: random.integers(0, 5, shape).astype(np.float64) for name, shape in zip("xw", shapes)}
    plan = types.SimpleNamespace(
        Plan=lambda: Plan(made, len(shapes[0]), is_read), INPUTS={name: (array.shape, ms.float32) for name, array in given.items()}
    )
    try:
        graphs = [compiled(plan, DEVICES, rank)[0] for rank in range(DEVICES)]
    except RuntimeError:
        return REFUSED
    want = given["x"] @ given["w"]
    try:
        is_right = all(any(np.array_equal(got, rows) for rows in np.split(want, len(want) // len(got))) for got in replayed(graphs, given))
    except ValueError as error:
        print(f"     {error}")
        return WRONG  # shapes that do not fit together compute nothing
    return RIGHT if is_right else WRONG


failed = 0
for name, made, shapes, wanted, is_read in CASES:
    found = outcome(made, shapes, is_read)
    failed += found != wanted
    print(("ok   " if found == wanted else "FAIL ") + f"{name}: {found}")
print(f"{len(CASES) - failed} passed, {failed} failed")
leave(1 if failed else 0)
