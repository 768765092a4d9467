"""Makes a graph that was recorded from JAX as a person would write it with torch's words.

Broadcasts that the next operator makes by itself, means, softmax, norms and products by letters. Each
is exact, or a word of `WORDS`, which is taken back where the text gives other numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .clean import alive
from .graph import Graph, Node, Ref, Size
from .jax_attention import Growing, attention
from .patterns import View, becomes

_ELEMENTWISE = {"add", "sub", "mul", "div", "pow", "lt", "le", "gt", "ge", "eq", "ne", "maximum", "minimum", "where", "masked_fill", "bitwise_and", "bitwise_or", "floor_divide"}


def as_written(graph: Graph, words: set[str]) -> Graph:
    """The graph in torch's words."""
    for rule in (_without_broadcasts, _turned_products):
        graph = rule(graph)
    for word in _ORDER:
        if word in words:
            graph = _everywhere(graph, WORDS[word])
    return _without_broadcasts(graph)


def _everywhere(graph: Graph, rule: Callable[[Node, View], None]) -> Graph:
    view = Growing(graph)
    for node in graph.nodes:
        if node.kind == "call":
            rule(node, view)
    before: dict[str, list[Node]] = {}
    for node, made in view.extra:
        before.setdefault(node.name, []).append(made)
    nodes = [each for node in graph.nodes for each in (*before.get(node.name, ()), node)]
    return graph.with_nodes(alive(nodes, graph.outputs))


def _without_broadcasts(graph: Graph) -> Graph:
    """What only adds or copies dims of size 1 goes where broadcasting does it."""
    nodes = graph.by_name()
    for node in graph.nodes:
        if node.op not in _ELEMENTWISE:
            continue
        for at in range(len(node.args)):
            while True:
                arg = node.args[at]
                source = nodes[arg.name] if isinstance(arg, Ref) else None
                if source is None or source.kind != "call" or source.op not in ("expand", "reshape", "unsqueeze"):
                    break
                inner = nodes[source.args[0].name]
                if not _leads(inner.shape or [], source.shape or []):
                    break
                others = [nodes[each.name].shape or [] for k, each in enumerate(node.args) if k != at and isinstance(each, Ref)]
                if _broadcast([inner.shape or [], *others]) != node.shape:
                    break
                node.args[at] = source.args[0]
    return graph.with_nodes(alive(graph.nodes, graph.outputs))


def _leads(inner: list[Any], outer: list[Any]) -> bool:
    """Whether a shape becomes another by sizes in front, and copies of size 1."""
    if len(inner) > len(outer):
        return False
    tail = outer[len(outer) - len(inner):]
    return all(a == b or a == 1 for a, b in zip(inner, tail))


def _broadcast(shapes: list[list[Any]]) -> list[Any] | None:
    rank = max(len(shape) for shape in shapes)
    made: list[Any] = []
    for dim in range(-rank, 0):
        sizes = [shape[dim] for shape in shapes if len(shape) >= -dim and shape[dim] != 1]
        if any(each != sizes[0] for each in sizes):
            return None
        made.append(sizes[0] if sizes else 1)
    return made


def _turned_products(graph: Graph) -> Graph:
    """A product by letters whose dims are turned behind it says so itself."""
    view = View(graph)
    for node in graph.nodes:
        if node.op not in ("transpose", "permute") or node.kind != "call":
            continue
        product = view.of(node.args[0], "einsum")
        if product is None or len(view.read_by[product.name]) != 1:
            continue
        order = list(range(len(node.shape or [])))
        if node.op == "permute":
            order = list(node.args[1])
        else:
            a, b = node.args[1:]
            order[a], order[b] = b, a
        before, made = product.args[0].split("->")
        node.op, node.args = "einsum", [f"{before}->{''.join(made[dim] for dim in order)}", product.args[1]]
    return graph.with_nodes(alive(graph.nodes, graph.outputs))


def _mean(node: Node, view: View) -> None:
    """A sum over a number of elements."""
    if node.op != "div" or not isinstance(node.args[1], (int, float)):
        return
    total = view.of(node.args[0], "sum")
    if total is None or len(total.args) < 2:
        return
    shape, count = view.nodes[total.args[0].name].shape or [], 1
    for dim in total.args[1]:
        if isinstance(shape[dim], Size):
            return
        count *= shape[dim]
    if count == node.args[1]:
        node.op, node.args = "mean", list(total.args)


def _kept(node: Node, view: View) -> None:
    """A fold whose dim is put back keeps it."""
    if node.op not in ("unsqueeze", "reshape"):
        return
    fold = view.of(node.args[0], "sum", "mean", "amax", "amin")
    if fold is None or len(fold.args) > 2 or len(view.read_by[fold.name]) != 1:
        return
    shape = view.nodes[fold.args[0].name].shape or []
    dims = [dim % len(shape) for dim in fold.args[1]]
    if node.shape == [1 if at in dims else size for at, size in enumerate(shape)]:
        last = [-1] if dims == [len(shape) - 1] else dims
        node.op, node.args = fold.op, [fold.args[0], last, True]


def _softmax(node: Node, view: View) -> None:
    """exp(x − max x) over its sum."""
    if node.op != "div":
        return
    power, total = view.of(node.args[0], "exp"), view.of(node.args[1], "sum")
    moved = view.of(power.args[0], "sub") if power is not None else None
    most = view.of(moved.args[1], "amax") if moved is not None else None
    if most is None or total is None or total.args[0] != node.args[0] or len(total.args) < 3 or len(most.args) < 3:
        return
    if most.args[0] == moved.args[0] and most.args[1] == total.args[1] and len(total.args[1]) == 1:
        node.op, node.args = "softmax", [moved.args[0], total.args[1][0]]


def _root_of(value: Any, view: View) -> tuple[Any, float, Any] | None:
    """(spread, eps, weight) of rsqrt(spread + eps), or of its product with a weight."""
    node = view.of(value, "rsqrt", "mul")
    weight = None
    if node is not None and node.op == "mul":
        for at in (0, 1):
            inner = view.of(node.args[at], "rsqrt")
            if inner is not None:
                weight, node = node.args[1 - at], inner
                break
    total = view.of(node.args[0], "add") if node is not None and node.op == "rsqrt" else None
    if total is None or not isinstance(total.args[1], float):
        return None
    return total.args[0], total.args[1], weight


def _is_square(value: Any, x: Any, view: View) -> bool:
    """The mean of x² over the last dim, which is kept."""
    square = view.of(_averaged(value, view), "pow", "mul")
    return square is not None and (square.args == [x, 2] or square.args == [x, x])


def _averaged(value: Any, view: View) -> Any:
    """What a mean over the last dim, which is kept, is of."""
    node = view.of(value, "mean", "unsqueeze", "reshape")
    if node is not None and node.op != "mean" and node.shape is not None and node.shape[-1] == 1:
        node = view.of(node.args[0], "mean")
    if node is None or node.op != "mean":
        return None
    rank = len(view.nodes[node.args[0].name].shape or [])
    return node.args[0] if [dim % rank for dim in node.args[1]] == [rank - 1] else None


def _is_row(value: Any, view: View) -> bool:
    return isinstance(value, Ref) and view.nodes[value.name].kind == "parameter" and len(view.nodes[value.name].shape or []) == 1


def _norm(node: Node, view: View) -> None:
    """x · (rsqrt(mean(x²) + eps) · w), and the same of x − mean(x) with a bias behind it."""
    if node.op == "add":
        _layer_norm(node, view)
        return
    if node.op != "mul":
        return
    for at in (0, 1):
        found, x = _root_of(node.args[at], view), node.args[1 - at]
        if found is not None and isinstance(x, Ref) and _is_square(found[0], x, view) and (found[2] is None or _is_row(found[2], view)):
            weighted = [each for each in view.read_by[node.name] if each.op == "mul" and any(_is_row(arg, view) for arg in each.args)]
            if found[2] is not None or not weighted:
                becomes(node, "rms_norm", [x, found[2], found[1]], view)
            return
        inner = view.of(x, "word::rms_norm", "mul")
        if inner is not None and inner.op == "mul" and _is_row(node.args[at], view):
            for k in (0, 1):
                root, plain = _root_of(inner.args[k], view), inner.args[1 - k]
                if root is not None and root[2] is None and isinstance(plain, Ref) and _is_square(root[0], plain, view):
                    becomes(node, "rms_norm", [plain, node.args[at], root[1]], view)
                    return


def _layer_norm(node: Node, view: View) -> None:
    for at in (0, 1):
        product, bias = view.of(node.args[at], "mul"), node.args[1 - at]
        if product is None or not _is_row(bias, view):
            continue
        for k in (0, 1):
            found, moved = _root_of(product.args[k], view), view.of(product.args[1 - k], "sub")
            if found is None or moved is None or _averaged(moved.args[1], view) != moved.args[0] or not _is_row(found[2], view):
                continue
            if _reads(found[0], moved.args[0], view, 6):
                size = (node.shape or [1])[-1]
                node.op, node.args, node.kwargs = "layer_norm", [moved.args[0], [size], found[2], bias, found[1]], {}
                return


def _reads(value: Any, x: Any, view: View, depth: int) -> bool:
    """Whether a value follows from x within a few operators."""
    if value == x:
        return True
    node = view.of(value)
    return depth > 0 and node is not None and any(_reads(Ref(name), x, view, depth - 1) for name in node.inputs())


def _rows(node: Node, view: View) -> None:
    """Numbers of rows as they are: JAX counts negative ones from the end, and a text has none."""
    if node.op != "embedding":
        return
    index = view.of(node.args[1], "squeeze")
    wide = view.of(index.args[0], "unsqueeze", "reshape") if index is not None else None
    value = wide.args[0] if wide is not None and view.nodes[wide.args[0].name].shape == index.shape else None
    chosen = view.of(value, "where") if value is not None else None
    if chosen is not None:
        below = view.of(chosen.args[0], "lt")
        if below is not None and below.args[1] == 0 and below.args[0] == chosen.args[2]:
            value = chosen.args[2]
    if value is not None:
        node.args[1] = value


def _gelu(node: Node, view: View) -> None:
    """x · (0.5 · (1 + tanh(√(2/π) · (x + 0.044715 · x³))))."""
    if node.op != "mul":
        return
    for at in (0, 1):
        x, half = node.args[at], view.of(node.args[1 - at], "mul")
        one = next((found for each in half.args if (found := view.of(each, "add")) is not None), None) if half is not None else None
        bend = next((found for each in one.args if (found := view.of(each, "tanh")) is not None), None) if one is not None else None
        if bend is None or 0.5 not in half.args or 1.0 not in one.args:
            continue
        scaled = view.of(bend.args[0], "mul")
        inner = next((found for each in scaled.args if (found := view.of(each, "add")) is not None), None) if scaled is not None else None
        if inner is not None and x in inner.args and any(isinstance(each, float) and abs(each - 0.7978845608) < 1e-6 for each in scaled.args):
            becomes(node, "gelu_tanh", [x], view)
            return


WORDS: dict[str, Callable[[Node, View], None]] = {
    "rows": _rows, "mean": _mean, "kept": _kept, "softmax": _softmax, "norm": _norm, "gelu": _gelu, "attention": attention,
}

#: The order in which words are looked for: a mean may be kept, and what is kept may be a mean.
_ORDER = ("rows", "mean", "kept", "mean", "softmax", "norm", "gelu", "attention")
