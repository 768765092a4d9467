"""Holds the text of a family against models at sizes at which it was not traced."""

from __future__ import annotations

import re
from typing import Any

import torch
from family import BATCH, CLOSE, LENGTH, Family, further_sizes, inputs_of, model_of

from shardboard.holes import plain
from shardboard.proof import difference, ran


def held(family: Family, text: str) -> int:
    """How many configurations give the model's numbers, each with one size twice what it was, or None where it may be.

    A wrong expression, right at the traced sizes by chance, gives other shapes or other numbers here.
    A size that cannot be doubled alone (a head, of which there are as many as fill a width) is doubled
    with the first other one with which it can be. Texts with constants as leaves are passed over.
    Raises ValueError for sizes whose numbers differ.
    """
    if "= Tensor(" in text.split("class ")[0]:
        return 0
    first = {key: values[0] for key, values in family.sizes.items()}
    first.update(dict.fromkeys(family.switches, False))
    whole = [key for key, value in first.items() if type(value) is int]
    count = 0
    for at, key in enumerate(whole):
        for other in [key, *whole[:at], *whole[at + 1:]]:
            keys = {**first, key: 2 * first[key], other: 2 * first[other]}
            if _is_held(family, text, keys, f"twice {key} and {other}"):
                count += 1
                break
    for key in family.optional:
        if not _is_held(family, text, {**first, key: None}, f"no {key}"):
            raise ValueError(f"{family.name}: there is no model with no {key}")
        count += 1
    return count


def _is_held(family: Family, text: str, keys: dict[str, Any], what: str) -> bool:
    """Whether there is a model at a configuration; raises ValueError where the text has other numbers than it."""
    made = _results(family, keys)
    if made is None:
        return False
    model, tensors, wanted = made
    apart = difference(ran(sized(text, {**keys, **further_sizes(family, 0)}), model, tensors, BATCH[0] * LENGTH[0])[: len(wanted)], wanted)
    if apart > CLOSE:
        raise ValueError(f"{family.name}: with {what} numbers differ by {apart:.1e} of the largest")
    return True


def _results(family: Family, keys: dict[str, Any]) -> tuple[torch.nn.Module, list[torch.Tensor], list[torch.Tensor]] | None:
    """The model at a configuration, its inputs and what it gives; nothing where there is no such model."""
    try:
        model = model_of(family, keys)
        kwargs, tensors = inputs_of(family, model.config, 0)
        with torch.no_grad():
            return model, tensors, (family.outputs or (lambda made: [*made.values()][:family.results]))(model(**kwargs))
    except Exception:  # configurations and layers refuse sizes each in a way of its own
        return None


def sized(text: str, keys: dict[str, Any]) -> str:
    """The text at other sizes, in 32 bits."""
    made = re.sub(r"^B, S = .*$|^B = .*$", lambda found: f"B, S = {BATCH[0]}, {LENGTH[0]}", text, count=1, flags=re.M)
    for key, value in keys.items():
        made = re.sub(rf"^{key} = .*$", lambda found, key=key, value=value: f"{key} = {plain(value)}", made, count=1, flags=re.M)
    return made.replace("torch.bfloat16", "torch.float32")
