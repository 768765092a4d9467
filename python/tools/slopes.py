"""Slopes of attention with linear biases, by one formula for every number of heads.

The classes of transformers make them in parts, of which there are as many as the number of heads has.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from transformers.models.bloom import modeling_bloom
from transformers.models.mpt import modeling_mpt

#: Of so many heads the slopes go down evenly: the largest power of two that is not above their number.
WHOLE = "2 ** (len(bin({})) - 3)"


def _slopes(heads: int, device: torch.device | None = None) -> torch.Tensor:
    """2^(−8 i / w) for i = 1, …, w, and for the heads behind those w between the first ones: i = 1/2, 3/2, …"""
    whole, at = 1 << (heads.bit_length() - 1), torch.arange(heads, device=device)
    return 2.0 ** (torch.where(at < whole, at + 1, at - whole + 0.5) * -8 / whole)


def _biases(heads: int, length: int, _: int = 8, device: torch.device | None = None) -> torch.Tensor:
    """MPT's biases of the last position of the longest row."""
    return _slopes(heads, device)[:, None, None] * (torch.arange(length, device=device) - length + 1)


@contextmanager
def slopes_by_formula() -> Iterator[None]:
    """While it lasts, models are recorded with the formula; what they give without it is held against the text."""
    made = [(modeling_bloom, "_get_alibi_slopes", _slopes), (modeling_mpt, "build_mpt_alibi_tensor", _biases)]
    before = [getattr(module, name) for module, name, _ in made]
    for module, name, function in made:
        setattr(module, name, function)
    try:
        yield
    finally:
        for (module, name, _), function in zip(made, before):
            setattr(module, name, function)
