"""A recorded model as plain data: operators, where each stands, and the tree of modules.

Nothing here needs a framework, so a graph can be kept as JSON and written as text anywhere.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Ref:
    """A value that a node made, by the node's name."""

    name: str


@dataclass(frozen=True)
class Dtype:
    """A data type as an argument, in torch's word: `bfloat16`."""

    name: str


@dataclass(frozen=True)
class Size:
    """A size that is no number but an expression over names: `B`, `2*S`."""

    text: str


@dataclass
class Node:
    """One operator, or a leaf of `kind` parameter, buffer, input or constant.

    `shape` is None where the result is no single tensor. `stack` has the modules around it,
    outermost first, as (path, class), and `calls` which call each is, of a module that is called
    several times. `fact` is what is known of a constant's value.
    """

    name: str
    kind: str
    op: str
    args: list[Any] = field(default_factory=list)
    kwargs: dict[str, Any] = field(default_factory=dict)
    shape: list[Any] | None = None
    dtype: str = ""
    stack: list[tuple[str, str]] = field(default_factory=list)
    path: str = ""
    fact: dict[str, Any] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)

    def inputs(self) -> list[str]:
        """The names of the values that it reads, in the order of its arguments."""
        return refs([self.args, list(self.kwargs.values())])


@dataclass
class Module:
    """A module: its class, whether that is torch's own, how it was made, and what it holds."""

    path: str
    cls: str
    is_own: bool = False
    settings: dict[str, Any] = field(default_factory=dict)
    children: list[str] = field(default_factory=list)
    parameters: dict[str, tuple[list[int], str]] = field(default_factory=dict)
    buffers: dict[str, tuple[list[int], str]] = field(default_factory=dict)


@dataclass
class Graph:
    """A whole model. `ties` maps the path of a parameter to the path whose weight it shares.

    `values` has the values of constants where they are known; they are no part of its JSON.
    """

    nodes: list[Node]
    outputs: list[str]
    modules: dict[str, Module]
    ties: dict[str, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def with_nodes(self, nodes: list[Node]) -> Graph:
        """The same model with other operators."""
        return Graph(nodes, self.outputs, self.modules, self.ties, self.values)

    def by_name(self) -> dict[str, Node]:
        return {node.name: node for node in self.nodes}

    def parameters(self) -> int:
        """How many elements its parameters have, those of tied ones once."""
        total = 0
        for module in self.modules.values():
            for name, (shape, _) in module.parameters.items():
                if joined(module.path, name) not in self.ties:
                    total += product(shape)
        return total


def product(sizes: list[int]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total


def joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def refs(value: Any) -> list[str]:
    """The names of all values in an argument."""
    if isinstance(value, Ref):
        return [value.name]
    if isinstance(value, (list, tuple)):
        return [name for each in value for name in refs(each)]
    return []


def replaced(value: Any, names: dict[str, str]) -> Any:
    """The same argument with values under other names."""
    if isinstance(value, Ref):
        return Ref(names.get(value.name, value.name))
    if isinstance(value, (list, tuple)):
        return [replaced(each, names) for each in value]
    return value


def to_json(graph: Graph) -> dict[str, Any]:
    """The graph as JSON values."""
    plain = asdict(Graph(graph.nodes, graph.outputs, graph.modules, graph.ties))
    del plain["values"]
    for node, data in zip(graph.nodes, plain["nodes"]):
        data["args"], data["shape"] = _packed(node.args), _packed(node.shape)
        data["kwargs"] = {key: _packed(value) for key, value in node.kwargs.items()}
    return plain


def from_json(plain: dict[str, Any]) -> Graph:
    """The graph of what `to_json` gave."""
    nodes = []
    for data in plain["nodes"]:
        data = dict(data, args=_unpacked(data["args"]), shape=_unpacked(data["shape"]))
        data["kwargs"] = {key: _unpacked(value) for key, value in data["kwargs"].items()}
        data["stack"] = [tuple(each) for each in data["stack"]]
        nodes.append(Node(**data))
    modules = {path: Module(**data) for path, data in plain["modules"].items()}
    return Graph(nodes, plain["outputs"], modules, plain["ties"])


def _packed(value: Any) -> Any:
    if isinstance(value, (Ref, Dtype, Size)):
        return {type(value).__name__: next(iter(asdict(value).values()))}
    if isinstance(value, (list, tuple)):
        return [_packed(each) for each in value]
    if isinstance(value, float) and value != value:
        return {"float": "nan"}
    if isinstance(value, float) and value in (float("inf"), -float("inf")):
        return {"float": str(value)}
    return value


def _unpacked(value: Any) -> Any:
    if isinstance(value, dict):
        (key, inner), = value.items()
        return {"Ref": Ref, "Dtype": Dtype, "Size": Size, "float": float}[key](inner)
    return [_unpacked(each) for each in value] if isinstance(value, list) else value
