"""Attention that a JAX function writes out by products and a softmax, as torch's word."""

from __future__ import annotations

from typing import Any

from .graph import Graph, Node, Ref
from .patterns import View


class Growing(View):
    """A graph whose rules put new operators in front of others."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.extra: list[tuple[Node, Node]] = []


def _letters(node: Node) -> tuple[str, str, str]:
    """The dims of a product by letters: of both operands and of the result."""
    before, made = node.args[0].split("->")
    first, second = before.split(",")
    return first, second, made


def attention(node: Node, view: Growing) -> None:
    """softmax(q · k, masked or not) · v, of four dims each, whatever their order."""
    if node.op != "einsum":
        return
    for at in (0, 1):
        weights, values = node.args[1][at], node.args[1][1 - at]
        soft = view.of(weights, "softmax")
        scores = _scores(soft.args[0], view) if soft is not None and soft.args[1] in (-1, 3) else None
        if scores is None:
            continue
        product, q, k, causal, scale = scores
        own, given = _letters(node), _letters(product)
        letters = dict(zip(own[at], given[2]))
        if len(letters) != 4 or any(len(each) != 4 for each in (*own, *given)):
            return
        batch, heads, rows, columns = given[2]
        width = next((each for each in given[0] if each not in given[2]), "")
        value_dims, made = ("".join(letters.get(each, "v") for each in own[place]) for place in (1 - at, 2))
        if sorted(value_dims) != sorted(batch + heads + columns + "v") or not width or width not in given[1]:
            return
        turned = [_in_order(each, dims, wanted, view, node) for each, dims, wanted in (
            (q, given[0], batch + heads + rows + width), (k, given[1], batch + heads + columns + width), (values, value_dims, batch + heads + columns + "v"))]
        if None in turned or sorted(made) != sorted(batch + heads + rows + "v"):
            return
        usual = (view.nodes[turned[0].name].shape or [1])[-1] ** -0.5
        kept = None if abs(scale - usual) < 1e-6 * usual else scale
        inner = [made.index(each) for each in batch + heads + rows + "v"]
        attended = Node(f"{node.name}_attended", "call", "word::attention", turned, {"causal": causal, "window": None, "scale": kept},
                        [(node.shape or [])[each] for each in inner], node.dtype, list(node.stack))
        view.nodes[attended.name] = attended
        view.extra.append((node, attended))
        _turn_into(node, attended, [(batch + heads + rows + "v").index(each) for each in made])
        return


def _turn_into(node: Node, source: Node, order: list[int]) -> None:
    moved = [at for at, dim in enumerate(order) if at != dim]
    if len(moved) == 2:
        node.op, node.args = "transpose", [Ref(source.name), *moved]
    else:
        node.op, node.args = "permute", [Ref(source.name), order]
    node.kwargs = {}


def _in_order(value: Ref, dims: str, wanted: str, view: Growing, before: Node) -> Ref | None:
    """A value with its dims in another order."""
    if sorted(dims) != sorted(wanted):
        return None
    if dims == wanted:
        return value
    source = view.nodes[value.name]
    order = [dims.index(each) for each in wanted]
    turned = Node(f"{before.name}_{source.name}", "call", "", [], {}, [(source.shape or [])[each] for each in order], source.dtype, list(before.stack))
    _turn_into(turned, source, order)
    view.nodes[turned.name] = turned
    view.extra.append((before, turned))
    return Ref(turned.name)


def _scores(value: Any, view: Growing) -> tuple[Node, Ref, Ref, bool, float] | None:
    """The product behind scores, its operands, whether they are masked, and what they are multiplied by."""
    causal, scale = False, 1.0
    for _ in range(4):
        node = view.of(value, "masked_fill", "where", "mul", "div", "einsum", "to")
        if node is None:
            return None
        if node.op == "einsum":
            break
        if node.op in ("masked_fill", "where"):
            masked = _seen(node, view)
            if masked is None or causal:
                return None
            causal, value = True, masked
        elif node.op == "to":
            value = node.args[0]
        elif isinstance(node.args[1], (int, float)):
            scale, value = scale * (node.args[1] if node.op == "mul" else 1 / node.args[1]), node.args[0]
        else:
            return None
    product = view.of(value, "einsum")
    if product is None:
        return None
    q, k = product.args[1]
    if _letters(product)[2][2] not in _letters(product)[0]:
        q, k = k, q
        first, second, made = _letters(product)
        product = Node(product.name, "call", "einsum", [f"{second},{first}->{made}", [q, k]], {}, product.shape, product.dtype)
    inner = view.of(q, "mul", "div")
    if inner is not None and isinstance(inner.args[1], (int, float)) and isinstance(inner.args[0], Ref):
        scale, q = scale * (inner.args[1] if inner.op == "mul" else 1 / inner.args[1]), inner.args[0]
    return product, q, k, causal, scale


def _seen(node: Node, view: Growing) -> Any:
    """The scores of which later positions are filled with a low number; None where it is another mask."""
    if node.op == "masked_fill":
        if not isinstance(node.args[2], float) or node.args[2] > -1e9:
            return None
        hidden = view.of(node.args[1], "logical_not", "bitwise_not")
        seen, scores = (hidden.args[0] if hidden is not None else None), node.args[0]
    else:
        seen, scores = node.args[0], node.args[1]
        low = view.of(node.args[2])
        if low is None or not isinstance(low.fact.get("value", 0.0), float) or low.fact.get("value", 0.0) > -1e9:
            return None
    fact = view.nodes[seen.name].fact if isinstance(seen, Ref) else {}
    return scores if fact.get("mask") == "causal" and "window" not in fact else None
