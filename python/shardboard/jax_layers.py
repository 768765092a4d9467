"""Finds the layers of a function that runs over a list of weights: which operators are one layer's.

It only groups operators that stand one behind the other, so that the text has a class and a loop; what
is computed does not change.
"""

from __future__ import annotations

import re

from .graph import Module, Node

Stack = list[tuple[str, str]]


def grouped(nodes: list[Node], modules: dict[str, Module]) -> None:
    """Puts the operators of each layer of every list into the layer's module."""
    for path, module in list(modules.items()):
        if module.cls == "ModuleList" and len(module.children) > 1 and not any(path in (at for at, _ in node.stack) for node in nodes):
            _group(nodes, modules, path, len(module.children))


def _group(nodes: list[Node], modules: dict[str, Module], path: str, count: int) -> None:
    calls = [node for node in nodes if node.kind == "call"]
    held = {node.name: node.path[len(path) + 1:].split(".")[0] for node in nodes if node.path.startswith(f"{path}.")}
    uses: dict[int, list[int]] = {}
    for at, node in enumerate(calls):
        for name in node.inputs():
            if name in held:
                uses.setdefault(int(held[name]), []).append(at)
    if len(uses) < count or any(any(part[0].startswith(f"{path}.") for part in calls[at].stack) for each in uses.values() for at in each):
        return
    firsts, lasts = ([pick(uses[at]) for at in range(count)] for pick in (min, max))
    length = firsts[1] - firsts[0]
    if length < 2 or any(b - a != length for a, b in zip(firsts, firsts[1:])):
        return
    base = calls[firsts[0]].stack
    best: tuple[int, int] | None = None
    for lead in range(min(length, firsts[0] + 1)):
        starts = [first - lead for first in firsts]
        if starts[-1] + length > len(calls) or any(last >= start + length for last, start in zip(lasts, starts)):
            continue
        parts = [calls[start:start + length] for start in starts]
        if any([node.op for node in part] != [node.op for node in parts[0]] or any(node.stack != base for node in part) for part in parts):
            continue
        crossing = _crossing(calls, starts[0], starts[1])
        if best is None or crossing < best[0]:
            best = (crossing, lead)
    if best is None:
        return
    for at, first in enumerate(firsts):
        own = (f"{path}.{at}", modules[f"{path}.{at}"].cls)
        for node in calls[first - best[1]:first - best[1] + length]:
            node.stack = [*base, own]


def _crossing(calls: list[Node], start: int, end: int) -> int:
    """How many values a layer hands on."""
    made = {node.name for node in calls[start:end]}
    return len({name for node in calls[end:] for name in node.inputs() if name in made})


def numbered(paths: dict[str, tuple]) -> dict[str, str]:
    """`h_0`, `h_1`, … of one holder as `h.0`, `h.1`, …, where what lies in them is alike.

    `paths` has the shape and type of every weight. The mapping is of the paths of the modules.
    """
    inside: dict[str, dict[str, tuple]] = {}
    for path, shaped in paths.items():
        parts = path.split(".")
        for at in range(1, len(parts)):
            inside.setdefault(".".join(parts[:at]), {})[".".join(parts[at:])] = shaped
    groups: dict[str, dict[int, str]] = {}
    for path in inside:
        found = re.fullmatch(r"(.*\D)_(\d+)", path)
        if found:
            groups.setdefault(found[1], {})[int(found[2])] = path
    made: dict[str, str] = {}
    for lead, group in groups.items():
        layers = [inside[group[at]] for at in sorted(group)]
        if len(group) > 1 and sorted(group) == list(range(len(group))) and all(each == layers[0] for each in layers) and lead not in inside:
            made.update({path: f"{lead}.{at}" for at, path in group.items()})
    return made
