"""What MindSpore 2.10's compiler makes of programs, each a text that calls a net: operators with their strategies, and what rank 0 sends.

    python record_mindspore_nets.py PROGRAMS.jsonl ANSWERS.jsonl

A line of PROGRAMS is {name, program}; its answer is {name, operators: [[primitive, strategy]], collectives: [[primitive, ranks, why]]}
or {name, refused}, and of a training step also backward: [[primitive, ranks, why or the parameter]]. Answers are appended, and what is answered already is not asked again. Every program is asked in a process
of its own: the compiler marks primitives that it has left whole, and later programs would find the marks. One that ends its
process is answered `refused: ends the process`.
"""
import glob
import json
import linecache
import os
import pathlib
import re
import shutil
import signal
import sys
import types

from mindspore_compiler import StandardError, leave, work, world  # noqa: E402

import mindspore as ms  # noqa: E402
import mindspore.communication._comm_helper as comm_helper  # noqa: E402
import mindspore.ops.operations.comm_ops as comm_ops  # noqa: E402
from mindspore import context, nn  # noqa: E402
from mindspore._c_expression import AutoParallelContext  # noqa: E402
from mindspore.common.api import _cell_graph_executor  # noqa: E402

COLLECTIVES = {"AllReduce", "AllGather", "ReduceScatter", "AlltoAll", "AllToAll", "AlltoAllV", "NeighborExchange", "NeighborExchangeV2"}

for module in [each for name, each in sys.modules.items() if name.startswith("mindspore.") and hasattr(each, "get_group_size")]:
    module.get_group_size = comm_ops.get_group_size
plain_context = context.set_auto_parallel_context
called = []


def set_auto_parallel_context(**settings):
    plain_context(**settings)
    world[0] = settings.get("device_num", world[0])
    AutoParallelContext.get_instance().set_hccl_test_avaible(True)


def compile_call(cell, *inputs, **_):
    """A net that is called is compiled, and never run."""
    cell.set_train()
    called.append(cell)
    _cell_graph_executor.compile(cell, *inputs, phase="train")


ms.set_auto_parallel_context = context.set_auto_parallel_context = set_auto_parallel_context
nn.Cell.__call__ = compile_call


def strategy_in(line):
    """The strategy that stands in a line of a printed graph, a tuple of pieces for every tensor."""
    # Calls of one function share their primitive, and with it `gen_strategy`.
    found = re.search(r"in_strategy: (\()", line) or re.search(r"gen_strategy: (\()", line)
    if found is None:
        return None
    start = found.start(1)
    depth = 0
    for end in range(start, len(line)):
        depth += (line[end] == "(") - (line[end] == ")")
        if depth == 0:
            break
    text = re.sub(r"I64\((-?\d+)\)", r"\1", line[start : end + 1])
    # One piece for one dim is printed without a comma: ((8), (8)).
    text = re.sub(r"\((\d+)\)", r"(\1,)", text)
    value = eval(text, {"__builtins__": {}})
    # So is one tuple for one tensor: ((2, 4)).
    return [list(each) for each in value] if any(isinstance(each, tuple) for each in value) else [list(value)]


def answer_in(graph):
    operators, sent, backward = [], [], []
    # A constant is printed over several lines.
    for line in re.sub(r"value=\s*\[[^()%]*\]\)", "value=[])", graph).split("\n"):
        found = re.match(r"\s*%\d+\([^)]*\) = (?:PrimFunc_)?([\w.]+)(?:\[[^\]]*\])?\(", line)
        if found is None:
            continue
        instance = re.search(r"instance name: (\w*)", line)
        name = instance[1] if instance else ""
        if found[1] in COLLECTIVES:
            ranks = re.search(r"group_rank_ids: \(([^)]*)\)", line) or re.search(r'group_ranks: "([^"]*)"', line)
            group = [int(each) for each in re.findall(r"\d+", re.sub("I64", "", ranks[1]))] if ranks else []
            # What turns a node of the forward pass round names that node; a sum of a gradient names the parameter.
            if turned := re.search(r'forward_node_name: "(\w+)"', line):
                of = re.search(r'mirror_user_id: "([^"]*)"', line) if turned[1].startswith("_Mirror") else None
                backward.append([found[1], group, of[1] if of else "turned"])
                continue
            if name.startswith(("grad", "mirror", "broadcast")):
                continue
            why = "forward" if name.startswith("forward_op") else "redistribution" if name.startswith("redistribution_op") else name
            sent.append([found[1], group, why])
            continue
        if name.startswith(("redistribution_op", "forward_op", "replace")):
            continue
        strategy = strategy_in(line)
        if strategy is not None:
            operators.append([found[1], strategy])
    return {"operators": operators, "collectives": sent, **({"backward": backward} if backward else {})}


def asked(name, program):
    called.clear()
    world[0] = 1
    shutil.rmtree(f"{work}/graphs", ignore_errors=True)
    context.reset_auto_parallel_context()
    context.set_context(mode=context.GRAPH_MODE)
    AutoParallelContext.get_instance().set_hccl_test_avaible(True)
    comm_helper._HCCL_TEST_AVAILABLE = True
    linecache.clearcache()
    path = pathlib.Path(work, "asked.py")
    path.write_text(program)
    module = types.ModuleType("asked")
    module.__file__ = str(path)
    sys.modules["asked"] = module
    with StandardError() as log:
        try:
            exec(compile(program, str(path), "exec"), module.__dict__)
            log.fault = None
        except BaseException as error:  # what is refused in any way
            log.fault = error
    if log.fault is not None:
        said = [re.sub(r"^\[\w+\][^\]]*\] ", "", line)[:200] for line in log.text.split("\n") if line.startswith(("[ERROR]", "[CRITICAL]")) and "libcu" not in line and "libmindspore_gpu" not in line]
        return {"name": name, "refused": f"{type(log.fault).__name__}: {(said or [str(log.fault)[:200]])[0]}"}
    if not called:
        return {"name": name, "refused": "nothing is called"}
    found = sorted(glob.glob(f"{work}/graphs/**/*validate*.ir", recursive=True))
    return {"name": name, **answer_in(pathlib.Path(found[-1]).read_text())}


def asked_apart(each, answers):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        with open(answers, "a") as out:
            print(json.dumps(asked(each["name"], each["program"])), file=out, flush=True)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status != 0:
        with open(answers, "a") as out:
            print(json.dumps({"name": each["name"], "refused": "ends the process"}), file=out)


def main(programs, answers):
    done = set()
    if pathlib.Path(answers).exists():
        done = {json.loads(line)["name"] for line in pathlib.Path(answers).read_text().splitlines()}
    for line in pathlib.Path(programs).read_text().splitlines():
        each = json.loads(line)
        if each["name"] not in done:
            asked_apart(each, answers)


main(*sys.argv[1:3])
leave(0)
