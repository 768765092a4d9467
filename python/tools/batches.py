"""Methods of a text that say the batch: they take it from what they are given, so that a part of it will do."""

from __future__ import annotations

import re

_METHOD = re.compile(r"( {4}def forward\(self, (\w+)[^\n]*\):\n)((?:(?: {8}[^\n]*)?\n)+)")


def own_batch(text: str) -> str:
    """The text with `B = x.shape[0]` in each method of a layer that names B, and N alike.

    The first argument of a layer has the batch in front, or all tokens of it where the layer takes them
    apart; of another one the text does not run.
    """
    return _METHOD.sub(_with_own, text)


def _with_own(found: re.Match) -> str:
    head, given, body = found.groups()
    named = [name for name in ("B", "N") if re.search(rf"(?<![.\w]){name}(?!\w)", body)]
    # Where rows are chosen from, a layer has more of them than the batch.
    if re.search(r"(?<![.\w])C(?!\w)", body):
        return found[0]
    if len(named) != 1 or f"        {named[0]} = " in body:
        return found[0]
    rows = f"{given}.shape[0] // S" if f"{given}.view({named[0]}, -1," in body else f"{given}.shape[0]"
    return f"{head}        {named[0]} = {rows}\n{body}"
