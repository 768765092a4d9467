"""The bodies of all module calls of a graph."""

from __future__ import annotations

from .clean import readers
from .graph import Graph, Node
from .holes import Holes
from .operators import Expressions
from .regions import Region
from .steps import Body, dotted
from .writer import Writer


class Bodies:
    """The bodies of all kept calls, by the region and by the module's path; no value is called as in `sizes`."""

    def __init__(self, graph: Graph, root: Region, holes: Holes, sizes: frozenset[str] = frozenset()) -> None:
        self.graph, self.holes, self.sizes = graph, holes, sizes
        self.known, self.readers = graph.by_name(), readers(graph.nodes)
        self.expressions = Expressions(holes, self.known)
        self.same = _aliases(graph)
        self.of_region: dict[Region, Body] = {}
        self.of_path: dict[str, Body] = {}
        self.constants: dict[str, str] = {}
        self.body(root)

    def body(self, region: Region) -> Body:
        if region not in self.of_region:
            made = Writer(self, region).body()
            self.of_region[region] = made
            first = self.of_path.setdefault(region.path, made)
            if first.key() != made.key():
                raise NotImplementedError(f"{region.path or 'the model'} is called in two ways; two calls of one module must be alike")
        return self.of_region[region]

    def constant(self, node: Node) -> str:
        """The name of a constant, which stands in front of all classes."""
        if node.name not in self.constants:
            base = "mask" if node.dtype == "bool" else "constant"
            self.constants[node.name] = f"{base}_{len(self.constants) + 1}"
        return self.constants[node.name]

    def inside(self, node: Node, path: str) -> str | None:
        """How a module at `path` writes a weight that it or a module inside it holds."""
        lead = f"{path}." if path else ""
        for name in self.same.get(node.path, [node.path]):
            if name.startswith(lead):
                return "self." + dotted(name[len(lead):])
        return None


def _aliases(graph: Graph) -> dict[str, list[str]]:
    same: dict[str, list[str]] = {}
    for path, first in graph.ties.items():
        same.setdefault(first, [first]).append(path)
    return {name: group for group in same.values() for name in group}
