"""The program text of a recorded graph."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from .classes import Bodies
from .clean import cleaned
from .complex import real
from .graph import Graph, Node, Size, joined
from .holes import ByIndex, Ctor, Hole, Holes, Name, plain
from .patterns import WORDS, with_words
from .program import Program, Programs, Variant
from .regions import calls_of_layers, has_weights, norms_as_layers, tree
from .spread import Spread

#: What the text says where attention sees only the nearest positions.
ATTENTION = '''def attention(q, k, v, window, scale):
    """Causal attention; with a window, of so many positions."""
    if window is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)
    length = q.shape[-2]
    mask = torch.ones(length, length, dtype=torch.bool).tril().triu(1 - window)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=True)
'''

#: What the text says where scores are masked before a softmax that the text writes out.
MASKED = '''def masked(scores, window):
    """Scores without those of later positions; with a window, of so many positions."""
    length = scores.shape[-1]
    seen = torch.ones(length, length, dtype=torch.bool).tril()
    if window is not None:
        seen = seen.triu(1 - window)
    return scores.masked_fill(~seen, float("-inf"))
'''

Show = Callable[[Any, str], str]


def as_it_is(value: Any, _hint: str = "") -> str:
    """A value as it was traced."""
    return by_place(value) if isinstance(value, ByIndex) else plain(value)


class Text:
    """A graph as classes and as text.

    `words` are those of `patterns.WORDS` that may be used; `sizes` are names that no value may have.
    """

    def __init__(self, graph: Graph, words: set[str] | None = None, sizes: Iterable[str] = ()) -> None:
        self.graph = with_words(cleaned(real(graph)), set(WORDS) if words is None else words)
        _say_windows(self.graph)
        norms_as_layers(self.graph)
        calls_of_layers(self.graph)
        name = graph.modules[""].cls
        self.bodies = Bodies(self.graph, tree(self.graph, name), Holes(), frozenset(sizes))
        self.program: Program = Programs(self.graph, self.bodies).program()
        self.unknown = self.bodies.expressions.unknown

    def written(self, show: Show = as_it_is, sizes: str = "", title: str = "", dtype: str = "", mesh: str = "dp=8, tp=8", spread: Spread | None = None) -> str:
        """The whole text; `show` writes a value, `spread` is how the model lies already."""
        own = f"mesh = Mesh({mesh})\n" if spread is None else spread.mesh_line()
        words = "" if spread is None else spread.imports()
        parts = [f"{title}import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n{words}", sizes, own, self._constants(show)]
        body = [self._class(each, show) for each in self.program.variants]
        parts += [text for word, text in (("attention", ATTENTION), ("masked", MASKED)) if self._reads(word)]
        parts += body
        parts.append(self._end(show, dtype, spread))
        return "\n".join(part for part in parts if part)

    def _constants(self, show: Show) -> str:
        nodes, made = self.graph.by_name(), []
        for name, word in self.bodies.constants.items():
            count = nodes[name].fact.get("operators")
            note = f"  # constant of {count} operators" if count else "  # constant"
            made.append(f'{word} = Tensor({_sizes(nodes[name], show)}, "{nodes[name].dtype}"){note}\n')
        return "".join(made)

    def leaves(self) -> list[Any]:
        """The values of the constants, in the order of the text's lines."""
        return [self.graph.values[name] for name in self.bodies.constants]

    def _reads(self, word: str) -> bool:
        call = re.compile(rf"(?<![\w.]){word}\(")
        return any(call.search(line) for each in self.program.variants for line in each.forward)

    def _class(self, variant: Variant, show: Show) -> str:
        holes = self.program.holes
        kept = sorted(_read_in(variant.forward, variant.keys, holes), key=variant.keys.index)

        def line(text: str, own: bool) -> str:
            return holes.filled(text, lambda hole, _: self._value(hole, show, own))

        lines = [f"class {variant.name}({variant.base or 'nn.Module'}):"]
        if (variant.init or variant.keys) and not variant.base:
            lines += [f"    def __init__({', '.join(['self', *variant.keys])}):", "        super().__init__()"]
            lines += [f"        self.{key} = {key}" for key in kept]
            lines += [f"        {line(each, False)}" for each in variant.init] + [""]
        if variant.forward or not variant.init:
            lines.append(f"    def forward({', '.join(['self', *variant.args])}):")
            lines += [f"        {line(each, True)}" for each in variant.forward or ["pass"]]
        return "\n".join(lines).rstrip() + "\n"

    def _value(self, hole: Hole, show: Show, own: bool) -> str:
        return render(hole.value, show, own, hole.hint)

    def paths(self) -> set[str]:
        """The paths of the modules and the parameters that stand in the text."""
        modules = self.graph.modules
        found = {path for path in modules if path in self.bodies.of_path or has_weights(path, modules)}
        return found | {joined(path, name) for path in found for name in modules[path].parameters}

    def _end(self, show: Show, dtype: str, spread: Spread | None) -> str:
        nodes = self.graph.by_name()
        inputs = [node for node in self.graph.nodes if node.kind == "input" and node.name in self.program.args]
        kind = re.search(r"torch\.(\w+)", dtype)
        kinds = [kind[1] if kind and node.dtype.startswith("float") else node.dtype for node in inputs]
        lines = [f'{node.name} = Tensor({_sizes(node, show)}, "{word}")' for node, word in zip(inputs, kinds)]
        lines.append(f"model = {render(self.program.root, show, False)}{dtype}")
        if spread is not None:
            lists = {path: len(module.children) for path, module in self.graph.modules.items() if module.cls == "ModuleList"}
            lines += spread.lines(lists, self.paths())
        gives = self.bodies.of_path[""].gives
        word = "logits" if nodes[gives[0]].stack and "head" in nodes[gives[0]].stack[-1][0] else "y"
        made = ", ".join(word if len(gives) == 1 else f"{word}{at}" for at in range(len(gives)))
        lines.append(f"{made} = model({', '.join(self.program.args)})")
        return "\n".join(lines) + "\n"


def _sizes(node: Node, show: Show) -> str:
    sizes = [each.text if isinstance(each, Size) else render(each, show, False) for each in node.shape or []]
    return "(" + ", ".join(sizes) + ("," if len(sizes) == 1 else "") + ")"


def _read_in(lines: list[str], keys: list[str], holes: Holes) -> set[str]:
    """Which arguments of a class its forward reads."""
    found: set[str] = set()
    for line in lines:
        for hole in holes.of(line):
            found |= {key for key in keys if hole.value == Name(key)}
    return found


def render(value: Any, show: Show, own: bool, hint: str = "") -> str:
    """A value as text; `own` where arguments of the class stand behind self."""
    if isinstance(value, Name):
        return f"self.{value.text}" if own else value.text
    if isinstance(value, Ctor):
        given = [f"{key}=" * (len(value.keys) > 1) + render(each, show, own, key) for key, each in zip(value.keys, value.values)]
        return f"{value.name}({', '.join(given)})"
    return show(value, hint)


def by_place(value: ByIndex) -> str:
    """A value that depends on the place, as a condition on `i` or as a list."""
    texts = [render(each, as_it_is, False) for each in value.values]
    kinds = list(dict.fromkeys(texts))
    if len(kinds) == 2:
        for test, word in _tests(len(texts)):
            if all((text == kinds[0]) == test(at) for at, text in enumerate(texts)):
                return f"{kinds[0]} if {word} else {kinds[1]}"
    return f"({', '.join(texts)})[i]" if not any("(" in text for text in texts) else _chain(texts)


def _tests(count: int) -> list[tuple[Callable[[int], bool], str]]:
    found: list[tuple[Callable[[int], bool], str]] = []
    for k in range(1, count):
        found.append((lambda i, k=k: i < k, f"i < {k}" if k > 1 else "i == 0"))
    for period in range(2, min(13, count + 1)):
        for rest in range(period):
            found.append((lambda i, p=period, r=rest: i % p == r, f"i % {period} == {rest}"))
            found.append((lambda i, p=period, r=rest: i % p != r, f"i % {period} != {rest}"))
    return found


def _chain(texts: list[str]) -> str:
    kinds = list(dict.fromkeys(texts))
    parts = [f"{kind} if i in {tuple(at for at, text in enumerate(texts) if text == kind)!r} else " for kind in kinds[:-1]]
    return "".join(parts) + kinds[-1]


def _say_windows(graph: Graph) -> None:
    """Where some attention has a window, all are written by the same word, so that layers are alike."""
    calls = [node for node in graph.nodes if node.op == "word::attention"]
    if any(node.kwargs.get("window") is not None for node in calls):
        for node in calls:
            node.kwargs["varies"] = bool(node.kwargs.get("causal"))
