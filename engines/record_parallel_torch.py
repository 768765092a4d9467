"""Writes what PyTorch sends in small parallel programs into the table that holds them.

Usage: python engines/record_parallel_torch.py src/compile/recorded-collectives.json

A row is {name, lines, ranks}; every `{batch}` of its lines stands for the 16 rows of the whole batch, of which
PyTorch gets what one of `ranks` ranks makes. It gets, for the part behind `# step`, the number and the bytes (of
the whole value, not of a rank's part) of each kind of collective, forward and backward, and the shapes that rank 0
holds of parameters and of distributed tensors. A process group that sends nothing stands for 8 ranks.
"""

import json
import sys
import warnings

import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor
from torch.testing._internal.distributed.fake_pg import FakeStore
from torch.utils._python_dispatch import TorchDispatchMode

warnings.filterwarnings("ignore")

BATCH = 16
KINDS = {
    "_allgather_base_": "all-gather",
    "all_gather": "all-gather",
    "allgather": "all-gather",
    "_reduce_scatter_base_": "reduce-scatter",
    "reduce_scatter": "reduce-scatter",
    "all_reduce": "all-reduce",
    "allreduce": "all-reduce",
    "all_to_all": "all-to-all",
    "alltoall": "all-to-all",
}


def size(value):
    if isinstance(value, torch.Tensor):
        return value.numel() * value.element_size()
    return sum(size(each) for each in value) if isinstance(value, (list, tuple)) else 0


class Sent(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.phase = "forward"
        self.seen = {"forward": {}, "backward": {}}

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if DTensor in types:
            return NotImplemented
        out = func(*args, **(kwargs or {}))
        space, name = func.name().split("::")
        kind = next((KINDS[key] for key in KINDS if name.startswith(key)), None)
        if "c10d" in space and kind is not None:
            count, number = self.seen[self.phase].get(kind, (0, 0))
            self.seen[self.phase][kind] = (count + 1, number + max(size(each) for each in (*args, out)))
        return out


def answer(row):
    text = "\n".join(row["lines"]).replace("{batch}", str(BATCH // row["ranks"]))
    head, step = text.split("# step")
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=8)
    torch.manual_seed(0)
    sent, names, own = Sent(), {"__name__": "__main__"}, torch.Tensor.backward

    def backward(*args, **kwargs):
        sent.phase = "backward"
        return own(*args, **kwargs)

    torch.Tensor.backward = backward
    try:
        exec(head, names)
        with sent:
            exec(step, names)
    finally:
        torch.Tensor.backward = own
        dist.destroy_process_group()
    model = names.get("model")
    held = dict(model.named_parameters()) if isinstance(model, torch.nn.Module) else {}
    held |= {name: value for name, value in names.items() if isinstance(value, DTensor)}
    local = {name: value.to_local() if isinstance(value, DTensor) else value for name, value in held.items()}
    return {**sent.seen, "shapes": {name: list(value.shape) for name, value in local.items()}}


def written(row):
    lines = ",\n".join(f"      {json.dumps(line)}" for line in row["lines"])
    rest = {key: value for key, value in row.items() if key not in ("name", "lines")}
    fields = [f'    "name": {json.dumps(row["name"])}', f'    "lines": [\n{lines}\n    ]']
    fields += [f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in rest.items()]
    return "  {\n" + ",\n".join(fields) + "\n  }"


def main(path):
    with open(path) as file:
        rows = json.load(file)
    rows = [{key: row[key] for key in ("name", "lines", "ranks")} | answer(row) for row in rows]
    with open(path, "w") as file:
        file.write("[\n" + ",\n".join(map(written, rows)) + "\n]\n")


if __name__ == "__main__":
    main(sys.argv[1])
