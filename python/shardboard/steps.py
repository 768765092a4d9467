"""The steps of a module's call, and its body as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .graph import Node
from .holes import shape_of
from .regions import Region


@dataclass
class Body:
    """A call of a module as text. `takes` and `gives` are names of values of the graph."""

    path: str
    args: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    takes: list[str] = field(default_factory=list)
    gives: list[str] = field(default_factory=list)

    def key(self) -> str:
        return shape_of("\n".join([", ".join(self.args), *self.lines]))


@dataclass
class Step:
    """An operator or a call in a body: what it reads and what it makes."""

    reads: list[str]
    makes: list[str]
    node: Node | None = None
    call: Region | None = None


def dotted(path: str) -> str:
    """`layers.3.q` as Python writes it: `layers[3].q`."""
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", path)
