"""Compiles an exported cell with MindSpore's own compiler, without any card, and compares it with its claims.

    python check_mindspore.py PLAN.py CLAIMS.json

Claims: `operators` (primitive and pieces of every dim of every operand, in order), `slices` (of parameters, per
rank, the range of every dim), `collectives` (primitive, groups, and whether an operator or a redistribution brings
it, in order). The front end of the compiler runs up to shapes and parallelization for every rank (of many for the
first, one in the middle and the last); nothing is run. Then the file checks itself. One line per check, then `N passed, N failed`; status 1 when one failed.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

own_environment = dict(os.environ)  # as it is before the compiler's own settings
from mindspore_compiler import compiled, leave, loaded  # noqa: E402

import numpy as np  # noqa: E402

COLLECTIVES = {"AllReduce", "AllGather", "ReduceScatter", "AlltoAll", "AlltoAllV", "NeighborExchangeV2", "Broadcast"}
MOST_RANKS = 16


def nodes_of(graph):
    """Primitive, line, and the line with the types of every node, in order."""
    lines = graph.split("\n")
    return [
        (found[1], line, types)
        for line, types in zip(lines, lines[1:])
        if (found := re.match(r"\s*%\d+\([^)]*\) = (?:PrimFunc_)?(\w+)(?:\[[^\]]*\])?\(", line))
    ]


def collectives_of(graph, devices):
    """Primitive, ranks, origin and received bytes of every collective of a rank, in order."""
    found = []
    for op, line, types in nodes_of(graph):
        if op not in COLLECTIVES:
            continue
        name = re.search(r"instance name: (\w*)", line)
        why = "redistribution" if name and name[1].startswith("redistribution_op") else "forward"
        ranks = re.search(r"group_rank_ids: \(([^)]*)\)", line) or re.search(r'group_ranks: "([^"]*)"', line)
        numbers = [int(each) for each in re.findall(r"(?<!I)\d+", re.sub(r"I64", "", ranks[1]))] if ranks else []
        group = tuple(numbers or range(devices))
        found.append((op, group, why, received(op, len(group), types)))
    return found


def received(op, count, types):
    """Bytes that a rank receives, from the types of what it gives and gets."""
    tensors = re.findall(r"Tensor\[\D+(\d+)\]>?, \(([^)]*)\)", types)
    given, got = (int(bits) // 8 * math.prod(int(size) for size in shape.split(",") if size.strip()) for bits, shape in (tensors[0], tensors[-1]))
    match op:
        case "AllGather":
            return got - given
        case "ReduceScatter":
            return given - got
        case "AllReduce":
            return 2 * given * (count - 1) // count
    return given * (count - 1) // count


def operators_of(graph):
    """Primitive and pieces of every operator that was told a strategy."""
    found = []
    for op, line, _ in nodes_of(graph):
        instance = re.search(r"instance name: (\w*)", line)
        if instance and instance[1].startswith(("redistribution_op", "forward_op", "replace")):
            continue
        if layouts := re.search(r"in_layout: \((\{.*?\})\)", line):
            each = re.findall(r"'device_matrix': (.*?), 'tensor_map': (.*?), 'interleaved", layouts[1])
            found.append((op, [pieces_of(lists(matrix), lists(dims)) for matrix, dims in each]))
        elif told := re.search(r"in_strategy: (\([\dI(), ]*\))", line):
            found.append((op, lists(told[1])))
    return found


def lists(printed):
    """Nested tuples of numbers."""
    numbers = re.sub(r"I64\((-?\d+)\)", r"\1", printed)
    return json.loads(re.sub(r",\s*\)", ")", numbers).replace("(", "[").replace(")", "]"))


def pieces_of(matrix, dims):
    """Into how many pieces a layout cuts every dim: maps count the axes of the matrix from the right."""
    axes = [dim if isinstance(dim, list) else [dim] for dim in dims]
    return [math.prod(matrix[-1 - axis] for axis in each if axis >= 0) for each in axes]


passed = failed = 0


def check(is_right, what):
    global passed, failed
    passed, failed = passed + is_right, failed + (not is_right)
    print(("ok   " if is_right else "FAIL ") + what)


def check_rank(plan, claims, rank):
    devices = claims["devices"]
    try:
        graph, layouts = compiled(plan, devices, rank)
    except RuntimeError as error:
        return check(False, f"rank {rank} compiles: {error}")
    wanted = []
    for step in claims["collectives"]:
        groups = [group for group in step["groups"] if rank in group]
        wanted += [(step["op"], tuple(group), step["why"], step["bytes"]) for group in groups]
    got = collectives_of(graph, devices)
    check(got == wanted, f"rank {rank}: collectives {got}" + ("" if got == wanted else f", claimed {wanted}"))
    ops = [(each["op"], each["in_strategy"]) for each in claims["operators"]]
    seen = operators_of(graph)
    fits = sorted(ops) == sorted(seen)
    check(fits, f"rank {rank}: operators {seen if len(seen) < 9 else len(seen)}" + ("" if fits else f", claimed {ops}"))
    for name, layout in layouts.items():
        if name not in claims["slices"]:
            continue  # what is fed is whole, and cut where it is read
        local = [stop - start for start, stop in claims["slices"][name][rank]]
        size = int(np.prod(local))
        check(int(np.prod(layout[2])) == size, f"rank {rank}: {name} has {size} elements, {list(layout[2])}")


def main(plan_path, claims_path):
    plan = loaded(plan_path)
    claims = json.loads(pathlib.Path(claims_path).read_text())
    devices = claims["devices"]
    ranks = range(devices) if devices <= MOST_RANKS else [0, devices // 2 + 1, devices - 1]
    for rank in ranks:
        check_rank(plan, claims, rank)
    with tempfile.TemporaryDirectory() as folder:
        own = pathlib.Path(folder, "plan.py")  # in a type as wide, which needs no particular version of numpy
        own.write_text(pathlib.Path(plan_path).read_text().replace("ms.bfloat16", "ms.float16"))
        ran = subprocess.run([sys.executable, own, "--verify"], capture_output=True, text=True, env=own_environment)
    said = (ran.stdout if ran.returncode == 0 else ran.stderr).strip().split("\n")[-1]
    check(ran.returncode == 0, f"its own --verify: {said}")


main(*sys.argv[1:3])
print(f"{passed} passed, {failed} failed")
leave(1 if failed or not passed else 0)
