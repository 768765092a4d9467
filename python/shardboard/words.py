"""The words of a program text as torch runs them: what the text means, on one device."""

from __future__ import annotations

from typing import Any

import torch


def rotary(x: torch.Tensor, dim: int = -2, base: float = 10000.0, interleaved: bool = False) -> torch.Tensor:
    """Turns the pairs (i, i + d/2) of the last dim by position · base^(-2i/d), positions along `dim`.

    With `interleaved` the pairs are neighbours, (2i, 2i + 1).
    """
    half = x.shape[-1] // 2
    turns = base ** (-torch.arange(half, dtype=torch.float32, device=x.device) / half)
    angle = torch.outer(torch.arange(x.shape[dim], dtype=torch.float32, device=x.device), turns)
    shape = [1] * x.dim()
    shape[dim], shape[-1] = x.shape[dim], half
    cos, sin = angle.cos().view(shape).to(x.dtype), angle.sin().view(shape).to(x.dtype)
    first, second = (x[..., ::2], x[..., 1::2]) if interleaved else (x[..., :half], x[..., half:])
    if interleaved:
        return torch.stack((first * cos - second * sin, second * cos + first * sin), dim=-1).flatten(-2)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)


def slots(gates: torch.Tensor) -> torch.Tensor:
    """The slot that each token takes at each expert, by its place among the tokens of its group."""
    routed = (gates > 0).to(torch.int64)
    return routed.cumsum(-2) - routed


def moe_dispatch(x: torch.Tensor, gates: torch.Tensor, capacity: int) -> torch.Tensor:
    """Tokens `g t d` to the slots of their experts, `e g c d`; slots that nobody takes are 0."""
    taken = torch.nn.functional.one_hot(slots(gates).clamp(max=capacity), capacity + 1)[..., :capacity]
    sent = taken.to(x.dtype) * (gates > 0).to(x.dtype).unsqueeze(-1)
    return torch.einsum("gtec,gtd->egcd", sent, x)


def moe_combine(made: torch.Tensor, gates: torch.Tensor) -> torch.Tensor:
    """What the experts made, `e g c d`, back to the tokens, weighted by their gates."""
    capacity = made.shape[2]
    taken = torch.nn.functional.one_hot(slots(gates).clamp(max=capacity), capacity + 1)[..., :capacity]
    return torch.einsum("gtec,gte,egcd->gtd", taken.to(made.dtype), gates.to(made.dtype), made)


def namespace(inputs: list[torch.Tensor], room: int | None = None) -> dict[str, Any]:
    """The names that a text reads. `room` gives every expert so many slots, so that no token is left out."""
    given = iter(inputs)

    def dispatch(x: torch.Tensor, gates: torch.Tensor, capacity: int) -> torch.Tensor:
        return moe_dispatch(x, gates, room if room is not None else capacity)

    return {
        "Mesh": lambda **axes: None,
        "Tensor": lambda shape, dtype="f32": next(given),
        "place": lambda x, layout: x,
        "layout": lambda *dims: None,
        "rotary": rotary,
        "moe_dispatch": dispatch,
        "moe_combine": moe_combine,
    }
