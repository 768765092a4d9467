"""One operator of a recorded graph as an expression of the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .graph import Dtype, Node, Ref, Size
from .holes import Holes, Name, plain

_INFIX = {
    "add": ("+", 5), "sub": ("-", 5), "mul": ("*", 6), "div": ("/", 6), "matmul": ("@", 6), "floor_divide": ("//", 6),
    "__and__": ("&", 4), "bitwise_and": ("&", 4), "logical_and": ("&", 4), "__or__": ("|", 3), "bitwise_or": ("|", 3),
    "logical_or": ("|", 3), "lt": ("<", 2), "le": ("<=", 2), "gt": (">", 2), "ge": (">=", 2), "eq": ("==", 2), "ne": ("!=", 2),
}
_INPLACE = {"_to_copy": "to", "_unsafe_view": "reshape", "add_": "add", "sub_": "sub", "mul_": "mul", "div_": "div", "relu_": "relu", "clamp_": "clamp"}
_FUNCTIONAL = set(
    "linear embedding layer_norm group_norm silu gelu relu softplus conv1d conv2d conv3d pad one_hot softmax "
    "log_softmax cross_entropy normalize avg_pool2d leaky_relu elu hardtanh mish logsigmoid".split()
)
_METHODS = set(
    "transpose unsqueeze squeeze flatten masked_fill index_add index_select gather scatter scatter_add sum mean cumsum split chunk unbind "
    "topk argmax argmin sort max min amax amin any all narrow repeat_interleave unflatten tril triu abs exp log sqrt rsqrt "
    "tanh sigmoid cos sin log1p t prod var clamp float diff logical_not bitwise_not square reciprocal floor round neg".split()
)
#: Operators that the board knows as functions of torch.
_TORCH = set(
    "cat stack where arange full zeros ones zeros_like ones_like full_like new_ones new_zeros bmm baddbmm addmm outer "
    "maximum minimum einsum erf isnan tensor scalar_tensor roll flip eye histc index_put _grouped_mm empty_like".split()
)
#: Operators whose result lies in memory in the order of its dims, so that a view of it is one.
_IN_ORDER = set("linear matmul bmm addmm einsum embedding conv1d conv2d view reshape one_hot sum topk word::affine word::rms_norm layer_norm".split())
_HINTS = {"embedding": "size", "dropout": "p"}

Write = Callable[..., str]


class Expressions:
    """Writes operators; `ref` gives the text of a value, with brackets where its rank is below one."""

    def __init__(self, holes: Holes, shapes: dict[str, Node]) -> None:
        self.holes, self.known = holes, shapes
        self.unknown: dict[str, list[str]] = {}

    def write(self, node: Node, ref: Write) -> tuple[str, int]:
        """The expression and how tightly it binds: 9 is an atom."""
        op = _INPLACE.get(node.op, node.op)
        args = list(node.args)
        while args and args[-1] is None:
            args.pop()
        arg = self._argument(ref)
        if op in _INFIX and len(args) == 2 and not node.kwargs:
            sign, rank = _INFIX[op]
            return f"{arg(args[0], rank)} {sign} {arg(args[1], rank + 1)}", rank
        special = getattr(self, "_" + op.replace("word::", "word_").replace("shardboard::", "own_"), None)
        if special is not None:
            return special(node, args, arg)
        if op in _FUNCTIONAL:
            return self._called(f"F.{op}", node, args, arg), 9
        if op in _METHODS:
            return f"{arg(args[0], 9)}.{self._called(op, node, args[1:], arg)}", 9
        if op.split("::")[0] != op or op not in _TORCH:
            return self._opaque(node, args, arg)
        return self._called(f"torch.{op}", node, args, arg), 9

    def _argument(self, ref: Write) -> Write:
        def arg(value: Any, rank: int = 0, hint: str = "size") -> str:
            if isinstance(value, Ref):
                return ref(value.name, rank)
            if isinstance(value, (list, tuple)):
                inner = ", ".join(arg(each, 0, hint) for each in value)
                return f"[{inner}]"
            if isinstance(value, Dtype):
                return f"torch.{value.name}"
            if isinstance(value, Size):
                return value.text
            return self.literal(value, hint)

        return arg

    def literal(self, value: Any, hint: str = "size") -> str:
        """A number, a flag or a text, as a value that may become a name."""
        if isinstance(value, Size):
            return value.text
        if isinstance(value, (list, tuple)):
            return "(" + ", ".join(self.literal(each, hint) for each in value) + ("," if len(value) == 1 else "") + ")"
        if isinstance(value, bool) or value is None or isinstance(value, str) or value in (-1, 0, 1):
            return plain(value)
        return self.holes.mark(value, hint)

    def _called(self, name: str, node: Node, args: list[Any], arg: Write) -> str:
        rest = [arg(each) for each in args] + [f"{key}={arg(value)}" for key, value in node.kwargs.items()]
        return f"{name}({', '.join(rest)})"

    def _opaque(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        """An operator without a word stands under torch's own name; the board says that it does not know it."""
        where = node.stack[-1][0] if node.stack else ""
        self.unknown.setdefault(node.op, []).append(where or "the model")
        space, _, name = node.op.rpartition("::")
        return self._called(f"torch.ops.{space or 'aten'}.{name}", node, args, arg), 9

    # Operators with a form of their own; each gives the expression and its rank.

    def _getitem(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"{arg(args[0], 9)}[{args[1]}]", 9

    def _pow(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"{arg(args[0], 9)} ** {arg(args[1], 8)}", 7

    def _neg(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"-{arg(args[0], 7)}", 7

    def _rsub(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"{arg(args[1], 5)} - {arg(args[0], 6)}", 5

    def _bitwise_not(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"~{arg(args[0], 7)}", 7

    _logical_not = _bitwise_not

    def _slice(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        dim, low, high = (args[1:] + [0, None, None])[:3] if len(args) > 1 else (0, None, None)
        shape = self.known[args[0].name].shape or []
        dim %= len(shape)
        size = shape[dim]
        if high == size or isinstance(high, int) and high >= 2**62:
            high = None
        step = f":{args[4]}" if len(args) > 4 and args[4] != 1 else ""
        cut = f"{'' if low in (None, 0) else arg(low)}:{'' if high is None else arg(high)}{step}"
        lead = "" if dim == 0 else "..., " if dim == len(shape) - 1 else ":, " * dim
        return f"{arg(args[0], 9)}[{lead}{cut}]", 9

    def _select(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        rank = len(self.known[args[0].name].shape or [1])
        dim = args[1] % rank
        lead = "..., " if dim == rank - 1 and dim > 1 else ":, " * dim
        return f"{arg(args[0], 9)}[{lead}{arg(args[2])}]", 9

    def _index(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"{arg(args[0], 9)}[{', '.join(':' if each is None else arg(each) for each in args[1])}]", 9

    def _embedding(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"F.embedding({arg(args[1])}, {arg(args[0])})", 9

    def _copied(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"{arg(args[0], 9)}.to(torch.{node.dtype})", 9

    _to = _type_as = _copied

    def _view(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        word = _INPLACE.get(node.op, node.op)
        source = self.known[args[0].name]
        if word == "view" and source.kind == "call" and source.op not in _IN_ORDER:
            word = "reshape"
        sizes = [self.mark(each, "size") if each == 1 else arg(each) for each in args[1]]
        return f"{arg(args[0], 9)}.{word}({', '.join(sizes)})", 9

    _reshape = _expand = _permute = _repeat = _view

    def _split_with_sizes(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        dim = f", dim={args[2]}" if len(args) > 2 else ""
        return f"{arg(args[0], 9)}.split({arg(args[1])}{dim})", 9

    def _split(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        dim = f", dim={args[2]}" if len(args) > 2 else ""
        return f"{arg(args[0], 9)}.split({arg(args[1])}{dim})", 9

    def _softmax(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        kind = f", dtype=torch.{args[2].name}" if len(args) > 2 and isinstance(args[2], Dtype) else ""
        return f"F.softmax({arg(args[0])}, dim={args[1]}{kind})", 9

    def _sum(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        if len(args) < 2:
            return f"{arg(args[0], 9)}.{node.op}()", 9
        dims = args[1][0] if len(args[1]) == 1 else tuple(args[1])
        keep = ", keepdim=True" if len(args) > 2 and args[2] else ""
        return f"{arg(args[0], 9)}.{node.op}(dim={dims}{keep})", 9

    _mean = _sum

    def _topk(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"{arg(args[0], 9)}.topk({self.mark(args[1], 'k')}, dim={args[2] if len(args) > 2 else -1})", 9

    def _linalg_vector_norm(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        """The root of the sum of squares; of another order it has no word."""
        if len(args) < 3 or float(args[1]) != 2.0:
            return self._opaque(node, args, arg)
        keep = ", keepdim=True" if len(args) > 3 and args[3] else ""
        dims = args[2][0] if len(args[2]) == 1 else tuple(args[2])
        return f"{arg(args[0], 9)}.square().sum(dim={dims}{keep}).sqrt()", 9

    def _layer_norm(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"F.layer_norm({', '.join([arg(args[0]), self.literal(args[1])] + [arg(each) for each in args[2:5]])})", 9

    def _clamp(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        bounds = [f"{word}={arg(value)}" for word, value in zip(("min", "max"), args[1:]) if value is not None]
        return f"{arg(args[0], 9)}.clamp({', '.join(bounds)})", 9

    def _cat(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"torch.cat(({', '.join(arg(each) for each in args[0])}), dim={args[1] if len(args) > 1 else 0})", 9

    def _einsum(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"torch.einsum({', '.join([plain(args[0])] + [arg(each) for each in args[1]])})", 9

    def _where(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"torch.where({', '.join(arg(each) for each in args)})", 9

    def _word_rms_norm(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        x, weight, eps = args
        shape = self.known[x.name].shape or [1]
        given = f", {arg(weight)}" if weight is not None else ""
        word = "" if given else "eps="
        return f"F.rms_norm({arg(x)}, ({self.literal(shape[-1])},){given}, {word}{self.literal(eps, 'eps')})", 9

    def _word_rotary(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        place = f", dim={node.kwargs['dim']}" if "dim" in node.kwargs else ""
        pairs = ", interleaved=True" if node.kwargs.get("interleaved") else ""
        return f"rotary({arg(args[0])}{place}, base={self.literal(node.kwargs['base'], 'base')}{pairs})", 9

    def _word_gelu_tanh(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f'F.gelu({arg(args[0])}, approximate="tanh")', 9

    def _word_affine(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"{arg(args[0], 6)} @ {arg(args[1], 7)} + {arg(args[2], 6)}", 5

    def _word_attention(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        kwargs = node.kwargs
        more = [arg(each) for each in args[:3]]
        if kwargs.get("varies") or kwargs.get("window") is not None:
            name = "window" if kwargs.get("causal") else "all"
            more.append(f"window={self.mark(kwargs.get('window'), name)}")
            more.append(f"scale={self.mark(kwargs.get('scale'), 'scale')}")
            return f"attention({', '.join(more)})", 9
        if kwargs.get("causal"):
            more.append("is_causal=True")
        if kwargs.get("scale") is not None:
            more.append(f"scale={self.literal(kwargs['scale'], 'scale')}")
        heads = [(self.known[each.name].shape or [])[1:2] for each in args[:2]]
        if heads[0] != heads[1]:
            more.append("enable_gqa=True")
        return f"F.scaled_dot_product_attention({', '.join(more)})", 9

    def _word_masked(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"masked({arg(args[0])}, window={self.mark(node.kwargs['window'], 'window')})", 9

    def _word_same(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return arg(args[0], 9), 9

    def _word_place(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"place({arg(args[0])}, {node.kwargs['layout']})", 9

    def mark(self, value: Any, hint: str) -> str:
        return self.holes.mark(value, hint)

    def _scaled_dot_product_attention(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        q, k, v, *rest = args
        more = [arg(q), arg(k), arg(v)] + ([f"attn_mask={arg(rest[0])}"] if rest and rest[0] is not None else [])
        causal = len(rest) > 2 and rest[2] or node.kwargs.get("is_causal")
        more += ["is_causal=True"] if causal else []
        more += [f"{key}={arg(value)}" for key, value in node.kwargs.items() if key in ("scale", "enable_gqa", "attn_mask")]
        return f"F.scaled_dot_product_attention({', '.join(more)})", 9

    def _own_dispatch(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"moe_dispatch({arg(args[0])}, {arg(args[1])}, capacity={self.mark(args[2], 'capacity')})", 9

    def _own_combine(self, node: Node, args: list[Any], arg: Write) -> tuple[str, int]:
        return f"moe_combine({arg(args[0])}, {arg(args[1])})", 9
