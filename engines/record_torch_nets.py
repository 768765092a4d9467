"""Writes what PyTorch says of small nets into the table that holds them, beside each net.

Usage: python engines/record_torch_nets.py src/systems/torch/library/torch-nets.json

A row is {about, lines}; it gets `shapes` (of every tensor that a variable holds, and of tuples of them),
`parameters` (the elements of every module that a variable holds) or `refused` (what PyTorch raises).
The program runs on the CPU, since some of them read values.
"""

import contextlib
import io
import json
import sys
import warnings

import torch

warnings.filterwarnings("ignore")


def answer(lines):
    names = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            exec("\n".join(lines), names)
        except Exception as fault:
            return {"refused": type(fault).__name__}
    shapes, parameters = {}, {}
    for name, value in names.items():
        if isinstance(value, torch.Tensor):
            shapes[name] = list(value.shape)
        elif isinstance(value, torch.nn.Module):
            parameters[name] = sum(each.numel() for each in value.parameters())
    return {"shapes": shapes, **({"parameters": parameters} if parameters else {})}


def written(row):
    fields = [f"    {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in row.items() if key != "lines"]
    lines = ",\n".join(f"      {json.dumps(line, ensure_ascii=False)}" for line in row["lines"])
    fields.insert(1, f'    "lines": [\n{lines}\n    ]')
    return "  {\n" + ",\n".join(fields) + "\n  }"


def main(path):
    with open(path) as table:
        rows = json.load(table)
    for row in rows:
        given = {key: row[key] for key in ("about", "lines", "unread") if key in row}
        row.clear()
        row.update({**given, **answer(given["lines"])})
    with open(path, "w") as table:
        table.write("[\n" + ",\n".join(written(row) for row in rows) + "\n]\n")


main(sys.argv[1])
