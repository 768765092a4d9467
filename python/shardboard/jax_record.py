"""Records a JAX function as a `Graph`: its jaxpr with calls opened, scans as layers, names of modules."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import jax
import numpy as np
from jax.extend import core

from .graph import Graph, Module, Node, Ref, Size, joined
from .jax_layers import grouped, numbered
from .jax_modules import MARK, Given, Leaf
from .jax_maker import Filled, Maker
from .jax_operators import OPERATORS
from .jax_scans import Scans, camel

#: Constants of more elements are not worked out.
LARGEST_CONSTANT = 1 << 22
_CALLS = ("jit", "pjit", "closed_call", "core_call", "remat2", "checkpoint", "custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr", "remat")
_WHOLE = {"relu": "relu", "silu": "silu", "gelu": "gelu", "softmax": "softmax", "log_softmax": "log_softmax"}


class Recorder(Scans):
    """Walks a jaxpr; values are nodes, numbers, or one number everywhere."""

    def __init__(self, found: Given, closed: Any, sizes: dict[str, int]) -> None:
        self.found, self.closed, self.sizes = found, closed, sizes
        self.nodes: list[Node] = []
        self._known: dict[str, Node] = {}
        self.env: dict[Any, Any] = {}
        self.values: dict[str, Any] = {}
        listed = numbered({leaf.path: (leaf.value.shape, str(leaf.value.dtype)) for leaf in found.leaves if leaf.kind != "input"})
        self.listed = listed
        self.renames: list[tuple[str, str]] = sorted(listed.items(), key=lambda each: -len(each[0]))
        self.arrays: dict[Any, Any] = {}
        self.count: Counter[str] = Counter()
        self.called: Counter[str] = Counter()
        self.classes = {self._renamed(path): cls for path, cls in found.classes.items()}
        self.parameters: dict[str, tuple[list[int], str]] = {}
        self.buffers: dict[str, tuple[list[int], str]] = {}
        self.stacks: dict[str, dict[int, Node]] = {}
        self.weights: dict[str, Any] = {}
        self.constraints: list[Any] = []
        self.jitted: list[Any] = []

    def graph(self) -> Graph:
        """The whole function."""
        jaxpr = self.closed.jaxpr
        for variable, value in zip(jaxpr.constvars, self.closed.consts):
            self.env[variable] = self.constant(value)
        for variable, leaf in zip(jaxpr.invars, self.found.leaves):
            self.env[variable] = self._leaf(leaf, variable.aval)
        self.run(jaxpr, [("", self.found.title)])
        outputs = [self.tensor(self.read(each), each.aval).name for each in jaxpr.outvars]
        facts(self.nodes, self.values)
        modules = self._modules()
        grouped(self.nodes, modules)
        return Graph(self.nodes, list(dict.fromkeys(outputs)), modules, {}, self.values)

    # Values.

    def read(self, atom: Any) -> Any:
        """The value behind a variable or a literal."""
        if isinstance(atom, core.Literal):
            value = np.asarray(atom.val)
            return Filled(_short(value), []) if value.shape == () else self.constant(atom.val)
        return self.env[atom]

    def node(self, op: str, args: list[Any], aval: Any, stack: list[tuple[str, str]], **kwargs: Any) -> Ref:
        """A new operator."""
        self.count[op] += 1
        name = f"{re.sub(r'[^a-z0-9]', '_', op)}_{self.count[op]}"
        shape = None if aval is None else self.shape(aval.shape)
        self.nodes.append(Node(name, "call", op, plain(args), {key: plain(value) for key, value in kwargs.items()}, shape, "" if aval is None else str(aval.dtype), stack))
        return Ref(name)

    def shape(self, sizes: Any) -> list[Any]:
        """Sizes as numbers, and those that are not fixed as expressions."""
        return [self.size(each) for each in sizes]

    def size(self, size: Any) -> Any:
        """A size as a number or an expression."""
        if isinstance(size, (int, np.integer)):
            return int(size)
        text = str(size)
        if not re.fullmatch(r"[\w*+\- ]+", text):
            raise NotImplementedError(f"the size {text} is no sum or product of sizes")
        return Size(text)

    def known(self, name: str) -> Node:
        """The node of a name."""
        for node in self.nodes[len(self._known):]:
            self._known[node.name] = node
        return self._known[name]

    def tensor(self, value: Any, aval: Any) -> Ref:
        if isinstance(value, Ref):
            return value
        return self.node("full", [self.shape(aval.shape), value.value], aval, [])

    def _leaf(self, leaf: Leaf, aval: Any) -> Ref:
        shape, dtype = self.shape(aval.shape), str(aval.dtype)
        if leaf.kind == "input":
            node = Node(self._free(leaf.path), "input", "", shape=shape, dtype=dtype)
            self.nodes.append(node)
            return Ref(node.name)
        return self.weight(self._renamed(leaf.path), leaf.kind, shape, dtype, leaf.value)

    def weight(self, path: str, kind: str, shape: list[Any], dtype: str, value: Any) -> Ref:
        node = Node(self._free("w_" + re.sub(r"\W", "_", path)), kind, "", shape=shape, dtype=dtype, path=path)
        self.nodes.append(node)
        (self.parameters if kind == "parameter" else self.buffers)[path] = (shape, dtype)
        self.weights[path] = value
        return Ref(node.name)

    def _free(self, base: str) -> str:
        self.count[base] += 1
        return base if self.count[base] == 1 else f"{base}_{self.count[base]}"

    def constant(self, value: Any) -> Ref:
        path = self.found.held.get(id(value))
        if path is not None:
            kind = "parameter" if np.issubdtype(value.dtype, np.floating) or "float" in str(value.dtype) else "buffer"
            return self.weight(path, kind, list(value.shape), str(value.dtype), value)
        node = Node(self._free("constant"), "constant", "", shape=list(value.shape), dtype=str(value.dtype))
        self.nodes.append(node)
        self.values[node.name] = np.asarray(value)
        return Ref(node.name)

    def _work_out(self, eqn: Any) -> None:
        """The numbers of a result that follows from constants alone, at the sizes that are given."""
        arrays = []
        for atom in eqn.invars:
            value = self.read(atom)
            if isinstance(value, Filled):
                arrays.append(np.full(self._hinted(atom.aval.shape), value.value, atom.aval.dtype))
            elif value.name in self.values:
                arrays.append(self.values[value.name])
            else:
                return
        outs = [eqn.outvars[0].aval] if len(eqn.outvars) == 1 else []
        if eqn.primitive.multiple_results or not outs or np.prod(self._hinted(outs[0].shape)) > LARGEST_CONSTANT or "random" in eqn.primitive.name:
            return
        made = self.env[eqn.outvars[0]]
        if isinstance(made, Ref) and self.known(made.name).kind == "call":
            with jax.ensure_compile_time_eval():
                worked = eqn.primitive.bind(*map(jax.numpy.asarray, arrays), **{key: self._hinted(value) for key, value in eqn.params.items()})
            self.values[made.name] = np.asarray(worked)

    def _hinted(self, value: Any) -> Any:
        """A parameter of an equation with numbers in place of open sizes."""
        if isinstance(value, tuple):
            return tuple(self._hinted(each) for each in value) if not hasattr(value, "_fields") else value
        if type(value).__name__ == "_DimExpr":
            return int(eval(str(value), {}, dict(self.sizes)))
        return value

    # Equations.

    def run(self, jaxpr: Any, stack: list[tuple[str, str]]) -> None:
        for eqn in jaxpr.eqns:
            own = self._stack(eqn, stack)
            name = eqn.primitive.name
            if name in _CALLS:
                self._call(eqn, own)
            elif name == "scan":
                self.scan(eqn, own)
            else:
                self._equation(eqn, own)

    def _call(self, eqn: Any, stack: list[tuple[str, str]]) -> None:
        inner = eqn.params.get("jaxpr") or eqn.params.get("call_jaxpr") or eqn.params.get("fun_jaxpr")
        consts = list(getattr(inner, "consts", ()))
        jaxpr = getattr(inner, "jaxpr", inner)
        name = str(eqn.params.get("name", ""))
        if eqn.primitive.name in ("jit", "pjit") and any(getattr(each, "mesh", None) is not None for each in eqn.params.get("in_shardings", ())):
            self.jitted.append(([self.read(each) for each in eqn.invars], eqn.params["in_shardings"]))
        word = self._word(name, eqn)
        if word is not None:
            self.env[eqn.outvars[0]] = self.node(word[0], word[1], eqn.outvars[0].aval, stack)
            return
        if self._is_function(name, jaxpr):
            stack = [*stack, (self._function_path(name, stack), camel(name))]
        for variable, value in zip(jaxpr.constvars, consts):
            self.env[variable] = self.constant(value)
        for variable, atom in zip(jaxpr.invars, eqn.invars):
            self.env[variable] = self.read(atom)
        self.run(jaxpr, stack)
        for variable, atom in zip(eqn.outvars, jaxpr.outvars):
            self.env[variable] = self.read(atom)

    def _word(self, name: str, eqn: Any) -> tuple[str, list[Any]] | None:
        """One of JAX's own functions that has a word."""
        first = self.read(eqn.invars[0]) if eqn.invars else None
        if name in ("relu", "silu") and isinstance(first, Ref) and len(eqn.invars) == 1:
            return _WHOLE[name], [first]
        return None

    def _is_function(self, name: str, jaxpr: Any) -> bool:
        """A function that the program itself compiles is written as one; JAX's own are opened."""
        info = getattr(jaxpr, "debug_info", None)
        file = str(getattr(info, "func_src_info", "") or getattr(info, "func_filename", "") or "")
        return bool(name) and "site-packages/jax" not in file and "<lambda>" not in name and bool(file) and "flax" not in file and len(jaxpr.eqns) > 1

    def _function_path(self, name: str, stack: list[tuple[str, str]]) -> str:
        lead = joined(stack[-1][0], re.sub(r"\W", "_", name))
        self.called[lead] += 1
        return lead if self.called[lead] == 1 else f"{lead}_call{self.called[lead]}"

    def _equation(self, eqn: Any, stack: list[tuple[str, str]]) -> None:
        name = eqn.primitive.name
        maker = Maker(self, eqn, [self.read(each) for each in eqn.invars], stack)
        build = OPERATORS.get(name)
        made = build(maker) if build is not None else None
        if made is None:
            made = maker.opaque()
        for variable, value in zip(eqn.outvars, made if isinstance(made, list) else [made]):
            self.env[variable] = value
        self._work_out(eqn)

    def _stack(self, eqn: Any, stack: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The modules around an equation, outermost first."""
        parts = str(eqn.source_info.name_stack).split(MARK)[1:]
        found = list(stack)
        for part in parts:
            path = self._renamed(part.split("/")[0])
            if path and path != found[-1][0]:
                found.append((path, self.classes.get(path) or camel(path)))
        return found

    def _renamed(self, path: str) -> str:
        for before, after in self.renames:
            if path == before or path.startswith(f"{before}."):
                path = after + path[len(before):]
        return path

    # Modules.

    def _modules(self) -> dict[str, Module]:
        """The tree of modules from the paths of weights and of calls."""
        used = {name for node in self.nodes if node.kind == "call" for name in node.inputs()}
        gone = {node.path for node in self.nodes if node.kind in ("parameter", "buffer") and node.name not in used and node.path in self.stacks}
        for path in gone:
            self.parameters.pop(path, None)
        modules = {"": Module("", self.found.title)}
        first = self._first_uses()
        self.parameters = dict(sorted(self.parameters.items(), key=lambda each: first.get(each[0], len(self.nodes))))
        for table in (self.parameters, self.buffers):
            for path, shaped in table.items():
                holder, _, name = path.rpartition(".")
                self._grow(modules, holder)
                (modules[holder].parameters if table is self.parameters else modules[holder].buffers)[name] = shaped
        for node in self.nodes:
            for path, _ in node.stack:
                self._grow(modules, path)
        for module in modules.values():
            if module.children and all(name.isdigit() for name in module.children) and not module.parameters:
                module.cls, module.is_own = "ModuleList", True
        return modules

    def _first_uses(self) -> dict[str, int]:
        """Where each weight is read first."""
        paths = {node.name: node.path for node in self.nodes if node.kind in ("parameter", "buffer")}
        first: dict[str, int] = {}
        for at, node in enumerate(self.nodes):
            if node.kind == "call":
                for name in node.inputs():
                    if name in paths:
                        first.setdefault(paths[name], at)
        return first

    def _grow(self, modules: dict[str, Module], path: str) -> None:
        if path in modules:
            return
        holder, _, name = path.rpartition(".")
        self._grow(modules, holder)
        modules[path] = Module(path, self.classes.get(path) or camel(path))
        if name not in modules[holder].children:
            modules[holder].children.append(name)


def plain(value: Any) -> Any:
    """Numbers of NumPy as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def _short(value: np.ndarray) -> Any:
    """A number as it was written: 1e-06, of which 32 bits hold a little less."""
    made = value.item()
    if value.dtype.kind == "f" and value.dtype.itemsize < 8 and np.isfinite(made) and abs(made) < 1e38:
        return float(str(value))
    return made


def facts(nodes: list[Node], values: dict[str, Any]) -> None:
    """Says of constants what they are, where torch is there to look at them."""
    try:
        import torch

        from .facts import base_of, fact_of
    except ImportError:
        return
    known = {name: torch.from_numpy(np.array(value)) for name, value in values.items() if value.dtype.kind in "fb"}
    bases = list(dict.fromkeys(base for value in known.values() if (base := base_of(value)) is not None))
    for node in nodes:
        if node.name in known:
            node.fact = fact_of(known[node.name], bases)
