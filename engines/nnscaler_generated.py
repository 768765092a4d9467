"""Has nnScaler 0.8 generate its code on a processor, and reads from the code what every rank does.

nnScaler says `torch<=2.6`; on a newer one two of its patches need another signature, which `patched` gives them.
"""
import ast
import importlib.util
import os
import pathlib
import socket
import sys
import types

import nnscaler
import nnscaler.profiler.timer
import torch
import torch.multiprocessing
from nnscaler.graph.tracer import concrete_tracer, torch_fx_patcher


def patched():
    tracer, patcher = concrete_tracer.ConcreteTracer, torch_fx_patcher.TorchFXPatcher
    leaves, impure = tracer.get_wrapped_leaves, patcher.is_impure_new
    is_binding = lambda f: str(getattr(f, "__qualname__", "")).startswith("pybind11_detail_function_record")
    tracer.get_wrapped_leaves = lambda self, functions, classes: leaves(
        self, {f: how for f, how in functions.items() if not is_binding(f)}, classes
    )
    patcher.is_impure_new = staticmethod(lambda node, impure_random=True: impure(node))


def loaded(path):
    """A file as a module: nnScaler registers no functions of __main__."""
    sys.path.insert(0, str(pathlib.Path(path).parent))
    name = pathlib.Path(path).stem
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def generated(module, policy, given, devices, folder, folds=False):
    """The text of every rank's generated module; folds: sizes that a forward asks of tensors are constants."""
    config = nnscaler.ComputeConfig(devices, devices, trace_strategy="cpu", constant_folding=folds)
    options = {"gen_savedir": folder, "reuse": "override", "load_module": False}
    nnscaler.parallelize(module, given, policy, config, **options)
    files = sorted(pathlib.Path(folder).glob("**/gencode*.py"), key=lambda path: int(path.stem[len("gencode") :]))
    return [path.read_text() for path in files]


# What a differentiable pair does forward, and to the gradient.
PAIRS = {
    "allreduce_identity": (["all-reduce"], []),
    "identity_allreduce": ([], ["all-reduce"]),
    "allreduce_allreduce": (["all-reduce"], ["all-reduce"]),
    "allgather_reducescatter": (["all-gather"], ["reduce-scatter"]),
    "reducescatter_allgather": (["reduce-scatter"], ["all-gather"]),
    "allgather_split": (["all-gather"], ["chunk"]),
    "split_allgather": (["chunk"], ["all-gather"]),
    "alltoall_alltoall": (["all-to-all"], ["all-to-all"]),
}
PRIMITIVES = {"all_gather": "all-gather", "all_reduce": "all-reduce", "reduce_scatter": "reduce-scatter"}
PRIMITIVES |= {"all_to_all": "all-to-all", "chunk": "chunk"}


def adapter_calls(function):
    """Name and keywords of every call into nnScaler's adapters or into adapters of the file, in order."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        name = ast.unparse(call.func)
        if name.startswith("nnscaler.runtime.adapter."):
            yield name.removeprefix("nnscaler.runtime.adapter."), call
        elif name.endswith(".apply") or "adapter" in name.lower():
            yield name, call


def step_of(op, keywords, is_back=False):
    """(primitive, dims, ranks); of an all-to-all the dim that grows stands first. Groups of PyTorch count their ranks up however they are named."""
    if op == "all-to-all":
        dims = [keywords["idim"], keywords["odim"]]
        return op, tuple(reversed(dims) if is_back else dims), tuple(sorted(keywords["ranks"]))
    return op, (() if op == "all-reduce" else (keywords["dim"],)), tuple(sorted(keywords["ranks"]))


def keywords_of(call):
    return {each.arg: ast.literal_eval(each.value) for each in call.keywords if each.arg in ("dim", "idim", "odim", "ranks")}


def steps_in(function):
    """The plain primitives that a function calls."""
    found = []
    for name, call in adapter_calls(function):
        if name in PRIMITIVES:
            found.append(step_of(PRIMITIVES[name], keywords_of(call)))
        elif name != "identity":
            found.append((name, (), ()))
    return found


def adapters_of(text):
    """Of one rank, in order: what each adapter does forward and to the gradient."""
    tree = ast.parse(text)
    classes = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    own = {}
    for name, node in classes.items():
        if name != "GenModel":
            parts = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
            own[name] = steps_in(parts["forward"]), steps_in(parts["backward"])
    found = []
    for function in classes["GenModel"].body:
        if not isinstance(function, ast.FunctionDef) or function.name.startswith("_") or function.name == "train_step":
            continue
        for name, call in adapter_calls(function):
            if name.startswith("nn."):
                forward, backward = PAIRS[name[3:]]
                keywords = keywords_of(call)
                pair = [step_of(op, keywords) for op in forward], [step_of(op, keywords, True) for op in backward]
                found.append(pair)
            elif name.removesuffix(".apply").removeprefix("self.") in own:
                found.append(own[name.removesuffix(".apply").removeprefix("self.")])
            elif name in PRIMITIVES:
                found.append(([step_of(PRIMITIVES[name], keywords_of(call))], []))
            elif name != "identity":
                found.append(([(name, (), ())], []))
    return found


def slices_of(text):
    """By weight, the range of every dim that a rank keeps."""
    found, names = {}, {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "self.add_full_map":
            attribute, _, _, name, _, slices, _ = node.args
            names[attribute.value] = name.value
            pieces = slices.elts if isinstance(slices, ast.Tuple) else []
            found[name.value] = [[piece.args[0].value, piece.args[1].value] for piece in pieces]
    return found, names


def reducers_of(text):
    """By weight, the ranks that add up its gradient."""
    _, names = slices_of(text)
    ranks, found = {}, {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assign) and "Reducer(" in ast.unparse(node.value):
            ranks[ast.unparse(node.targets[0])] = keywords_of(node.value)["ranks"]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".add_param"):
            reducer = ast.unparse(node.func).removesuffix(".add_param")
            found[names[ast.unparse(node.args[0]).removeprefix("self.")]] = list(ranks[reducer])
    return found


def on_host():
    """Lets the generated code run on a processor: what asks for a card is answered by one."""
    nothing = lambda *_, **__: None
    for name in ("set_device", "synchronize", "empty_cache", "default_stream"):
        setattr(torch.cuda, name, nothing)
    torch.cuda.current_device = lambda: "cpu"
    torch.cuda.get_device_properties = lambda *_: types.SimpleNamespace(total_memory=0)
    torch.Tensor.cuda = torch.nn.Module.cuda = lambda self, *_, **__: self
    nnscaler.profiler.timer.CudaTimer.start = nnscaler.profiler.timer.CudaTimer.stop = nothing


def run_of_rank(work, rank, ranks, port, folder):
    """One rank of a run on a host: its own failure is the answer."""
    os.chdir(folder)
    here = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": ranks, "LOCAL_WORLD_SIZE": ranks, "GROUP_RANK": 0}
    here |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "TORCHELASTIC_RUN_ID": "host"}
    os.environ.update({name: str(value) for name, value in here.items()})
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo")
    on_host()
    work()


def run_on_host(work, ranks, folder):
    """Whether `work` ends well on all ranks, which are forks of this process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    context = torch.multiprocessing.get_context("fork")
    runs = [context.Process(target=run_of_rank, args=(work, rank, ranks, port, folder)) for rank in range(ranks)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    return all(run.exitcode == 0 for run in runs)
