"""The tree of module calls: which operators ran inside which module."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .graph import Graph, Module, Node, Ref, joined

#: A module without weights whose call has at most so many operators is written where it is called.
SMALL = 4

_LEAF_OPS = {
    "Linear": "linear", "Embedding": "embedding", "LayerNorm": "layer_norm", "Conv1d": "conv1d", "Conv2d": "conv2d",
    "GroupNorm": "group_norm", "RMSNorm": "word::rms_norm",
}


@dataclass(eq=False)
class Region:
    """One call of a module, with operators and calls of other modules in order."""

    path: str
    cls: str
    items: list["Region | Node"] = field(default_factory=list)
    #: Which call it is, of a module that is called several times.
    call: str = ""

    def nodes(self) -> list[Node]:
        return [node for each in self.items for node in (each.nodes() if isinstance(each, Region) else [each])]


def tree(graph: Graph, cls: str) -> Region:
    """The call of the whole model."""
    root = Region("", cls)
    open_: list[Region] = [root]
    weighty = {path for path in graph.modules if has_weights(path, graph.modules)}
    for node in graph.nodes:
        if node.kind != "call":
            continue
        numbers = [each.partition("@")[2] for each in node.calls] + [""] * (len(node.stack) - len(node.calls))
        stack = [(path.split("@")[0], name, number) for (path, name), number in zip(node.stack, numbers) if path]
        # Calls one behind the other of what has no weights, and may be no two alike, are as one.
        stack = [(path, name, number if path in weighty else "") for path, name, number in stack]
        depth = 0
        while depth < len(stack) and depth + 1 < len(open_) and (open_[depth + 1].path, open_[depth + 1].call) == (stack[depth][0], stack[depth][2]):
            depth += 1
        open_ = open_[: depth + 1]
        for path, name, number in stack[depth:]:
            region = Region(path, name, call=number)
            open_[-1].items.append(region)
            open_.append(region)
        open_[-1].items.append(node)
    return root


def norms_as_layers(graph: Graph) -> None:
    """Modules of the model that are one norm by their own weight become torch's own layer for it."""
    inside: dict[str, list[Node]] = {}
    known = graph.by_name()
    for node in graph.nodes:
        if node.kind == "call" and node.stack:
            inside.setdefault(node.stack[-1][0].split("@")[0], []).append(node)
    for path, nodes in inside.items():
        module = graph.modules.get(path)
        if module is None or module.is_own or module.children or module.buffers or list(module.parameters) != ["weight"]:
            continue
        shape, _ = module.parameters["weight"]
        if len(shape) == 1 and all(_is_norm_by(node, joined(path, "weight"), known) for node in nodes) and len({node.args[2] for node in nodes}) == 1:
            module.cls, module.is_own = "RMSNorm", True
            module.settings = {"normalized_shape": shape[0], "eps": nodes[0].args[2]}


def calls_of_layers(graph: Graph) -> None:
    """A convolution that a module runs itself, with all that a layer inside it holds, is a call of that layer."""
    known = graph.by_name()
    for node in graph.nodes:
        if node.op not in ("conv1d", "conv2d") or len(node.args) < 2 or not isinstance(node.args[1], Ref):
            continue
        path = known[node.args[1].name].path.rpartition(".")[0]
        module = graph.modules.get(path)
        if module is None or not module.is_own or _LEAF_OPS.get(module.cls) != node.op or path in [at.split("@")[0] for at, _ in node.stack]:
            continue
        held = [known[each.name].path for each in node.args[1:3] if isinstance(each, Ref)]
        if held == [joined(path, name) for name in module.parameters] and _settings_of(node) == _settings_of(module):
            node.stack = [*node.stack, (path, module.cls)]


def _settings_of(made: Node | Module) -> list[Any]:
    """Stride, padding, dilation and groups of a convolution, whether of a call or of a layer."""
    usual = (1, 0, 1, 1)
    if isinstance(made, Module):
        given = [made.settings.get(key, value) for key, value in zip(("stride", "padding", "dilation", "groups"), usual)]
    else:
        given = [*made.args[3:], *usual[len(made.args) - 3:]] if len(made.args) > 3 else list(usual)
    return [each[0] if isinstance(each, (list, tuple)) and len(set(each)) == 1 else each for each in given]


def _is_norm_by(node: Node, weight: str, known: dict[str, Node]) -> bool:
    if node.op != "word::rms_norm" or not isinstance(node.args[1], Ref):
        return False
    held = known[node.args[1].name]
    return held.kind == "parameter" and held.path == weight


def is_leaf(region: Region, modules: dict[str, Module]) -> bool:
    """Whether the call is one operator of one of torch's own modules."""
    module = modules.get(region.path)
    if module is None or not module.is_own or len(region.items) != 1:
        return False
    only = region.items[0]
    return isinstance(only, Node) and _LEAF_OPS.get(module.cls) == only.op


def is_row(region: Region, modules: dict[str, Module]) -> bool:
    """Whether the call is a Sequential of torch's own modules, each of which is one operator."""
    module = modules.get(region.path)
    if module is None or module.cls != "Sequential" or not module.is_own or not has_weights(region.path, modules):
        return False
    last, known = "", [joined(region.path, name) for name in module.children]
    for each in region.items:
        if not isinstance(each, Region) or each.path not in known or not modules[each.path].is_own or len(each.items) != 1:
            return False
        only = each.items[0]
        if not isinstance(only, Node) or last and last not in only.inputs():
            return False
        last = only.name
    return bool(last)


def has_weights(path: str, modules: dict[str, Module]) -> bool:
    """Whether a module or one inside it holds parameters."""
    lead = f"{path}." if path else ""
    return any((at == path or at.startswith(lead)) and each.parameters for at, each in modules.items())


def is_kept(region: Region, modules: dict[str, Module]) -> bool:
    """Whether the call is written as a class of its own."""
    module = modules.get(region.path)
    if module is None or module.cls in ("ModuleList", "ModuleDict", "Sequential"):
        return False
    return has_weights(region.path, modules) or len(region.nodes()) > SMALL


def items_of(region: Region, modules: dict[str, Module]) -> Iterator[Region | Node]:
    """Operators and kept calls of a region; what is not kept is opened."""
    for each in region.items:
        if isinstance(each, Node) or is_leaf(each, modules) or is_row(each, modules) or is_kept(each, modules):
            yield each
        else:
            yield from items_of(each, modules)
