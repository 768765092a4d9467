"""Values inside a text that is being written: sizes, flags and factors that may become names.

A text holds a mark for each; `filled` writes the values in. Texts that differ only in values have
one `shape_of`, so equal classes are found and sizes can be explained later.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_MARK = re.compile("\ue000(\\d+)\ue001")


@dataclass(frozen=True)
class Hole:
    """A value, and the word for it where it becomes an argument."""

    value: Any
    hint: str = "size"


@dataclass(frozen=True)
class Ctor:
    """A call of a class that the text defines: its name and the values that it is given."""

    name: str
    keys: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()


@dataclass(frozen=True)
class ByIndex:
    """A value that depends on the place in a list of layers."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class Name:
    """An argument of the class that the text stands in."""

    text: str


class Holes:
    """Makes marks and remembers what they stand for."""

    def __init__(self) -> None:
        self._made: list[Hole] = []

    def mark(self, value: Any, hint: str = "size") -> str:
        self._made.append(Hole(value, hint))
        return f"\ue000{len(self._made) - 1}\ue001"

    def of(self, text: str) -> list[Hole]:
        """What stands in a text, in order."""
        return [self._made[int(at)] for at in _MARK.findall(text)]

    def filled(self, text: str, write: Callable[[Hole, int], str]) -> str:
        """The text with every mark written out; `write` gets the hole and its place among them."""
        count = iter(range(1 << 30))
        return _MARK.sub(lambda found: write(self._made[int(found[1])], next(count)), text)


def shape_of(text: str) -> str:
    """The text without its values."""
    return _MARK.sub("\ue000", text)


def plain(value: Any) -> str:
    """A value as Python writes it."""
    if isinstance(value, Name):
        return value.text
    if isinstance(value, float) and (value in (float("inf"), -float("inf")) or value != value):
        return f'float("{value}")'
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(plain(each) for each in value) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, str):
        return f'"{value}"'
    return repr(value)
