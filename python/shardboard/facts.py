"""What is known of a constant: that it is a rotary angle's cosine, a causal mask, one number."""

from __future__ import annotations

from typing import Any

import torch


def fact_of(value: torch.Tensor, bases: list[float]) -> dict[str, Any]:
    """What a constant tensor is, in words; empty where it is nothing that has a word.

    `bases` are those that angles of the model have.
    """
    if value.device.type == "meta" or value.is_sparse or value.dtype.is_complex:
        return {}
    if value.numel() == 1:
        return {"value": value.item()}
    if value.dtype == torch.bool:
        return _mask(value) or {"hides": seen for seen in [_mask(~value)] if seen.get("mask") == "causal"}
    if value.dim() >= 2 and value.is_floating_point():
        return _mask(value) or _turn(value, bases)
    return {}


def _square(value: torch.Tensor) -> torch.Tensor | None:
    if value.dim() < 2 or value.shape[-1] != value.shape[-2] or value.shape[-1] < 2:
        return None
    flat = value.reshape(-1, *value.shape[-2:])
    return flat[0] if bool((flat == flat[:1]).all()) else None


def _mask(value: torch.Tensor) -> dict[str, Any]:
    if bool(value.all() if value.dtype == torch.bool else (value == 0).all()):
        return {"mask": "none"}
    square = _square(value)
    if square is None:
        return {}
    if square.dtype != torch.bool:
        low = torch.finfo(square.dtype).min
        if not bool(((square == 0) | (square <= low)).all()):
            return {}
        square = square == 0
    size = square.shape[-1]
    causal = torch.ones(size, size, dtype=torch.bool).tril()
    if bool((square == causal).all()):
        return {"mask": "causal"}
    window = int(square[-1].sum())
    if bool((square == causal.triu(1 - window)).all()):
        return {"mask": "causal", "window": window}
    return {}


def base_of(value: torch.Tensor) -> float | None:
    """The base of `base^(-i/n)`, if the values are that: the angles of a rotary embedding."""
    if not value.is_floating_point() or value.numel() < 2 or value.numel() != max(value.shape):
        return None
    turns = value.double().flatten()
    if turns[0] != 1 or not 0 < float(turns[1]) < 1:
        return None
    # The last turn says it best: of it the base is hardly a power.
    base = float(turns[-1]) ** (-turns.numel() / (turns.numel() - 1))
    base = float(round(base)) if abs(base - round(base)) < 1e-3 * base else base
    wanted = base ** (-torch.arange(turns.numel(), dtype=torch.float64) / turns.numel())
    return base if bool(((turns - wanted).abs() < 1e-5 * wanted).all()) else None


def _turn(value: torch.Tensor, bases: list[float]) -> dict[str, Any]:
    """Whether it is cos or sin of `position · base^(-2i/d)`, each angle once or twice along d."""
    while value.dim() > 2 and value.shape[-2] == 1:
        value = value.squeeze(-2)
    if not value.is_floating_point() or value.dim() < 2 or value.shape[-2] < 2:
        return {}
    flat = value.reshape(-1, *value.shape[-2:])
    if not bool((flat == flat[:1]).all()):
        return {}
    plane, (places, width) = flat[0].double(), value.shape[-2:]
    word = "cos" if bool((plane[0] == 1).all()) else "sin" if bool((plane[0] == 0).all()) else ""
    for base in bases if word else ():
        for halves in (2, 1):
            if width % halves == 0 and _turns(plane, base, width // halves, halves, word, places):
                return {"turn": word, "base": base, "halves": halves}
        if width % 2 == 0 and bool((plane[:, ::2] == plane[:, 1::2]).all()) and _turns(plane[:, ::2], base, width // 2, 1, word, places):
            return {"turn": word, "base": base, "halves": "pairs"}
    return {}


def _turns(plane: torch.Tensor, base: float, pairs: int, halves: int, word: str, places: int) -> bool:
    turns = base ** (-torch.arange(pairs, dtype=torch.float64) / pairs)
    angle = torch.outer(torch.arange(places, dtype=torch.float64), turns).repeat(1, halves)
    return bool((getattr(torch, word)(angle) - plane).abs().max() < 2e-5)
