"""`trace` of a JAX function: its jaxpr as a program text, which torch runs with JAX's numbers."""

from __future__ import annotations

import warnings
from typing import Any

import jax
import numpy as np
from jax import export

from .graph import Graph
from .jax_modules import Given, given, watched
from .jax_maker import remember
from .jax_record import Recorder
from .jax_shardings import spread_of
from .jax_words import WORDS, as_written
from .layout import reflowed
from .spread import Spread
from .steps import dotted
from .text import Text

#: How far the text's numbers may be from JAX's, over the largest of them.
CLOSE = 1e-4


class NotAlike(ValueError):
    """The text gives other numbers than the function, in the long form too."""


def trace(fn: Any, *args: Any, mesh: str = "dp=8, tp=8", prove: bool = True, **kwargs: Any) -> str:
    """The program text of `fn(*args, **kwargs)`: a function, or a module of Flax (NNX, Linen).

    Arrays by themselves are inputs; the arrays of containers and of modules are weights at their
    paths. The first size of inputs, and the second of integer ones, stay open where JAX can leave
    them. With torch installed the text is run with JAX's numbers; a word that gives others is taken
    back. `NamedSharding` of arguments and `with_sharding_constraint` are written as `place`.

    Raises NotAlike where the long form differs too.
    """
    found = given(fn, args, kwargs)
    with watched(found):
        closed, sizes = _traced(found)

    def graph(words: set[str]) -> tuple[Graph, Recorder]:
        recorder = Recorder(found, closed, sizes)
        return as_written(recorder.graph(), words), recorder

    every = set(WORDS)
    made, recorder = graph(every)
    split = spread_of(found, recorder)
    form = _Form(found, recorder, mesh, sizes, split)
    unknown = [node.op for node in made.nodes if node.op.startswith("jax::")]
    if not prove or unknown or not _has_values(found) or not _has_torch():
        why = "it has operators without a word" if unknown else "it has no values" if not _has_values(found) else "torch is not installed" if prove else ""
        return form.written(Text(made), f"Not run beside the function{f': {why}' if why else ''}.")
    return _proved(form, graph)


def _proved(form: _Form, graph: Any) -> str:
    from .jax_proof import difference_of

    wanted = jax.tree_util.tree_leaves(form.found.call(*(leaf.value for leaf in form.found.leaves)))
    best, every = "", set(WORDS)
    for words in (every, *(every - {word} for word in sorted(every)), set()):
        made, recorder = graph(words)
        text = Text(made)
        apart = difference_of(form.alone(text), text, recorder, wanted)
        best = best or f"{apart:.1e}"
        if apart <= CLOSE:
            left = sorted(every - words)
            note = f"Run beside the function: numbers within {apart:.1e} of the largest."
            return form.written(text, note + (f" Written out: {', '.join(left)}." if left else ""))
    raise NotAlike(f"the text differs from the function by {best} of the largest number")


def _traced(found: Given) -> tuple[Any, dict[str, int]]:
    """The jaxpr with open sizes, or with numbers where the function wants them or has words only then."""
    plain = [jax.ShapeDtypeStruct(leaf.value.shape, leaf.value.dtype) for leaf in found.leaves]
    sizes, opened = _open_sizes(found), None
    if sizes:
        try:
            symbols = dict(zip(sizes, export.symbolic_shape(", ".join(sizes))))
            remember(symbols)
            given_ = [_opened(leaf, symbols, sizes) if leaf.kind == "input" else each for leaf, each in zip(found.leaves, plain)]
            opened = jax.make_jaxpr(found.call)(*given_)
            unknown = _unknown(Recorder(found, opened, sizes))
            if unknown == 0:
                return opened, sizes
        except Exception:  # JAX raises many kinds where a size cannot stay open
            opened = None
    remember({})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        closed = jax.make_jaxpr(found.call)(*plain)
    if opened is not None and _unknown(Recorder(found, closed, {})) >= unknown:
        remember(symbols)
        return opened, sizes
    return closed, {}


def _unknown(recorder: Recorder) -> int:
    """How many operators have no word."""
    return sum(node.op.startswith("jax::") for node in recorder.graph().nodes)


def _open_sizes(found: Given) -> dict[str, int]:
    """`B` and `S`: the first size of inputs, and the second of integer ones."""
    sizes: dict[str, int] = {}
    for leaf in found.leaves:
        if leaf.kind != "input":
            continue
        for at, name in enumerate("BS"[: 2 if np.issubdtype(leaf.value.dtype, np.integer) else 1]):
            if at < len(leaf.value.shape) and leaf.value.shape[at] > 1:
                sizes.setdefault(name, leaf.value.shape[at])
    return sizes


def _opened(leaf: Any, symbols: dict[str, Any], sizes: dict[str, int]) -> Any:
    shape = list(leaf.value.shape)
    for at, name in enumerate("BS"[: 2 if np.issubdtype(leaf.value.dtype, np.integer) else 1]):
        if at < len(shape) and sizes.get(name) == shape[at]:
            shape[at] = symbols[name]
    return jax.ShapeDtypeStruct(tuple(shape), leaf.value.dtype)


def _has_values(found: Given) -> bool:
    return all(hasattr(leaf.value, "__array__") for leaf in found.leaves)


def _has_torch() -> bool:
    try:
        import torch  # noqa: F401
    except ImportError:
        return False
    return True


class _Form:
    """What a text is written with besides its graph."""

    def __init__(self, found: Given, recorder: Recorder, mesh: str, sizes: dict[str, int], split: Spread | None) -> None:
        self.found, self.mesh, self.split = found, mesh, split
        self.count = sum(int(np.prod(shape)) if shape else 1 for shape, _ in recorder.parameters.values())
        self.sizes = f"{', '.join(sizes)} = {', '.join(map(str, sizes.values()))}\n" if sizes else ""
        self.listed = recorder.listed
        kinds = {dtype for _, dtype in recorder.parameters.values()}
        if len(kinds) > 1:
            raise NotImplementedError(f"weights of several types are not written yet: {', '.join(sorted(kinds))}")
        self.dtype = "" if kinds <= {"float32"} else f".to(torch.{next(iter(kinds))})"

    def written(self, text: Text, note: str) -> str:
        """The text as it is given."""
        lines = [f"{self.found.title}, {self.count:,} parameters, traced by JAX {jax.__version__}.", note]
        for name, places in text.unknown.items():
            lines.append(f"No word for {name.replace('::', '.')}: {len(places)} times, first in {places[0]}.")
        lines += [f"{before} stands as {dotted(after)} here." for before, after in list(self.listed.items())[:1]]
        lines += self.split.left_out(text.paths()) if self.split is not None else []
        made = text.written(title="".join(f"# {line}\n" for line in lines), sizes=self.sizes, dtype=self.dtype, mesh=self.mesh, spread=self.split)
        return reflowed(made)

    def alone(self, text: Text) -> str:
        """The text as torch runs it."""
        return text.written(sizes=self.sizes, dtype=self.dtype)
