"""Compiles an exported cell with MindSpore's own compiler, without any card, and compares it with its claims.

    python check_mindspore.py PLAN.py CLAIMS.json

Claims: `operators` (primitive and pieces of every dim of every operand, in order), `slices` (of parameters, per
rank, the range of every dim), `collectives` (primitive, groups, and whether an operator or a redistribution brings
it, in order). The front end of the compiler runs up to shapes and parallelization for every rank (of many for the
first, one in the middle and the last); nothing is run. One line per check, then `N passed, N failed`; status 1 when one failed.
"""
import collections
import json
import pathlib
import re
import sys

from mindspore_compiler import compiled, leave, loaded

import numpy as np

COLLECTIVES = {"AllReduce", "AllGather", "ReduceScatter", "AlltoAll", "AlltoAllV", "NeighborExchangeV2", "Broadcast"}
MOST_RANKS = 16


def balanced(text, start):
    """From an opening bracket to the one that closes it."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return text[start : at + 1]
    return text[start:]


def nodes_of(graph):
    return [
        (found[1], line)
        for line in graph.split("\n")
        if (found := re.match(r"\s*%\d+\([^)]*\) = (?:PrimFunc_)?(\w+)(?:\[[^\]]*\])?\(", line))
    ]


def collectives_of(graph, devices):
    """Primitive, ranks and origin of every collective of a rank, in order."""
    found = []
    for op, line in nodes_of(graph):
        if op not in COLLECTIVES:
            continue
        name = re.search(r"instance name: (\w*)", line)
        why = "redistribution" if name and name[1].startswith("redistribution_op") else "forward"
        ranks = re.search(r"group_rank_ids: \(([^)]*)\)", line) or re.search(r'group_ranks: "([^"]*)"', line)
        numbers = [int(each) for each in re.findall(r"(?<!I)\d+", re.sub(r"I64", "", ranks[1]))] if ranks else []
        found.append((op, tuple(numbers or range(devices)), why))
    return found


def operators_of(graph):
    """Primitive and tuple strategy of every operator that was told one."""
    found = []
    for op, line in nodes_of(graph):
        instance = re.search(r"instance name: (\w*)", line)
        if instance and instance[1].startswith(("redistribution_op", "forward_op", "replace")):
            continue
        if "in_layout" in line:
            found.append((op, None))
        elif told := re.search(r"in_strategy: (\()", line):
            text = re.sub(r"I64\((-?\d+)\)", r"\1", balanced(line, told.start(1)))
            found.append((op, json.loads(re.sub(r",\s*\)", ")", text).replace("(", "[").replace(")", "]"))))
    return found


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
        wanted += [(step["op"], tuple(group), step["why"]) for group in groups]
    got = collectives_of(graph, devices)
    check(got == wanted, f"rank {rank}: collectives {got}" + ("" if got == wanted else f", claimed {wanted}"))
    ops = [(each["op"], each["in_strategy"]) for each in claims["operators"]]
    seen = operators_of(graph)
    fits = collections.Counter(op for op, _ in ops) == collections.Counter(op for op, _ in seen)
    told = [each for each in seen if each[1] is not None]
    fits = fits and all(each in ops for each in told)
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


main(*sys.argv[1:3])
print(f"{passed} passed, {failed} failed")
leave(1 if failed or not passed else 0)
