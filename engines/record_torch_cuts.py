"""Writes which dims of functions PyTorch can work on in pieces into the table that holds them.

Usage: python engines/record_torch_cuts.py src/systems/torch/library/torch-cuts.json

A row has `forms`, calls that mean the same, of the table's `operands`. It gets `cuts`: for every letter of
their dims what pieces along it make of each result: the dim along which they stand one behind the other,
`same` (each is the whole), the way in which they combine (`sum`, `mean`, `max`, `min`, `prod`), or `whole`:
pieces do not make it. A form that PyTorch does not run, or that gives something else, is a fault.
"""

import json
import re
import sys
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

warnings.filterwarnings("ignore")
PIECES = 4
COMBINED = {
    "sum": lambda parts: parts.sum(0),
    "mean": lambda parts: parts.mean(0),
    "max": lambda parts: parts.amax(0),
    "min": lambda parts: parts.amin(0),
    "prod": lambda parts: parts.prod(0),
}


def made(shape, kind, generator):
    normal = torch.randn(shape, generator=generator, dtype=torch.float64)
    if kind == "unit":
        return torch.rand(shape, generator=generator, dtype=torch.float64) * 0.8 + 0.1
    if kind == "bool":
        return normal > 0
    if kind == "range":
        return torch.arange(shape[0])
    if kind == "sorted":
        return normal.sort().values
    if kind == "definite":
        return normal @ normal.mT + torch.eye(shape[-1], dtype=torch.float64)
    if kind.startswith("index"):
        return torch.randint(0, int(kind.split()[1]), shape, generator=generator)
    return normal


def run(form, values):
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float64)
    out = eval(form, {"torch": torch, "nn": nn, "F": F, **values})
    return [each.detach() for each in ([out] if isinstance(out, torch.Tensor) else out)]


def same(a, b):
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if not (a.is_floating_point() or a.is_complex()):
        return torch.equal(a, b)
    near = 1e-3 if a.dtype in (torch.half, torch.bfloat16) else 1e-9
    return torch.allclose(a, b, rtol=near, atol=1e-9, equal_nan=True)


def verdict(whole, parts):
    for dim in range(whole.dim()):
        if all(part.dim() == whole.dim() for part in parts):
            shapes = {tuple(s for at, s in enumerate(part.shape) if at != dim) for part in parts}
            if len(shapes) == 1 and same(torch.cat(parts, dim), whole):
                return str(dim)
    if all(same(part, whole) for part in parts):
        return "same"
    if any(part.shape != whole.shape for part in parts):
        return "whole"
    for name, combine in COMBINED.items():
        try:
            if same(combine(torch.stack(parts)).to(whole.dtype), whole):
                return name
        except RuntimeError:
            continue
    return "whole"


def used(form, operands):
    return [name for name in operands if re.search(rf"(?<![\w.]){name}(?!\w|\s*=[^=])", form)]


def answer(row, table, values):
    first, *others = row["forms"]
    whole = run(first, values)
    for form in others:
        if not all(map(same, run(form, values), whole)):
            raise ValueError(f"{form} is not {first}")
    names = used(first, table["operands"])
    dims = {name: table["operands"][name]["dims"].split() for name in names}
    cuts = {}
    for cut in dict.fromkeys(letter for name in names for letter in dims[name] if letter in table["sizes"]):

        def piece(name, at):
            value = values[name]
            for dim, letter in enumerate(dims[name]):
                value = value.chunk(PIECES, dim)[at] if letter == cut else value
            return value.contiguous()

        try:
            parts = [run(first, {name: piece(name, at) for name in names}) for at in range(PIECES)]
            results = zip(whole, *parts, strict=True)
            cuts[cut] = " ".join(verdict(each, list(pieces)) for each, *pieces in results)
        except (RuntimeError, ValueError, IndexError, AssertionError):
            cuts[cut] = "whole"
    return {**({"results": len(whole)} if len(whole) > 1 else {}), "cuts": cuts}


def main(path):
    with open(path) as file:
        table = json.load(file)
    generator = torch.Generator().manual_seed(0)
    sizes = table["sizes"]
    values = {
        name: made([sizes.get(d) or int(d) for d in each["dims"].split()], each["values"], generator)
        for name, each in table["operands"].items()
    }
    for row in table["rows"]:
        row.update(answer(row, table, values))
    with open(path, "w") as file:
        json.dump(table, file, indent=2, ensure_ascii=False)
        file.write("\n")


main(sys.argv[1])
