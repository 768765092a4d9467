"""`trace`: a PyTorch model as a program text, which is run beside the model before it is given."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import torch

from .graph import Graph
from .hub import experts_as_words
from .layout import reflowed
from .parallel import spread_of, whole, whole_input
from .patterns import WORDS
from .proof import difference, ran
from .record import record
from .spread import Spread
from .text import Text

#: How far the text's numbers may be from the model's, over the largest of them, by type of number.
CLOSE = {torch.float64: 1e-9, torch.float32: 1e-4, torch.bfloat16: 0.1, torch.float16: 0.02}


class NotAlike(ValueError):
    """The text gives other numbers than the model, in the long form too."""


def trace(model: torch.nn.Module, *args: Any, mesh: str = "dp=8, tp=8", prove: bool = True, **kwargs: Any) -> str:
    """The program text of `model(*args, **kwargs)`, with the model's own names.

    The text is run by torch with the model's weights. A word (attention, norms, rotary) that gives
    other numbers is taken back, and what it stood for is written out. On the meta device nothing
    can be run: the text says so, and constants stay as they are.

    A model that is split already (DTensor parameters, `parallelize_module`, `fully_shard`) is written
    as a whole, with its mesh and the lines that split it; of a batch that its ranks share, `args` are
    what one rank is given. Nothing is sent, so one rank may call it alone.

    Raises NotAlike where the long form differs too.
    """
    kwargs = _without_cache(model, kwargs)
    split = spread_of(model, inspect.signature(model.forward).bind(*args, **kwargs).arguments)
    if split is not None:
        model = whole(model)
        args = tuple(whole_input(each, split.copies()) for each in args)
        kwargs = {key: whole_input(each, split.copies()) for key, each in kwargs.items()}
    graph = _recorded(model, args, kwargs)
    form = _Form(model, _tensors(args, kwargs), mesh, _dtype(model), split)
    if any(weight.device.type == "meta" for weight in model.parameters()):
        return form.written(Text(graph()), "Not run beside the model, which has no values (device meta).")
    if not prove:
        return form.written(Text(graph()), "Not run beside the model.")
    return _proved(form, args, kwargs, graph)


def _proved(form: _Form, args: tuple, kwargs: dict, graph: Any) -> str:
    """The text with as many words as give the model's numbers."""
    model = form.model
    was = model.training
    model.eval()
    with torch.no_grad():
        wanted = _flat(model(*args, **kwargs))
    limit = max((CLOSE.get(each.dtype, 0.0) for each in wanted), default=0.0)
    model.train(was)
    best = ""
    for words in _trials():
        text = Text(graph(), words)
        apart = _apart(text, form.alone(text), model, form.inputs, wanted)
        best = best or f"{apart:.1e}"
        if apart <= limit:
            left = sorted(set(WORDS) - words)
            note = f"Run beside the model: numbers within {apart:.1e} of the largest." + (f" Written out: {', '.join(left)}." if left else "")
            return form.written(text, note)
    raise NotAlike(f"the text differs from the model by {best} of the largest number")


def _apart(text: Text, alone: str, model: torch.nn.Module, inputs: list[torch.Tensor], wanted: list[torch.Tensor]) -> float:
    room = max((each.numel() for each in inputs), default=1)
    made = ran(alone, model, [*text.leaves(), *inputs], room)
    return difference(made, wanted) if len(made) == len(wanted) else float("inf")


def _trials() -> list[set[str]]:
    """All words, all but one, none."""
    every = set(WORDS)
    return [every, *(every - {word} for word in sorted(every)), set()]


def _recorded(model: torch.nn.Module, args: tuple, kwargs: dict) -> Any:
    """Records the model anew each time it is called, since words change a graph in place."""
    groups = next((each.shape[0] for each in _tensors(args, kwargs) if each.dim() > 0), 1)
    was = model.training

    def graph() -> Graph:
        model.eval()
        try:
            with experts_as_words(model, groups):
                try:
                    return record(model, args, kwargs, _open_sizes(model, args, kwargs))
                except Exception:  # torch.export raises many kinds where a size cannot stay open
                    return record(model, args, kwargs)
        finally:
            model.train(was)

    return graph


def _open_sizes(model: torch.nn.Module, args: tuple, kwargs: dict) -> Any:
    """Batch and sequence of every input stay open: the first size, and the second of index tensors."""

    def of(value: Any) -> Any:
        if not isinstance(value, torch.Tensor) or value.dim() == 0:
            return None
        dims = 2 if not value.is_floating_point() else 1
        return {at: torch.export.Dim.AUTO for at in range(min(dims, value.dim())) if value.shape[at] > 1}

    given = inspect.signature(model.forward).bind(*args, **kwargs).arguments
    return {name: of(value) for name, value in given.items()}


def _without_cache(model: torch.nn.Module, kwargs: dict) -> dict:
    takes = inspect.signature(model.forward).parameters
    return {**kwargs, "use_cache": False} if "use_cache" in takes and "use_cache" not in kwargs else kwargs


def _tensors(args: tuple, kwargs: dict) -> list[torch.Tensor]:
    return [each for each in (*args, *kwargs.values()) if isinstance(each, torch.Tensor)]


def _flat(made: Any) -> list[torch.Tensor]:
    if isinstance(made, torch.Tensor):
        return [made]
    if isinstance(made, dict):
        made = list(made.values())
    return [each for part in made for each in _flat(part)] if isinstance(made, (list, tuple)) else []


def _dtype(model: torch.nn.Module) -> str:
    kinds = {weight.dtype for weight in model.parameters() if weight.is_floating_point()}
    if len(kinds) > 1:
        raise NotImplementedError(f"weights of several types are not written yet: {', '.join(sorted(map(str, kinds)))}")
    return "" if not kinds or kinds == {torch.float32} else f".to({kinds.pop()})"


@dataclass
class _Form:
    """What a text is written with besides its graph."""

    model: torch.nn.Module
    inputs: list[torch.Tensor]
    mesh: str
    dtype: str
    split: Spread | None

    def written(self, text: Text, note: str) -> str:
        """The text as it is given."""
        count = sum(weight.numel() for weight in self.model.parameters())
        lines = [f"{type(self.model).__name__}, {count:,} parameters, traced by torch {torch.__version__.split('+')[0]}.", note]
        for name, places in text.unknown.items():
            lines.append(f"No word for {name.replace('::', '.')}: {len(places)} times, first in {places[0]}.")
        lines += self.split.left_out(text.paths()) if self.split is not None else []
        return reflowed(text.written(title="".join(f"# {line}\n" for line in lines), sizes=self._sizes(text), dtype=self.dtype, mesh=self.mesh, spread=self.split))

    def alone(self, text: Text) -> str:
        """The text for one device, as torch runs it."""
        return text.written(sizes=self._sizes(text), dtype=self.dtype)

    def _sizes(self, text: Text) -> str:
        names: dict[str, int] = {}
        nodes = [node for node in text.graph.nodes if node.kind == "input"]
        for node, value in zip(nodes, self.inputs):
            for size, known in zip(node.shape or [], value.shape):
                if not isinstance(size, int):
                    names.setdefault(size.text, known)
        return f"{', '.join(names)} = {', '.join(str(each) for each in names.values())}\n" if names else ""
