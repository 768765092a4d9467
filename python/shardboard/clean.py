"""Takes out of a recorded graph what a person would not have written.

Operators that change nothing, what no output needs, equal constants, and long constant
expressions, which become one leaf each.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .graph import Graph, Node, Ref, refs, replaced

_CHECKS = ("_assert", "sym_constrain", "_grouped_mm_check", "sym_size")
_SAME = {"alias", "contiguous", "detach", "detach_", "lift_fresh", "lift_fresh_copy", "dropout", "clone"}
_SHAPED = {"to", "_to_copy", "expand", "reshape", "view", "type_as", "repeat", "_unsafe_view"}

#: A constant expression of more operators than this, which has no word, becomes one leaf.
LONGEST_CONSTANT = 40


def cleaned(graph: Graph) -> Graph:
    """The same graph without what changes nothing."""
    nodes = _with_numbers(_without_noops(graph))
    nodes = alive(nodes, graph.outputs)
    nodes = alive(_folded(nodes), graph.outputs)
    return graph.with_nodes(nodes)


def without_noops(graph: Graph) -> Graph:
    """The graph without operators that change nothing, and without what no output needs."""
    nodes = _without_noops(graph)
    return graph.with_nodes(alive(nodes, graph.outputs))


def constants(nodes: list[Node]) -> set[str]:
    """The names of all values that follow from no parameter and no input."""
    found: set[str] = set()
    for node in nodes:
        if node.kind in ("buffer", "constant"):
            found.add(node.name)
        elif node.kind == "call" and "rand" not in node.op and all(each in found for each in node.inputs()):
            found.add(node.name)
    return found


def alive(nodes: list[Node], outputs: list[str]) -> list[Node]:
    """The nodes that the outputs need; inputs all stay."""
    needed, kept = set(outputs), []
    for node in reversed(nodes):
        if node.name in needed or node.kind == "input":
            needed.update(node.inputs())
            kept.append(node)
    return kept[::-1]


def _without_noops(graph: Graph) -> list[Node]:
    names: dict[str, str] = {}
    seen: dict[str, str] = {}
    known, kept = graph.by_name(), []
    constant = constants(graph.nodes)
    for node in graph.nodes:
        if node.kind == "call":
            if node.op.startswith(_CHECKS):
                continue
            node.args = replaced(node.args, names)
            node.kwargs = {key: replaced(value, names) for key, value in node.kwargs.items()}
            if _changes_nothing(node, known):
                names[node.name] = node.args[0].name
                continue
            if (before := _taken_back(node, known) or _and_true(node, known)) is not None:
                names[node.name] = before
                continue
            if node.name in constant:
                key = repr((node.op, node.args, node.kwargs, node.stack))
                if seen.setdefault(key, node.name) != node.name:
                    names[node.name] = seen[key]
                    continue
            _as_slice(node, graph.values)
        kept.append(node)
    graph.outputs = [names.get(each, each) for each in graph.outputs]
    return kept


def _changes_nothing(node: Node, known: dict[str, Node]) -> bool:
    if not node.args or not isinstance(node.args[0], Ref):
        return False
    source = known.get(node.args[0].name)
    if source is None or node.shape is None or node.shape != source.shape or node.dtype != source.dtype:
        return False
    second = node.args[1] if len(node.args) > 1 else None
    if node.op in _SAME:
        return True
    if node.op == "repeat":
        return all(each == 1 for each in second)
    if node.op in _SHAPED or node.op == "slice" and (len(node.args) < 5 or node.args[4] == 1):
        return True
    if node.op in ("mul", "div"):
        return second == 1 and not isinstance(second, bool)
    return node.op in ("add", "sub") and second == 0 and not isinstance(second, bool)


def _as_slice(node: Node, values: dict[str, Any]) -> None:
    """Turns the choice of known places in a row, `x[:, [-2]]`, into the slice that it is."""
    if node.op != "index" or not isinstance(node.args[1], list):
        return
    chosen = [(dim, each.name) for dim, each in enumerate(node.args[1]) if each is not None]
    value = values.get(chosen[0][1]) if len(chosen) == 1 else None
    places = [] if value is None else value.tolist()
    if not isinstance(places, list) or not places or any(type(each) is not int for each in places):
        return
    first, last = places[0], places[-1]
    if places != list(range(first, last + 1)) or first < 0 <= last:
        return
    node.op, node.args = "slice", [node.args[0], chosen[0][0], first, last + 1 or 2**63 - 1]


def _taken_back(node: Node, known: dict[str, Node]) -> str | None:
    """What stood before a dim of one was taken out, where it is put in again at the same place."""
    if node.op != "unsqueeze" or not isinstance(node.args[0], Ref):
        return None
    source = known.get(node.args[0].name)
    if source is None or source.op != "squeeze" or len(source.args) < 2 or source.args[1] != node.args[1]:
        return None
    before = known[source.args[0].name]
    return before.name if before.shape is not None and before.shape == node.shape != source.shape else None


def _and_true(node: Node, known: dict[str, Node]) -> str | None:
    """Of a truth everywhere and something else the other, where that has the shape of both."""
    if node.op not in ("__and__", "bitwise_and", "logical_and") or not all(isinstance(each, Ref) for each in node.args):
        return None
    for at in (0, 1):
        sure, other = known[node.args[at].name], known[node.args[1 - at].name]
        is_sure = sure.fact.get("mask") == "none" or sure.fact.get("value") is True
        if is_sure and sure.dtype == other.dtype == "bool" and other.shape == node.shape:
            return other.name
    return None


def _with_numbers(nodes: list[Node]) -> list[Node]:
    """Constants of one element as numbers, where an operator of two operands reads them."""
    known = {node.name: node for node in nodes}
    for node in nodes:
        if node.op not in ("add", "sub", "mul", "div", "pow", "lt", "le", "gt", "ge", "eq", "ne"):
            continue
        for at, arg in enumerate(node.args):
            source = known[arg.name] if isinstance(arg, Ref) else None
            while source is not None and source.op in ("to", "type_as") and "value" in source.fact:
                source = known[source.args[0].name]
            if source is not None and "value" in source.fact and source.shape == []:
                others = [each for k, each in enumerate(node.args) if k != at]
                if any(isinstance(each, Ref) for each in others):
                    node.args[at] = source.fact["value"]
    return nodes


def _folded(nodes: list[Node]) -> list[Node]:
    """Long constant expressions that are read from outside as leaves of kind constant."""
    constant, sizes = constants(nodes), Counter()
    for node in nodes:
        if node.name in constant and node.kind == "call":
            sizes[node.name] = 1 + sum(sizes[each] for each in set(node.inputs()))
    for node in nodes:
        if node.kind == "call" and node.name in constant and sizes[node.name] > LONGEST_CONSTANT and not node.fact:
            node.kind, node.op, node.args, node.kwargs = "constant", "", [], {}
            node.fact = {"operators": sizes[node.name]}
    return nodes


def readers(nodes: list[Node]) -> dict[str, list[Node]]:
    """Who reads each value."""
    found: dict[str, list[Node]] = {node.name: [] for node in nodes}
    for node in nodes:
        for name in dict.fromkeys(refs([node.args, list(node.kwargs.values())])):
            found.setdefault(name, []).append(node)
    return found
