"""Writes the call of one module: arguments, lines, names of values."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from typing import TYPE_CHECKING

from .graph import Node
from .loops import Run, aligned, runs
from .regions import Region, is_leaf, is_row, items_of
from .steps import Body, Step, dotted

if TYPE_CHECKING:
    from .classes import Bodies

#: An expression longer than this gets a name.
LONGEST = 64
_SEVERAL = ("split", "chunk", "topk", "sort", "max", "min", "split_with_sizes", "unbind")
_PARTS = {"topk": ("best", "index"), "sort": ("sorted_", "order"), "max": ("most", "index"), "min": ("least", "index")}
_NAMES = {"attention": "attended", "scaled_dot_product_attention": "attended", "cat": "joined", "view": "x", "reshape": "x", "sum": "total", "slice": "part", "repeat_interleave": "copies"}
_TURNS = ("view", "reshape", "transpose", "permute", "word::rotary", "word::rms_norm", "unsqueeze", "expand", "to", "_to_copy")
_WIDTH = 110


class Writer:
    def __init__(self, bodies: Bodies, region: Region) -> None:
        self.all, self.region, self.modules = bodies, region, bodies.graph.modules
        self.names: dict[str, str] = {}
        self.inline: dict[str, tuple[str, int]] = {}
        self.taken: set[str] = {"self", "F", "torch", "nn", "x", *bodies.sizes}
        self.lines: list[str] = []

    def body(self) -> Body:
        steps = [self._step(each) for each in items_of(self.region, self.modules)]
        aligned(steps, self.all.of_region)
        made = {name for step in steps for name in step.makes}
        takes = self._takes(steps, made)
        gives = self._gives(made)
        self.left = Counter(name for step in steps for name in step.reads) + Counter(gives)
        self.gives = gives
        args = self._arguments(takes)
        for part in runs(steps, gives, self.region.path):
            if isinstance(part, Step):
                self._write(part)
            else:
                self._loop(part)
        result = ", ".join(self._ref(name) for name in gives)
        if result:
            self.lines.append(f"return {result}")
        return Body(self.region.path, args, self.lines, takes, gives)

    def _step(self, item: Region | Node) -> Step:
        if isinstance(item, Node):
            return Step(item.inputs(), [item.name], node=item)
        if is_leaf(item, self.modules):
            only = item.items[0]
            assert isinstance(only, Node)
            reads = [name for name in only.inputs() if self.all.inside(self.all.known[name], item.path) is None]
            return Step(reads[:1] if only.op != "embedding" else reads[-1:], [only.name], call=item)
        if is_row(item, self.modules):
            inside = {node.name for node in item.nodes()}
            reads = [name for node in item.nodes() for name in node.inputs() if name not in inside and self.all.known[name].kind != "parameter"]
            return Step(list(dict.fromkeys(reads)), [item.nodes()[-1].name], call=item)
        body = self.all.body(item)
        return Step(list(body.takes), list(body.gives), call=item)

    def _takes(self, steps: list[Step], made: set[str]) -> list[str]:
        found: dict[str, None] = {}
        for step in steps:
            for name in step.reads:
                node = self.all.known[name]
                held = node.kind == "constant" or node.kind in ("parameter", "buffer") and self.all.inside(node, self.region.path)
                if name not in made and not held:
                    found[name] = None
        if self.region.path == "":
            inputs = [node.name for node in self.all.graph.nodes if node.kind == "input"]
            return [name for name in inputs if name in found] + [name for name in found if name not in inputs]
        return list(found)

    def _gives(self, made: set[str]) -> list[str]:
        inside = {node.name for node in self.region.nodes()}
        outputs = set(self.all.graph.outputs)
        given = [name for name in made if name in outputs or any(reader.name not in inside for reader in self.all.readers[name])]
        order = {node.name: at for at, node in enumerate(self.all.graph.nodes)}
        if self.region.path == "":
            return [name for name in self.all.graph.outputs if name in made]
        return sorted(given, key=lambda name: order[name])

    def _arguments(self, takes: list[str]) -> list[str]:
        args: list[str] = []
        for at, name in enumerate(takes):
            node = self.all.known[name]
            base = node.name if self.region.path == "" else self._argument(node, at)
            if base == "x":
                self.taken.discard("x")
            self.names[name] = self._fresh(base)
            args.append(self.names[name])
        if "x" not in args:
            self.taken.discard("x")
        return args

    def _argument(self, node: Node, at: int) -> str:
        if node.dtype in ("int64", "int32"):
            return "ids" if at == 0 else "index"
        if at == 0:
            return "x"
        source = node
        for _ in range(4):
            if source.op in ("cos", "sin"):
                return source.op
            if source.kind != "call" or not source.inputs():
                break
            source = self.all.known[source.inputs()[0]]
        if node.kind in ("parameter", "buffer"):
            return node.path.split(".")[-1]
        return "mask" if node.dtype == "bool" else "y"

    def _fresh(self, base: str) -> str:
        base = re.sub(r"\W", "_", base).strip("_") or "x"
        base = f"n{base}" if base[0].isdigit() else base
        if keyword.iskeyword(base) or base in ("input", "max", "min", "sum", "any", "all", "range", "rotary", "attention", "masked", "linear"):
            base += "_"
        name, count = base, 2
        while name in self.taken:
            name, count = f"{base}{count}", count + 1
        self.taken.add(name)
        return name

    def _ref(self, name: str, rank: int = 0) -> str:
        self.left[name] -= 1
        if name in self.inline:
            text, own = self.inline.pop(name)
            return f"({text})" if own < rank else text
        node = self.all.known[name]
        if node.kind == "constant":
            return self.all.constant(node)
        if name not in self.names and node.kind in ("parameter", "buffer"):
            return self.all.inside(node, self.region.path) or node.path
        return self.names[name]

    def _write(self, step: Step) -> None:
        if step.node is not None:
            self._operator(step.node)
            return
        assert step.call is not None
        text = f"self.{dotted(self._relative(step.call.path))}({', '.join(self._ref(name) for name in step.reads)})"
        base = self._result_name(step.call.path)
        if len(step.makes) == 1:
            self._keep(step.makes[0], text, 9, base)
            return
        for name in step.makes:
            self.names[name] = self._fresh(base)
        made = ", ".join(self.names[name] for name in step.makes)
        self.lines.append(f"{made} = {text}" if made else text)

    def _relative(self, path: str) -> str:
        return path[len(self.region.path) + 1:] if self.region.path else path

    @staticmethod
    def _result_name(path: str) -> str:
        parts = [part for part in path.split(".") if not part.isdigit()]
        last = re.sub(r"_(proj|layer|layernorm)$", "", parts[-1]) if parts else "x"
        return last

    def _operator(self, node: Node) -> None:
        if node.op == "getitem" and node.name in self.names:
            self.left[node.args[0].name] -= 1
            return
        text, rank = self.all.expressions.write(node, self._ref)
        if node.op in _SEVERAL and node.shape is None:
            self._several(node, text)
            return
        base = self._origin(node) or _NAMES.get(node.op.split("::")[-1], node.op.split("::")[-1])
        self._keep(node.name, text, rank, base)

    def _origin(self, node: Node) -> str:
        """The layer that a value comes from with nothing but views and turns behind it."""
        for reader in self.all.readers[node.name]:
            if "attention" in reader.op:
                places = [at for at, each in enumerate(reader.args[:3]) if getattr(each, "name", "") == node.name]
                if places:
                    return "qkv"[places[0]]
        held = [name for name in node.inputs() if self.all.known[name].kind == "parameter"]
        if node.op in ("einsum", "matmul", "linear", "bmm") and held:
            return self._result_name(self.all.known[held[0]].path.removesuffix(".weight"))
        for _ in range(6):
            if node.op not in _TURNS or not node.inputs():
                break
            node = self.all.known[node.inputs()[0]]
        place = node.stack[-1][0] if node.stack else ""
        module = self.modules.get(place)
        # A layer outside has another name in another call of the same class.
        is_inside = place.startswith(f"{self.region.path}." if self.region.path else "")
        held = module is not None and is_inside and place != self.region.path and (module.is_own or place in self.all.of_path)
        return self._result_name(place) if held else ""

    def _several(self, node: Node, text: str) -> None:
        """An operator of several results, each under a name."""
        parts = {each.args[1]: each for each in self.all.readers[node.name] if each.op == "getitem"}
        words = _PARTS.get(node.op, ("first", "second", "third"))
        count = max(parts, default=0) + 1
        if node.op in _PARTS:
            count = 2
        elif node.op in ("split", "chunk", "split_with_sizes"):
            count = max(count, self._pieces(node))
        names = []
        for at in range(count):
            if at in parts:
                self.names[parts[at].name] = self._fresh(words[at] if at < len(words) else f"part{at}")
                names.append(self.names[parts[at].name])
            else:
                names.append("_")
        self.lines.append(f"{', '.join(names)} = {text}" if count > 1 else f"{names[0]}, = {text}")

    def _pieces(self, node: Node) -> int:
        sizes = node.args[1]
        if isinstance(sizes, list):
            return len(sizes)
        if node.op == "chunk":
            return int(sizes)
        shape = self.all.known[node.args[0].name].shape or [1]
        return -(-shape[node.args[2] if len(node.args) > 2 else 0] // sizes)

    def _keep(self, name: str, text: str, rank: int, base: str) -> None:
        """Remembers an expression for its only reader, or gives it a name."""
        once = self.left[name] == 1 and name not in self.gives and not self._is_named(name)
        last = self.left[name] == 1 and name in self.gives
        if (once or last) and _seen(text) < (LONGEST if once else _WIDTH):
            self.inline[name] = (text, rank)
            return
        self.names[name] = self._again(text, base) if rank == 5 else self._fresh(base)
        self.lines.append(f"{self.names[name]} = {text}")

    def _is_named(self, name: str) -> bool:
        """Queries, keys and values of attention have names."""
        return any("attention" in each.op for each in self.all.readers[name])

    def _again(self, text: str, base: str) -> str:
        """The name of what is added to, where nobody reads that any more."""
        for part in (text.split(" + ")[0], text.rsplit(" + ", 1)[-1]):
            holders = [value for value, name in self.names.items() if name == part]
            if holders and all(self.left[value] <= 0 for value in holders):
                return part
        return self._fresh("x" if base == "add" else base)

    def _loop(self, run: Run) -> None:
        """Equal calls of the modules of a list, one after the other."""
        first, last = run.steps[0], run.steps[-1]
        names = []
        for before, after in run.carried:
            held = self.names.get(before)
            if held is None or self.left[before] > 1 or before in self.gives:
                text = self._ref(before)
                held = self._fresh("x")
                self.lines.append(f"{held} = {text}")
            self.names[before] = held
            names.append((after, held))
        makes = dict(names)
        given = ", ".join(self.names.get(name) or self._ref(name) for name in first.reads)
        for step in run.steps:
            for name in step.reads:
                self.left[name] -= 1
        made = ", ".join(makes.get(name) or self._fresh("y") for name in last.makes)
        for name in last.makes:
            self.names[name] = makes.get(name, "y")
        word = "layer" if "layer" not in self.taken else self._fresh("layer")
        if run.again:
            word, head = run.again, f"for _ in range({self.all.holes.mark(len(run.steps), 'layers')}):"
        else:
            head = f"for {word} in {run.over}:"
        self.lines.append(head)
        self.lines.append(f"    {made} = {word}({given})")


def _seen(text: str) -> int:
    return len(re.sub("\ue000\\d+\ue001", "0000", text))
