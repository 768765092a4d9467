"""Runs a text by torch, with the model's own weights, and compares it with the model."""

from __future__ import annotations

from typing import Any

import torch

from .graph import Graph, joined
from .words import namespace


def ran(text: str, model: torch.nn.Module, inputs: list[torch.Tensor], room: int | None = None) -> list[torch.Tensor]:
    """What the text gives, with the weights and buffers of the model at the same paths."""
    names = namespace(inputs, room)
    lines = text.split("\n")
    at = next(k for k, line in enumerate(lines) if line.startswith("model = "))
    exec(compile("\n".join(lines[: at + 1]), "<text>", "exec"), names)
    carry(model, names["model"].eval())
    last = [line for line in lines[at + 1:] if line]
    with torch.no_grad():
        exec(compile("\n".join(last), "<text>", "exec"), names)
    made = last[-1].split(" = ")[0].split(", ")
    return [names[each] for each in made]


def carry(source: torch.nn.Module, target: torch.nn.Module) -> None:
    """The weights and buffers of one model into another at the same paths; every one must be there."""
    weights = dict(source.named_parameters(remove_duplicate=False))
    buffers = dict(source.named_buffers(remove_duplicate=False))
    with torch.no_grad():
        for path, weight in target.named_parameters(remove_duplicate=False):
            if path not in weights or weights[path].shape != weight.shape:
                raise ValueError(f"the text has {path} {tuple(weight.shape)}, and the model has no such weight")
            weight.copy_(weights[path])
        for path, buffer in target.named_buffers(remove_duplicate=False):
            buffer.copy_(buffers[path])
    count = sum(each.numel() for each in source.parameters())
    own = sum(each.numel() for each in target.parameters())
    if own != count:
        raise ValueError(f"the text has {own:,} parameters, the model {count:,}")


def difference(made: list[torch.Tensor], wanted: list[torch.Tensor]) -> float:
    """The largest difference, over the largest magnitude of what is wanted."""
    worst = 0.0
    for a, b in zip(made, wanted, strict=True):
        if a.shape != b.shape:
            return float("inf")
        if a.is_floating_point():
            scale = max(float(b.abs().max()), 1e-30)
            apart = float((a - b).abs().max()) / scale
        else:
            apart = float((a != b).any())
        worst = max(worst, apart if apart == apart else float("inf"))
    return worst
