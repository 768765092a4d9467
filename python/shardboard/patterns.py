"""Words for what stands in a graph operator by operator: norms, rotary, attention, activations.

Every word is only a proposal: `proof.py` runs the text and takes back what gives other numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .clean import readers, without_noops
from .graph import Graph, Node, Ref

_CASTS = ("to", "_to_copy", "type_as")
_WIDTHS = {"float64": 8, "float32": 4, "bfloat16": 2, "float16": 2}
_SHAPES = (*_CASTS, "unsqueeze", "expand", "mul", "slice", "view", "reshape")


def with_words(graph: Graph, words: set[str]) -> Graph:
    """The graph with the named words in place of what they stand for."""
    view = View(graph)
    for node in graph.nodes:
        for word in WORDS:
            if word in words and node.kind == "call":
                WORDS[word](node, view)
    return without_noops(graph)


class View:
    """A graph as patterns look at it: by name, and who reads what."""

    def __init__(self, graph: Graph) -> None:
        self.nodes, self.read_by = graph.by_name(), readers(graph.nodes)

    def of(self, value: Any, *ops: str) -> Node | None:
        """The node behind a value, if it is a call of one of the operators."""
        if not isinstance(value, Ref):
            return None
        node = self.nodes[value.name]
        return node if node.kind == "call" and (not ops or node.op in ops) else None

    def uncast(self, value: Any) -> Any:
        """The value in front of all casts."""
        while (node := self.of(value, *_CASTS)) is not None:
            value = node.args[0]
        return value

    def unwidened(self, value: Any) -> Any:
        """The value in front of casts to wider types: one to a narrower type rounds, and stays."""
        while (node := self.of(value, *_CASTS)) is not None and isinstance(node.args[0], Ref):
            if _WIDTHS.get(node.dtype, 0) < _WIDTHS.get(self.nodes[node.args[0].name].dtype, 0):
                break
            value = node.args[0]
        return value

    def either(self, node: Node, *ops: str) -> tuple[Node, Any] | None:
        """Of two operands, the one that is a call of the operators (behind casts), and the other."""
        for at in (0, 1):
            found = self.of(self.uncast(node.args[at]), *ops)
            if found is not None:
                return found, node.args[1 - at]
        return None


def becomes(node: Node, word: str, args: list[Any], view: View, **kwargs: Any) -> None:
    """Makes a node that word; its result has the type of its first operand."""
    node.dtype = view.nodes[args[0].name].dtype
    node.op, node.args, node.kwargs = f"word::{word}", args, kwargs


def _rms_norm(node: Node, view: View) -> None:
    """weight · x · rsqrt(mean(x²) + eps), the weight perhaps with 1 added."""
    if node.op != "mul":
        return
    core = _root(node, view)
    if core is not None:
        weighted = [each for each in _beyond_casts(node, view) if each.op == "mul" and _weight(each, view, node) is not None]
        if not weighted:
            becomes(node, "rms_norm", [core[0], None, core[1]], view)
        return
    for at in (0, 1):
        inner = view.of(view.uncast(node.args[at]), "mul", "word::rms_norm")
        weight = node.args[1 - at]
        found = _root(inner, view) if inner is not None and inner.op == "mul" else None
        if found is not None and _is_weight(weight, view):
            becomes(node, "rms_norm", [found[0], _own_type(weight, view), found[1]], view)
            return


def _beyond_casts(node: Node, view: View) -> list[Node]:
    found = []
    for reader in view.read_by[node.name]:
        found += _beyond_casts(reader, view) if reader.op in _CASTS else [reader]
    return found


def _weight(node: Node, view: View, core: Node) -> Any:
    for at in (0, 1):
        if isinstance(view.uncast(node.args[at]), Ref) and view.uncast(node.args[at]).name == core.name:
            return node.args[1 - at] if _is_weight(node.args[1 - at], view) else None
    return None


def _is_weight(value: Any, view: View) -> bool:
    value = view.uncast(value)
    if not isinstance(value, Ref):
        return False
    node = view.nodes[value.name]
    if node.kind == "call" and node.op == "add":
        return node.args[1] == 1 and _is_weight(node.args[0], view)
    return node.kind == "parameter" and node.shape is not None and len(node.shape) == 1


def _own_type(value: Any, view: View) -> Any:
    """A weight, perhaps with 1 added, without the casts around it."""
    value = view.uncast(value)
    node = view.nodes[value.name]
    if node.kind == "call":
        node.args[0] = view.uncast(node.args[0])
        node.dtype = view.nodes[node.args[0].name].dtype
    return value


def _root(node: Node, view: View) -> tuple[Any, float] | None:
    """(x, eps) of x · rsqrt(mean(x²) + eps)."""
    if len(node.args) != 2:
        return None
    for at in (0, 1):
        root, x = view.of(node.args[at], "rsqrt"), node.args[1 - at]
        total = view.of(root.args[0], "add") if root is not None else None
        mean = view.of(total.args[0], "mean") if total is not None else None
        square = view.of(mean.args[0], "pow") if mean is not None else None
        if square is None or square.args[1] != 2 or not isinstance(total.args[1], float):
            continue
        if mean.args[1:] == [[-1], True] and view.uncast(square.args[0]) == view.uncast(x):
            return view.unwidened(x), total.args[1]
    return None


def _angle(value: Any, view: View, word: str) -> tuple[dict, int] | None:
    """What is known of a constant cosine or sine, and along which dim positions run."""
    if not isinstance(value, Ref):
        return None
    node = view.nodes[value.name]
    shape, source, steps = node.shape or [], node, []
    while source.fact.get("turn") != word:
        behind = view.of(Ref(source.name), *_SHAPES, "repeat_interleave")
        if behind is None or not isinstance(behind.args[0], Ref):
            return None
        steps.insert(0, behind)
        source = view.nodes[behind.args[0].name]
    halves = _halves(source, steps, view)
    places = [size for size in (source.shape or [])[:-1] if size != 1][-1:]
    wide = [at for at, size in enumerate(shape[:-1]) if [size] == places]
    return (dict(source.fact, halves=halves), wide[-1] - len(shape)) if wide and halves is not None else None


def _halves(source: Node, steps: list[Node], view: View) -> Any:
    """How often each angle stands along the last dim behind some steps: in halves, or beside itself."""
    halves: Any = source.fact["halves"]
    for step in steps:
        before, after = (view.nodes[step.args[0].name].shape or [0])[-1], (step.shape or [0])[-1]
        if step.op == "repeat_interleave":
            if halves != 1 or step.args[1] != 2 or after != 2 * before:
                return None
            halves = "pairs"
        elif step.op == "slice" and before != after:
            if halves != 2 or before != 2 * after or (step.args[2:] or [0])[0] not in (0, None):
                return None
            halves = 1
    return halves


def _rotary(node: Node, view: View) -> None:
    """x · cos + (−x₂, x₁) · sin, where cos and sin are of position · base^(−2i/d)."""
    if node.op == "cat":
        _rotary_in_halves(node, view)
        return
    if node.op in ("view", "reshape", "_unsafe_view", "flatten"):
        _rotary_in_pairs(node, view)
        return
    if node.op != "add" or len(node.args) != 2:
        return
    left, right = (view.of(each, "mul") for each in node.args)
    if left is None or right is None:
        return
    (x, cos), (turned, sin) = left.args, right.args
    if view.unwidened(x) != x:
        x, turned = view.unwidened(x), view.unwidened(turned)
    joined = view.of(turned, "cat")
    first, second = _angle(cos, view, "cos"), _angle(sin, view, "sin")
    if first is None or second is None or first != (dict(second[0], turn="cos"), second[1]):
        return
    if first[0]["halves"] == "pairs" and _is_turned_beside(turned, x, view):
        _becomes_rotary(node, x, first, view, interleaved=True)
    elif joined is not None and first[0]["halves"] == 2 and _is_turned(joined, x, view):
        _becomes_rotary(node, x, first, view)


def _becomes_rotary(node: Node, x: Any, angle: tuple[dict, int], view: View, **pairs: bool) -> None:
    place = {} if angle[1] == -2 else {"dim": angle[1]}
    becomes(node, "rotary", [x], view, **place, base=angle[0]["base"], **pairs)


def _is_turned_beside(value: Any, x: Any, view: View) -> bool:
    """(−x₁, x₀, −x₃, x₂, …): neighbours exchanged, one of them with the other sign."""
    flat = view.of(value, "view", "reshape", "_unsafe_view", "flatten")
    joined = view.of(flat.args[0], "stack") if flat is not None else None
    if joined is None or len(joined.args[0]) != 2 or (joined.args[1:] or [0])[0] not in (-1, len(joined.shape or []) - 1):
        return False
    minus, low = view.of(joined.args[0][0], "neg"), joined.args[0][1]
    return minus is not None and _every_second(minus.args[0], view) == (x, 1) and _every_second(low, view) == (x, 0)


def _every_second(value: Any, view: View) -> tuple[Any, int] | None:
    """What a slice of every second element of the last dim is of, and where it begins."""
    cut = view.of(value, "slice")
    if cut is None:
        return None
    dim, start, _, step = (*cut.args[1:], *[None] * 4)[:4]
    last = dim in (-1, len(cut.shape or []) - 1)
    return (cut.args[0], start or 0) if last and step == 2 else None


def _rotary_in_pairs(node: Node, view: View) -> None:
    """Neighbours (a, b) of the last dim as (a · cos − b · sin, a · sin + b · cos), side by side again."""
    joined = view.of(node.args[0], "stack")
    if joined is None or len(joined.args[0]) != 2 or (joined.args[1:] or [0])[0] not in (-1, len(joined.shape or []) - 1):
        return
    minus, plus = view.of(joined.args[0][0], "sub"), view.of(joined.args[0][1], "add")
    if minus is None or plus is None:
        return
    made = [view.of(each, "mul") for each in (*minus.args[:2], *plus.args[:2])]
    if any(each is None for each in made):
        return
    (a, cos), (b, sin), *rest = (tuple(each.args) for each in made if each is not None)
    if sorted(map(str, rest)) != sorted(map(str, [(a, sin), (b, cos)])):
        return
    one, two = _neighbour(a, view), _neighbour(b, view)
    first, second = _angle(cos, view, "cos"), _angle(sin, view, "sin")
    if one is None or two is None or first is None or second is None or first[0]["halves"] != 1:
        return
    if one == (two[0], 0) and two[1] == 1 and first == (dict(second[0], turn="cos"), second[1]):
        _becomes_rotary(node, one[0], first, view, interleaved=True)


def _neighbour(value: Any, view: View) -> tuple[Any, int] | None:
    """What a value has the first or the second neighbours of."""
    found = _every_second(value, view)
    if found is not None:
        return found
    picked = view.of(value, "select")
    at = picked.args[2] if picked is not None else None
    if picked is None:
        part = view.of(value, "getitem")
        picked, at = (view.of(part.args[0], "unbind"), part.args[1]) if part is not None else (None, None)
    if picked is None or (picked.args[1:] or [0])[0] not in (-1, len(view.nodes[picked.args[0].name].shape or []) - 1):
        return None
    paired = view.of(picked.args[0], "view", "reshape", "_unsafe_view")
    if paired is None or (paired.shape or [0])[-1] != 2 or at not in (0, 1):
        return None
    x = view.nodes[paired.args[0].name]
    return (paired.args[0], at) if (x.shape or [])[:-1] == (paired.shape or [])[:-2] else None


def _is_turned(joined: Node, x: Any, view: View) -> bool:
    if len(joined.args[0]) != 2 or (joined.args[1:] or [0])[0] not in (-1, len(joined.shape or []) - 1):
        return False
    minus, low = view.of(joined.args[0][0], "neg"), view.of(joined.args[0][1], "slice")
    high = view.of(minus.args[0], "slice") if minus is not None else None
    return low is not None and high is not None and view.unwidened(low.args[0]) == view.unwidened(high.args[0]) == view.unwidened(x)


def _rotary_in_halves(node: Node, view: View) -> None:
    """(x₁ · cos − x₂ · sin, x₂ · cos + x₁ · sin) along the last dim."""
    parts = node.args[0]
    if not isinstance(parts, list) or len(parts) != 2:
        return
    minus, plus = view.of(parts[0], "sub"), view.of(parts[1], "add")
    if minus is None or plus is None:
        return
    made = [view.of(each, "mul") for each in (*minus.args, *plus.args)]
    if any(each is None for each in made):
        return
    (a, cos), (b, sin), (b2, cos2), (a2, sin2) = (each.args for each in made if each is not None)
    one, two = view.of(a, "getitem"), view.of(b, "getitem")
    if (a, b, cos, sin) != (a2, b2, cos2, sin2) or one is None or two is None or one.args[0] != two.args[0]:
        return
    whole = view.of(one.args[0], "split", "chunk", "split_with_sizes")
    first, second = _angle(cos, view, "cos"), _angle(sin, view, "sin")
    if whole is None or first is None or second is None or first[0]["halves"] != 1:
        return
    if first == (dict(second[0], turn="cos"), second[1]):
        _becomes_rotary(node, whole.args[0], first, view)


def _attention(node: Node, view: View) -> None:
    """torch's own attention with a mask that has a word."""
    if node.op != "scaled_dot_product_attention":
        return
    q, k, v, *rest = node.args
    mask = rest[0] if rest else node.kwargs.get("attn_mask")
    causal = bool(rest[2]) if len(rest) > 2 else bool(node.kwargs.get("is_causal", False))
    window, scale = None, node.kwargs.get("scale")
    if mask is not None:
        fact = view.nodes[mask.name].fact
        if "mask" not in fact:
            return
        causal, window = fact["mask"] == "causal", fact.get("window")
    becomes(node, "attention", [_repeated(k_or_q, view) for k_or_q in (q, k, v)], view, causal=causal, window=window, scale=scale)


def _masked(node: Node, view: View) -> None:
    """Scores + a mask of zeros and the lowest number, or that number where a mask of truths says so."""
    if node.op in ("where", "masked_fill"):
        _chosen(node, view)
        return
    if node.op != "add" or len(node.args) != 2 or not isinstance(node.args[1], Ref):
        return
    mask = view.nodes[node.args[1].name]
    if mask.fact.get("mask") == "causal" and mask.dtype.startswith(("float", "bfloat")):
        inner = view.of(node.args[0], "word::masked")
        if inner is not None and mask.fact.get("window") is None:
            becomes(node, "same", [node.args[0]], view)
            return
        becomes(node, "masked", [node.args[0]], view, window=mask.fact.get("window"))
    elif mask.fact.get("mask") == "none" and node.shape == view.nodes[node.args[0].name].shape:
        becomes(node, "same", [node.args[0]], view)


def _chosen(node: Node, view: View) -> None:
    """Scores where a causal mask is true, or where its opposite is not, and else the lowest number."""
    if len(node.args) != 3 or not all(isinstance(each, Ref) for each in node.args[:2]):
        return
    filled = node.op == "masked_fill"
    scores, mask = node.args[:2] if filled else node.args[1::-1]
    fact = view.nodes[mask.name].fact
    seen = fact.get("hides", {}) if filled else fact
    low = node.args[2] if not isinstance(node.args[2], Ref) else view.nodes[node.args[2].name].fact.get("value")
    if seen.get("mask") == "causal" and isinstance(low, float) and low < -1e9 and view.nodes[scores.name].shape == node.shape:
        becomes(node, "masked", [scores], view, window=seen.get("window"))


def _repeated(value: Any, view: View) -> Any:
    """The keys in front of their copies for every query of a group."""
    flat = view.of(value, "reshape", "view", "_unsafe_view")
    wide = view.of(flat.args[0], "expand") if flat is not None else None
    more = view.of(wide.args[0], "unsqueeze") if wide is not None else None
    if more is None or flat is None or more.args[1] != 2 or len(flat.shape or []) != 4 or wide is None:
        return value
    inner = view.nodes[more.args[0].name].shape or []
    return more.args[0] if len(inner) == 4 and inner[0] == flat.shape[0] and inner[2:] == flat.shape[2:] else value


def _gelu(node: Node, view: View) -> None:
    """x / 2 · (1 + tanh(√(2/π) · (x + 0.044715 x³)))."""
    if node.op != "mul":
        return
    half, one = view.of(node.args[0], "mul"), view.of(node.args[1], "add")
    bend = view.of(one.args[0], "tanh") if one is not None else None
    scaled = view.of(bend.args[0], "mul") if bend is not None else None
    inner = view.of(scaled.args[0], "add") if scaled is not None else None
    if half is None or one is None or scaled is None or inner is None or half.args[1] != 0.5 or one.args[1] != 1.0:
        return
    if isinstance(scaled.args[1], float) and abs(scaled.args[1] - 0.7978845608) < 1e-6 and inner.args[0] == half.args[0]:
        becomes(node, "gelu_tanh", [half.args[0]], view)


def _affine(node: Node, view: View) -> None:
    """A product of rows that were flattened for it: x @ w + b."""
    if node.op not in ("view", "reshape", "_unsafe_view"):
        return
    product = view.of(node.args[0], "addmm")
    flat = view.of(product.args[1], "view", "reshape") if product is not None else None
    if product is None or flat is None or product.kwargs:
        return
    x = view.nodes[flat.args[0].name]
    if x.shape is not None and x.shape[:-1] == (node.shape or [])[:-1] and x.shape[-1] == (flat.shape or [])[-1]:
        becomes(node, "affine", [flat.args[0], product.args[2], product.args[0]], view)
        node.stack, node.calls = product.stack, product.calls


def _filled(node: Node, view: View) -> None:
    """Parts copied side by side into an empty tensor, which are those parts joined."""
    if node.op != "slice_scatter":
        return
    parts: list[Any] = []
    at: Node | None = node
    dim, start = node.args[2] if len(node.args) > 2 else 0, None
    while at is not None and at.op == "slice_scatter" and (at.args[2] if len(at.args) > 2 else 0) == dim:
        low, high = (at.args[3:5] + [None, None])[:2]
        copied = view.of(at.args[1], "copy")
        part = copied.args[1] if copied is not None else at.args[1]
        whole = (node.shape or [])[dim]
        if start is not None and high != start or start is None and isinstance(high, int) and high < whole:
            return
        if not isinstance(part, Ref) or view.nodes[part.name].shape != view.nodes[at.args[1].name].shape:
            return
        parts.insert(0, part)
        start, at = low or 0, view.of(at.args[0])
    if start == 0 and at is not None and at.op in ("new_empty", "empty", "empty_like", "new_zeros", "zeros"):
        node.op, node.args, node.kwargs = "cat", [parts, dim], {}


WORDS: dict[str, Callable[[Node, View], None]] = {
    "rms_norm": _rms_norm,
    "rotary": _rotary,
    "attention": _attention,
    "masked": _masked,
    "gelu": _gelu,
    "affine": _affine,
    "cat": _filled,
}
