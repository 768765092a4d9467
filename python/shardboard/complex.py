"""Complex numbers of a recorded graph as pairs of real ones: most rotary embeddings are written with them."""

from __future__ import annotations

from typing import Any

from .graph import Graph, Node, Ref, Dtype, refs

#: Operators that do the same to both parts of a complex number.
_BOTH = {"unsqueeze", "squeeze", "slice", "select", "view", "reshape", "expand", "transpose", "permute", "alias",
         "clone", "contiguous", "detach", "to", "_to_copy", "index", "cat", "stack", "repeat", "flatten"}

Pair = tuple[Ref, Ref]


def real(graph: Graph) -> Graph:
    """The graph without complex values, where each of them has a pair; else the graph as it is."""
    if not any(node.dtype.startswith("complex") for node in graph.nodes):
        return graph
    writing = _Pairs(graph)
    for node in graph.nodes:
        if not writing.took(node):
            return graph
    return graph.with_nodes(writing.nodes)


class _Pairs:
    def __init__(self, graph: Graph) -> None:
        from .facts import base_of, fact_of  # needs torch, which a graph with complex values has

        self.fact_of = fact_of
        self.graph, self.nodes, self.known = graph, [], graph.by_name()
        self.pairs: dict[str, Pair] = {}
        found = [base_of(value) for value in graph.values.values() if not value.dtype.is_complex]
        self.bases = list(dict.fromkeys(base for base in found if base is not None))

    def took(self, node: Node) -> bool:
        """Adds what stands for a node; false where a complex value has no pair."""
        if node.op.startswith("_assert"):
            return True
        reads = [name for name in refs([node.args, list(node.kwargs.values())]) if name in self.pairs]
        if not node.dtype.startswith("complex"):
            if not reads:
                self.nodes.append(node)
                return True
            return self._left(node)
        if node.kind != "call":
            return False
        made = self._made(node)
        if made is not None:
            self.pairs[node.name] = made
        return made is not None

    def _left(self, node: Node) -> bool:
        """A real value of a complex one."""
        if node.op not in ("view_as_real", "real", "imag"):
            return False
        re, im = self.pairs[node.args[0].name]
        if node.op == "view_as_real":
            node.op, node.args = "stack", [[re, im], -1]
        else:
            node.op, node.args, node.shape = "alias", [re if node.op == "real" else im], node.shape
        self.nodes.append(node)
        return True

    def _made(self, node: Node) -> Pair | None:
        if node.op == "view_as_complex":
            return tuple(self._call(node, word, "select", [node.args[0], -1, at]) for at, word in enumerate(("re", "im")))  # type: ignore[return-value]
        if node.op == "polar":
            return self._polar(node)
        if node.op == "complex":
            return tuple(node.args[:2])  # type: ignore[return-value]
        if node.op == "mul":
            return self._product(node)
        if node.op in _BOTH:
            return self._both(node)
        return None

    def _polar(self, node: Node) -> Pair:
        radius, angle = node.args
        parts = []
        for word, turn in (("re", "cos"), ("im", "sin")):
            part = self._call(node, word, turn, [angle])
            if not self._is_one(radius):
                part = self._call(node, f"{word}_long", "mul", [radius, part])
            parts.append(part)
        return parts[0], parts[1]

    def _is_one(self, radius: Ref) -> bool:
        value = self.graph.values.get(radius.name)
        return value is not None and bool((value == 1).all()) or self.known[radius.name].op in ("ones_like", "ones")

    def _product(self, node: Node) -> Pair | None:
        a, b = (self.pairs.get(each.name) if isinstance(each, Ref) else each for each in node.args)
        if not isinstance(a, tuple) or not isinstance(b, tuple):
            pair, other = (a, node.args[1]) if isinstance(a, tuple) else (b, node.args[0])
            if not isinstance(pair, tuple) or isinstance(other, complex):
                return None
            return self._call(node, "re", "mul", [pair[0], other]), self._call(node, "im", "mul", [pair[1], other])
        parts = [self._call(node, f"p{k}", "mul", [x, y]) for k, (x, y) in enumerate(((a[0], b[0]), (a[1], b[1]), (a[0], b[1]), (a[1], b[0])))]
        return self._call(node, "re", "sub", parts[:2]), self._call(node, "im", "add", parts[2:])

    def _both(self, node: Node) -> Pair | None:
        parts = []
        for at, word in enumerate(("re", "im")):
            names = {name: pair[at] for name, pair in self.pairs.items()}
            if any(isinstance(each, Dtype) for each in node.args):
                return None
            parts.append(self._call(node, word, node.op, _with(node.args, names), {key: value for key, value in node.kwargs.items() if not isinstance(value, Dtype)}))
        return parts[0], parts[1]

    def _call(self, node: Node, word: str, op: str, args: list[Any], kwargs: dict[str, Any] | None = None) -> Ref:
        name = f"{node.name}_{word}"
        value = self.graph.values.get(node.name)
        fact = {}
        if value is not None and value.dtype.is_complex and word in ("re", "im"):
            part = (value.real if word == "re" else value.imag).contiguous()
            self.graph.values[name] = part
            fact = self.fact_of(part, self.bases)
        kind = {"complex64": "float32", "complex128": "float64", "complex32": "float16"}[node.dtype]
        self.nodes.append(Node(name, "call", op, args, kwargs or {}, node.shape, kind, node.stack, "", fact))
        return Ref(name)


def _with(value: Any, names: dict[str, Ref]) -> Any:
    if isinstance(value, Ref):
        return names.get(value.name, value)
    return [_with(each, names) for each in value] if isinstance(value, list) else value
