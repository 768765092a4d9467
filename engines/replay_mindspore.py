"""Where MindSpore 2.10 compiles a strategy to a program that computes something else: each case replayed.

    python replay_mindspore.py

Every case of CASES is compiled for all ranks, and the printed graphs are run in numpy in lockstep: collectives move the
ranks' arrays as their printed groups say. A wrong form must differ from the unsharded product, and its safe rewriting
must equal it. One line per check, then `N passed, N failed`; status 1 when one failed.
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
# What the product warns of, the form, its operands, and whether it is computed wrongly.
CASES = [
    ("scatters-out-of-order", lambda: product(TURNED, ("dp", *TURNED)), MATRICES, True),
    ("scatters-out-of-order, added up whole", lambda: product(TURNED, "dp"), MATRICES, False),
    ("a scatter in mesh order", lambda: product(SORTED, ("dp", *SORTED)), MATRICES, False),
    ("scatters-dim-0", lambda: batches((2, 4, 1)), STACKS, True),
    ("scatters-dim-0, added up whole", lambda: batches((2, 1, 1)), STACKS, False),
]


class Plan(nn.Cell):
    """A product, whose result every rank then reads whole."""

    def __init__(self, made, rank):
        super().__init__()
        self.product = made()
        self.read = ops.ReLU().shard(((1,) * rank,))

    def construct(self, x, w):
        return self.read(self.product(x, w))


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


def is_right(made, shapes):
    random = np.random.default_rng(0)
    given = {name: random.integers(0, 5, shape).astype(np.float64) for name, shape in zip("xw", shapes)}
    plan = types.SimpleNamespace(
        Plan=lambda: Plan(made, len(shapes[0])), INPUTS={name: (array.shape, ms.float32) for name, array in given.items()}
    )
    graphs = [compiled(plan, DEVICES, rank)[0] for rank in range(DEVICES)]
    want = given["x"] @ given["w"]
    try:
        return all(np.array_equal(got, want) for got in replayed(graphs, given))
    except ValueError as error:
        print(f"     {error}")
        return False  # shapes that do not fit together compute nothing


failed = 0
for name, made, shapes, is_wrong in CASES:
    passes = is_right(made, shapes) != is_wrong
    failed += not passes
    print(("ok   " if passes else "FAIL ") + f"{name}: {'computes something else' if is_wrong else 'equals the product'}")
print(f"{len(CASES) - failed} passed, {failed} failed")
leave(1 if failed else 0)
