"""Runs the text of a JAX function by torch, with JAX's numbers, and compares what both give."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from .proof import difference
from .text import Text
from .words import namespace


def difference_of(alone: str, text: Text, recorder: Any, wanted: list[Any]) -> float:
    """How far the text is from what JAX gave, over the largest number."""
    leaves = [recorder.values[name] for name in text.bodies.constants]
    inputs = [leaf.value for leaf in recorder.found.leaves if leaf.kind == "input"]
    names = namespace([_tensor(each) for each in (*leaves, *inputs)])
    lines = alone.split("\n")
    at = next(k for k, line in enumerate(lines) if line.startswith("model = "))
    exec(compile("\n".join(lines[: at + 1]), "<text>", "exec"), names)
    model = names["model"]
    with torch.no_grad():
        for path, weight in [*model.named_parameters(), *model.named_buffers()]:
            weight.copy_(_tensor(recorder.weights[path]))
        last = [line for line in lines[at + 1:] if line]
        exec(compile("\n".join(last), "<text>", "exec"), names)
    made = [names[each] for each in last[-1].split(" = ")[0].split(", ")]
    outputs = [_tensor(each) for each in wanted]
    if len(made) != len(outputs):
        return float("inf")
    return difference([each.to(want.dtype) for each, want in zip(made, outputs)], outputs)


def _tensor(value: Any) -> torch.Tensor:
    array = np.asarray(value)
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.astype(np.float32)).to(torch.bfloat16)
    if array.dtype.kind in "iu" and array.dtype.name not in ("uint8",):
        return torch.from_numpy(array.astype(np.int64))
    return torch.from_numpy(np.array(array))
