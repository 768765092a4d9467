"""Makes the operators of one equation of a jaxpr."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax

from .graph import Ref, Size

#: The open sizes by the texts that stand for them, of the function that is recorded.
SYMBOLS: dict[str, Any] = {}


def remember(symbols: dict[str, Any]) -> None:
    """Takes note of the open sizes of a function."""
    SYMBOLS.clear()
    SYMBOLS.update(symbols)


def sizes_of(shape: list[Any]) -> list[Any]:
    """A shape as JAX has it."""
    return [SYMBOLS[each.text] if isinstance(each, Size) else each for each in shape]


@dataclass(frozen=True)
class Filled:
    """One number everywhere, of a shape; no operator of the text until somebody needs the tensor."""

    value: Any
    shape: Any


class Maker:
    """Makes the operators of one equation."""

    def __init__(self, recorder: Any, eqn: Any, values: list[Any], stack: list[tuple[str, str]]) -> None:
        self.recorder, self.eqn, self.values, self.stack = recorder, eqn, values, stack
        self.params = eqn.params
        self.out = eqn.outvars[0].aval if eqn.outvars else None

    def shape(self, at: int = 0) -> list[Any]:
        """The shape of an operand."""
        return self.recorder.shape(self.eqn.invars[at].aval.shape)

    def result(self) -> list[Any]:
        """The shape of the result."""
        return self.recorder.shape(self.out.shape)

    def tensor(self, at: int) -> Ref:
        """An operand as a tensor."""
        value = self.values[at]
        return value if isinstance(value, Ref) else self.make("full", [self.shape(at), value.value], self.eqn.invars[at].aval)

    def make(self, op: str, args: list[Any], aval: Any = None, **kwargs: Any) -> Ref:
        """A new operator, of the result's shape and type unless another is given."""
        return self.recorder.node(op, args, self.out if aval is None else aval, self.stack, **kwargs)

    def shaped(self, op: str, args: list[Any], shape: Any, dtype: Any = None) -> Ref:
        """A new operator of a shape."""
        return self.make(op, args, jax.core.ShapedArray(tuple(shape), dtype or self.out.dtype))

    def opaque(self) -> list[Any]:
        """An operator that has no word, under JAX's own name."""
        args = [value if isinstance(value, Ref) else value.value for value in self.values]
        if len(self.eqn.outvars) == 1:
            return [self.make(f"jax::{self.eqn.primitive.name}", args)]
        whole = self.recorder.node(f"jax::{self.eqn.primitive.name}", args, None, self.stack)
        return [self.recorder.node("getitem", [whole, at], each.aval, self.stack) for at, each in enumerate(self.eqn.outvars)]
