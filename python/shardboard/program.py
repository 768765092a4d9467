"""Classes from bodies: equal modules are one class, and what differs among them is an argument."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .classes import Bodies
from .graph import Graph, Module, joined
from .holes import ByIndex, Ctor, Hole, Holes, Name, plain, shape_of
from .regions import has_weights
from .steps import Body, dotted

#: Words for the sizes of weights that modules of Flax hold.
_SIZES = {("kernel", 2): ("inputs", "features"), ("bias", 1): ("features",), ("scale", 1): ("features",), ("embedding", 2): ("rows", "features")}
_USUAL = {"LayerNorm": {"eps": 1e-5}}
_ORDER = ("in_features", "out_features", "num_embeddings", "embedding_dim", "normalized_shape", "num_groups",
          "num_channels", "in_channels", "out_channels", "kernel_size")


@dataclass
class Variant:
    """A class of the text: its arguments and the lines of its two methods, with marks for values."""

    name: str
    keys: list[str]
    init: list[str]
    args: list[str]
    forward: list[str]
    #: A class that is made in the same way, where there is one; then only the call is written.
    base: str = ""


@dataclass
class Instance:
    """A module of the model as it would be written alone."""

    path: str
    cls: str
    init: list[str]
    body: Body | None

    def key(self) -> str:
        return shape_of("\n".join(self.init)) + "\f" + (self.body.key() if self.body else "")

    def marks(self, holes: Holes) -> list[Hole]:
        return holes.of(self.text())

    def text(self) -> str:
        return "\n".join(self.init + (self.body.lines if self.body else []))


@dataclass
class Program:
    """Classes in the order in which they are defined, and how the model is made."""

    variants: list[Variant]
    root: Ctor
    holes: Holes
    args: list[str] = field(default_factory=list)


class Programs:
    """Builds the classes of a graph, those inside first."""

    def __init__(self, graph: Graph, bodies: Bodies) -> None:
        self.graph, self.bodies, self.holes = graph, bodies, bodies.holes
        self.ctors: dict[str, Ctor] = {}
        self.variants: list[Variant] = []
        self.names: dict[str, int] = {}
        self.ties = _ties_by_holder(graph)
        self.used = {node.path for node in graph.nodes if node.kind == "buffer"}

    def program(self) -> Program:
        """All classes, and the call that makes the model."""
        kept = [path for path in self.graph.modules if self._is_class(path)]
        height = _heights(kept)
        for level in sorted(set(height.values())):
            self._define([self._instance(path) for path in kept if height[path] == level])
        return Program(self.variants, self.ctors[""], self.holes, self.bodies.of_path[""].args)

    def _is_class(self, path: str) -> bool:
        module = self.graph.modules[path]
        if path == "" or path in self.bodies.of_path:
            return True
        if module.is_own or module.cls in ("ModuleList", "ModuleDict", "Sequential"):
            return module.is_own and bool(module.parameters) and not self._has_form(module)
        return has_weights(path, self.graph.modules)

    @staticmethod
    def _has_form(module: Module) -> bool:
        return bool(module.settings) or not module.parameters

    def _instance(self, path: str) -> Instance:
        module, init = self.graph.modules[path], []
        for name, (shape, _) in module.parameters.items():
            words = _SIZES.get((name, len(shape)), ("size",) * len(shape))
            sizes = ", ".join(self.holes.mark(size, word) for size, word in zip(shape, words))
            made = f"torch.empty({sizes})" if shape else "torch.tensor(1.0)"
            init.append(f"self.{name} = nn.Parameter({made})")
        for name, (shape, kind) in module.buffers.items():
            if joined(path, name) in self.used:
                sizes = ", ".join(self.holes.mark(size) for size in shape)
                kind = "" if kind == "float32" else f", dtype=torch.{kind}"
                made = f"torch.empty({sizes}{kind})" if shape else f"torch.tensor(0.0{kind})"
                init.append(f'self.register_buffer("{name}", {made}, persistent=False)')
        for name in module.children:
            made = self._made(joined(path, name))
            if made:
                init.append(f"self.{name} = {made}")
        for source, target in self.ties.get(path, []):
            init.append(f"self.{_inside(source, path)} = self.{_inside(target, path)}")
        return Instance(path, module.cls, init, self.bodies.of_path.get(path))

    def _made(self, path: str) -> str:
        """How a module is made in the one around it; nothing where it holds no weights and is not called."""
        module, modules = self.graph.modules[path], self.graph.modules
        if path in self.ctors:
            return self.holes.mark(self.ctors[path], _hint(path))
        if not has_weights(path, modules):
            return ""
        if module.cls == "ModuleList":
            return self._list(path, module)
        if module.cls == "Sequential":
            parts = [self._made(joined(path, name)) or self._weightless(joined(path, name)) for name in module.children]
            return f"nn.Sequential({', '.join(parts)})"
        if module.cls == "ModuleDict":
            parts = [f"{name}={made}" for name in module.children if (made := self._made(joined(path, name)))]
            return f"nn.ModuleDict(dict({', '.join(parts)}))"
        return self._own(module)

    def _weightless(self, path: str) -> str:
        module = self.graph.modules[path]
        given = module.settings.get("text", "").replace(", inplace=False", "").replace("approximate='none'", "")
        return f"nn.{module.cls}({given})" if module.is_own else "nn.Identity()"

    def _own(self, module: Module) -> str:
        """One of torch's own modules."""
        given = []
        for key, value in module.settings.items():
            if _USUAL.get(module.cls, {}).get(key) == value or key == "bias" and value is True:
                continue
            mark = self._marked(value, key)
            given.append(mark if key in _ORDER else f"{key}={mark}")
        return f"nn.{module.cls}({', '.join(given)})"

    def _marked(self, value: Any, hint: str) -> str:
        if isinstance(value, list):
            return "(" + ", ".join(self._marked(each, hint) for each in value) + ("," if len(value) == 1 else "") + ")"
        return plain(value) if isinstance(value, str) else self.holes.mark(value, hint)

    def _list(self, path: str, module: Module) -> str:
        """A list of layers: one expression for all of them, whose values may depend on the place."""
        made = [self._made(joined(path, name)) for name in module.children]
        kinds = {shape_of(each) for each in made}
        count = self.holes.mark(len(made), "layers")
        names = {hole.value.name if isinstance(hole.value, Ctor) else "" for each in made for hole in self.holes.of(each)[:1]}
        if len(made) < 2 or len(kinds) > 1 or len(names) == len(made):
            return "nn.ModuleList([" + ", ".join(each or "nn.Identity()" for each in made) + "])"
        columns = list(zip(*(self.holes.of(each) for each in made)))
        values = [_merged([hole.value for hole in column]) for column in columns]
        text = self.holes.filled(made[0], lambda hole, at: self.holes.mark(values[at], hole.hint))
        word = "i" if any(_by_index(value) for value in values) else "_"
        return f"nn.ModuleList([{text} for {word} in range({count})])"

    def _define(self, instances: list[Instance]) -> None:
        groups: dict[tuple[str, str], list[Instance]] = {}
        for each in instances:
            # Modules of other classes inside make another class: none is ever given as an argument.
            inner = [hole.value.name for hole in each.marks(self.holes) if isinstance(hole.value, Ctor)]
            groups.setdefault((each.cls, each.key() + "\f" + " ".join(inner)), []).append(each)
        for (cls, _), group in groups.items():
            self._variant(cls, group)

    def _variant(self, cls: str, group: list[Instance]) -> None:
        self.names[cls] = self.names.get(cls, 0) + 1
        name = cls if self.names[cls] == 1 else f"{cls}{self.names[cls]}"
        columns = list(zip(*(each.marks(self.holes) for each in group)))
        plan = _Arguments()
        values = [plan.value([hole.value for hole in column], column[0].hint) for column in columns]
        first, done = group[0], iter(range(1 << 30))

        def written(line: str) -> str:
            return self.holes.filled(line, lambda hole, _: self.holes.mark(values[next(done)], hole.hint))

        init = [written(line) for line in first.init]
        forward = [written(line) for line in (first.body.lines if first.body else [])]
        variant = Variant(name, plan.keys, init, first.body.args if first.body else ["x"], forward)
        variant.base = self._base(cls, variant)
        self.variants.append(variant)
        for at, each in enumerate(group):
            self.ctors[each.path] = Ctor(name, tuple(plan.keys), tuple(column[at] for column in plan.columns))


    def _base(self, cls: str, variant: Variant) -> str:
        """The first class of the same name in the model that makes the same layers from the same arguments."""
        for each in self.variants:
            if each.name.rstrip("0123456789") == cls.rstrip("0123456789") and not each.base and each.keys == variant.keys and len(variant.init) > 2:
                if self._read(each.init) == self._read(variant.init) and self._keys_read(variant) <= self._keys_read(each):
                    return each.name
        return ""

    def _read(self, lines: list[str]) -> list[Any]:
        return [shape_of("\n".join(lines)), *[hole.value for hole in self.holes.of("\n".join(lines))]]

    def _keys_read(self, variant: Variant) -> set[str]:
        """The arguments that a class's own call reads, which it keeps as values of its own."""
        return {hole.value.text for line in variant.forward for hole in self.holes.of(line) if isinstance(hole.value, Name)}


class _Arguments:
    """Which values of a class differ among its instances: those become arguments."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.columns: list[tuple[Any, ...]] = []

    def value(self, column: list[Any], hint: str) -> Any:
        if all(_same(each, column[0]) for each in column):
            return column[0]
        if all(isinstance(each, Ctor) for each in column) and len({(each.name, each.keys) for each in column}) == 1:
            first = column[0]
            inner = [self.value([each.values[k] for each in column], key) for k, key in enumerate(first.keys)]
            return Ctor(first.name, first.keys, tuple(inner))
        for key, known in zip(self.keys, self.columns):
            if all(_same(a, b) for a, b in zip(known, column)):
                return Name(key)
        key, count = hint, 2
        while key in self.keys:
            key, count = f"{hint}{count}", count + 1
        self.keys.append(key)
        self.columns.append(tuple(column))
        return Name(key)


def _heights(paths: list[str]) -> dict[str, int]:
    """How many classes lie inside one another below each path."""
    height = dict.fromkeys(paths, 0)
    for path in sorted(paths, key=lambda each: -len(each.split("."))):
        holder = path
        while holder:
            holder = holder.rpartition(".")[0]
            if holder in height:
                height[holder] = max(height[holder], height[path] + 1)
                break
    return height


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and a == b


def _merged(column: list[Any]) -> Any:
    """One value for all places of a list, or one that depends on the place."""
    if all(_same(each, column[0]) for each in column):
        return column[0]
    if all(isinstance(each, Ctor) for each in column) and len({(each.name, each.keys) for each in column}) == 1:
        first = column[0]
        inner = [_merged([each.values[k] for each in column]) for k in range(len(first.keys))]
        return Ctor(first.name, first.keys, tuple(inner))
    return ByIndex(tuple(column))


def _by_index(value: Any) -> bool:
    return isinstance(value, ByIndex) or isinstance(value, Ctor) and any(_by_index(each) for each in value.values)


def _hint(path: str) -> str:
    parts = [part for part in path.split(".") if not part.isdigit()]
    return parts[-1] if parts else "model"


def _inside(path: str, holder: str) -> str:
    return dotted(path[len(holder) + 1:] if holder else path)


def _ties_by_holder(graph: Graph) -> dict[str, list[tuple[str, str]]]:
    """Tied weights by the innermost module that holds both."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path, first in graph.ties.items():
        a, b = path.split("."), first.split(".")
        common = 0
        while common < min(len(a), len(b)) - 1 and a[common] == b[common]:
            common += 1
        holder = ".".join(a[:common])
        while re.search(r"(^|\.)\d+$", holder) is None and graph.modules.get(holder) is not None and graph.modules[holder].cls in ("ModuleList", "ModuleDict"):
            holder = holder.rpartition(".")[0]
        found.setdefault(holder, []).append((path, first))
    return found
