"""MindSpore 2.10's own compiler without any card: its front end, up to shapes and parallelization.

Import it before anything of MindSpore. Private names of 2.10 are used, among them that by which it believes in Ascend.
"""
import ctypes
import glob
import importlib.util
import os
import pathlib
import re
import shutil
import struct
import sys
import tempfile

work = tempfile.mkdtemp()
os.environ.update(
    MS_DEV_PRECOMPILE_ONLY="1", MS_DEV_SAVE_GRAPHS="2", MS_DEV_SAVE_GRAPHS_PATH=f"{work}/graphs", GLOG_v="3", OMP_NUM_THREADS="1"
)

import mindspore as ms  # noqa: E402
import mindspore.communication._comm_helper as comm_helper  # noqa: E402
import mindspore.ops.operations.comm_ops as comm_ops  # noqa: E402
import numpy as np  # noqa: E402
from mindspore import context  # noqa: E402
from mindspore._c_expression import AutoParallelContext, MSContext, ms_ctx_param  # noqa: E402
from mindspore.common.api import _cell_graph_executor  # noqa: E402

core = ctypes.CDLL(str(pathlib.Path(ms.__file__).parent / "lib" / "libmindspore_core.so"))
text = ctypes.create_string_buffer(struct.pack("3q", 6, 6, -1) + b"Ascend")
ascend = ctypes.c_void_p(ctypes.addressof(text) + 24)  # a string of C++ before its ABI of 2011
core._ZN9mindspore9MsContext16RegisterInitFuncERKSsPFvPS0_E(ctypes.byref(ascend), ctypes.CDLL(None).abs)
MSContext.get_instance().set_param(ms_ctx_param.device_target, "Ascend")
comm_helper._HCCL_TEST_AVAILABLE = True
world = [1]


def group_size(group=None, *_, **__):
    """Groups are named by their size; the world has all ranks."""
    named = re.match(r"(\d+)-", str(group))
    return int(named[1]) if named else world[0]


comm_ops.get_group_size = group_size
ms.bfloat16 = ms.float16  # as wide, and it needs no particular version of numpy: nothing is computed here


class StandardError:
    """What the compiler's log says meanwhile."""

    def __enter__(self):
        self.file = tempfile.TemporaryFile()
        sys.stderr.flush()
        self.kept = os.dup(2)
        os.dup2(self.file.fileno(), 2)
        return self

    def __exit__(self, *_):
        os.dup2(self.kept, 2)
        os.close(self.kept)
        self.file.seek(0)
        self.text = self.file.read().decode(errors="replace")


def compiled(plan, devices, rank):
    """The printed graph of one rank behind parallelization, and the layout of every parameter."""
    shutil.rmtree(f"{work}/graphs", ignore_errors=True)
    world[0] = devices
    context.reset_auto_parallel_context()
    context.set_context(mode=context.GRAPH_MODE)
    context.set_auto_parallel_context(
        device_num=devices, global_rank=rank, parallel_mode="semi_auto_parallel", dataset_strategy="full_batch"
    )
    AutoParallelContext.get_instance().set_hccl_test_avaible(True)
    cell = plan.Plan()
    cell.set_train()
    given = [ms.Tensor(np.zeros(shape), dtype) for shape, dtype in plan.INPUTS.values()]
    with StandardError() as log:
        try:
            _cell_graph_executor.compile(cell, *given, phase="train")
        except Exception as error:
            log.fault = error
        else:
            log.fault = None
    if log.fault is not None:
        said = [line for line in log.text.split("\n") if line.startswith(("[ERROR]", "[CRITICAL]")) and "libcu" not in line]
        raise RuntimeError(said[:4] or str(log.fault)[:300])
    found = sorted(glob.glob(f"{work}/graphs/**/*validate*.ir", recursive=True)) or sorted(
        glob.glob(f"{work}/graphs/**/*step_parallel_end*.ir", recursive=True)
    )
    layouts = {name: layout for name, layout in cell.parameter_layout_dict.items()}
    return pathlib.Path(found[-1]).read_text(), layouts


def loaded(path):
    """The module in a file."""
    spec = importlib.util.spec_from_file_location("plan", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["plan"] = module
    spec.loader.exec_module(module)
    return module


def leave(status):
    """Ends the process: the interpreter's own end waits for devices that are not there."""
    shutil.rmtree(work, ignore_errors=True)
    sys.stdout.flush()
    os._exit(status)
