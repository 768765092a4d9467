"""Records a PyTorch model as a `Graph`, by torch.export before operators are decomposed."""

from __future__ import annotations

import math
import operator
import re
import warnings
from typing import Any

import torch

from .facts import base_of, fact_of
from .graph import Dtype, Graph, Module, Node, Ref, Size, joined
from .hub import buffers_again

#: Constants of more elements are not worked out.
LARGEST_CONSTANT = 1 << 25

_MADE_BY = {
    "Linear": ("in_features", "out_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "LayerNorm": ("normalized_shape", "eps"),
    "RMSNorm": ("normalized_shape", "eps"),
    "GroupNorm": ("num_groups", "num_channels", "eps"),
    "Conv1d": ("in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation", "groups"),
    "Conv2d": ("in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation", "groups"),
}
_HINTS = {"stride": 1, "padding": 0, "dilation": 1, "groups": 1}


def record(model: torch.nn.Module, args: tuple = (), kwargs: dict | None = None, dynamic: Any = None) -> Graph:
    """Exports the model and records it; in-place operators become functional ones."""
    kwargs = kwargs or {}
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's own, about torch
        exported = torch.export.export(model, args, kwargs, dynamic_shapes=dynamic, strict=False)
        exported = exported.run_decompositions({})
    return _Recorder(exported, model).graph()


class _Recorder:
    def __init__(self, exported: Any, model: torch.nn.Module) -> None:
        self.exported, self.model = exported, model
        self.signature = exported.graph_signature
        _NAMES.update(named_sizes(exported))
        self.values = _constants(exported, buffers_again(model))
        found = [base_of(value) for value in self.values.values()]
        self.bases = list(dict.fromkeys(base for base in found if base is not None))

    def graph(self) -> Graph:
        nodes = [node for each in self.exported.graph.nodes if (node := self._node(each)) is not None]
        modules, ties = modules_of(self.model)
        return Graph(nodes, self._outputs(), modules, ties, self.values)

    def _outputs(self) -> list[str]:
        users = [spec.arg.name for spec in self.signature.output_specs if "USER" in spec.kind.name and hasattr(spec.arg, "name")]
        return list(dict.fromkeys(users))

    def _node(self, node: Any) -> Node | None:
        if node.op == "output" or isinstance(node.meta.get("val"), (torch.SymInt, int)):
            return None
        shape, dtype = _shape(node), _dtype(node)
        stack = [(path, cls if isinstance(cls, str) else f"{cls.__module__}.{cls.__qualname__}")
                 for path, cls in (node.meta.get("nn_module_stack") or {}).values()]
        stack = [(path, cls.split(".")[-1]) for path, cls in stack]
        fact = fact_of(self.values[node.name], self.bases) if node.name in self.values else {}
        if node.op == "placeholder":
            if shape is None:
                return None
            kind, path = self._leaf(node.name)
            return Node(node.name, kind, "", [], {}, shape, dtype, stack, path, fact)
        if node.op == "get_attr":
            return Node(node.name, "constant", "", [], {}, shape, dtype, stack, "", fact)
        kept = {key: _value(value) for key, value in node.kwargs.items()
                if key not in ("device", "pin_memory", "layout", "memory_format") and value is not None}
        calls = [str(key) for key in node.meta.get("nn_module_stack") or {}]
        return Node(node.name, "call", _op(node), [_value(each) for each in node.args], kept, shape, dtype, stack, "", fact, calls)

    def _leaf(self, name: str) -> tuple[str, str]:
        signature = self.signature
        if name in signature.inputs_to_parameters:
            return "parameter", signature.inputs_to_parameters[name]
        if name in signature.inputs_to_buffers:
            return "buffer", signature.inputs_to_buffers[name]
        if name in signature.inputs_to_lifted_tensor_constants:
            return "constant", signature.inputs_to_lifted_tensor_constants[name]
        return "input", ""


def _op(node: Any) -> str:
    if node.target is operator.getitem:
        return "getitem"
    packet = getattr(node.target, "_overloadpacket", None)
    if packet is None:
        return getattr(node.target, "__name__", str(node.target))
    space = str(node.target).split(".")[0]
    name = {"_unsafe_view": "reshape", "_to_copy": "to", "concat": "cat", "concatenate": "cat"}.get(packet.__name__, packet.__name__)
    return name if space == "aten" else f"{space}::{name}"


def _shape(node: Any) -> list[Any] | None:
    value = node.meta.get("val")
    return [_value(size) for size in value.shape] if isinstance(value, torch.Tensor) else None


def _dtype(node: Any) -> str:
    value = node.meta.get("val")
    return str(value.dtype).split(".")[1] if isinstance(value, torch.Tensor) else ""


def _value(value: Any) -> Any:
    if isinstance(value, torch.fx.Node):
        size = value.meta.get("val")
        return _sized(size) if isinstance(size, torch.SymInt) else Ref(value.name)
    if isinstance(value, torch.SymInt):
        return _sized(value)
    if isinstance(value, torch.dtype):
        return Dtype(str(value).split(".")[1])
    if isinstance(value, (list, tuple)):
        return [_value(each) for each in value]
    return value if isinstance(value, (int, float, bool, str, type(None))) else str(value)


#: Names of sizes that are not fixed, by torch's own symbols: those of the model that is recorded.
_NAMES: dict[str, str] = {}


def named_sizes(exported: Any) -> dict[str, str]:
    """`B` and `S` for the first sizes of the inputs that are not fixed, and further letters."""
    found: dict[str, str] = {}
    _NAMES.clear()
    letters = iter(["B", "S", "T", "U", "V", "W"])
    users = {spec.arg.name for spec in exported.graph_signature.input_specs if "USER" in spec.kind.name}
    for node in exported.graph.nodes:
        if node.op == "placeholder" and node.name in users and isinstance(node.meta.get("val"), torch.Tensor):
            for size in node.meta["val"].shape:
                if isinstance(size, torch.SymInt) and str(size) not in found and str(size).isidentifier():
                    found[str(size)] = next(letters, str(size))
    return found


def _sized(size: torch.SymInt) -> Size | int:
    """An expression over the names of sizes, as Python reads it."""
    text = str(size)
    if any(word in text for word in ("Mod", "Floor", "Piecewise", "Max", "Min", "Pow", "**")):
        raise NotImplementedError(f"the size {text} is no sum or product of sizes")
    return Size(re.sub(r"[A-Za-z_]\w*", lambda found: _NAMES.get(found[0], found[0]), text))


def modules_of(model: torch.nn.Module) -> tuple[dict[str, Module], dict[str, str]]:
    """The tree of modules, and which parameters are one weight."""
    modules: dict[str, Module] = {}
    first: dict[int, str] = {}
    ties: dict[str, str] = {}
    for path, module in model.named_modules(remove_duplicate=False):
        cls = type(module)
        made = Module(path, _class_of(module), cls.__module__.startswith("torch.nn."))
        made.settings = _settings(module) if made.is_own else {}
        made.children = [name for name, _ in module.named_children()]
        for name, weight in module._parameters.items():
            if weight is None:
                continue
            made.parameters[name] = (list(weight.shape), str(weight.dtype).split(".")[1])
            known = first.setdefault(id(weight), joined(path, name))
            if known != joined(path, name):
                ties[joined(path, name)] = known
        for name, buffer in module._buffers.items():
            if buffer is not None:
                made.buffers[name] = (list(buffer.shape), str(buffer.dtype).split(".")[1])
        modules[path] = made
    return modules, ties


def _class_of(module: torch.nn.Module) -> str:
    """The name of a module's class; a layer that torch.nn itself has under another name is that layer."""
    name = type(module).__name__
    return "Linear" if name == "NonDynamicallyQuantizableLinear" else name


def _settings(module: torch.nn.Module) -> dict[str, Any]:
    """How one of torch's own modules was made, where it is not the usual way."""
    name = _class_of(module)
    settings: dict[str, Any] = {}
    for key in _MADE_BY.get(name, ()):
        value = getattr(module, key)
        if key in ("kernel_size", "stride", "padding", "dilation") and isinstance(value, tuple):
            value = value[0] if len(set(value)) == 1 else list(value)
        if key == "normalized_shape":
            value = value[0] if len(value) == 1 else list(value)
        if key in _HINTS and value == _HINTS[key] or value is None:
            continue
        settings[key] = value
    if name in ("Linear", "Conv1d", "Conv2d") or name == "LayerNorm" and module.weight is not None:
        settings["bias"] = module.bias is not None
    if name in ("LayerNorm", "RMSNorm") and module.weight is None:
        settings["elementwise_affine"] = False
    if name not in _MADE_BY and name not in ("ModuleList", "ModuleDict", "Sequential"):
        settings["text"] = module.extra_repr()
    return settings


def _constants(exported: Any, again: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The values of everything that follows from no parameter and no input: masks, angles.

    On the meta device what is made there is made on the CPU instead; `again` has buffers of it.
    """
    signature, constant, tensors = exported.graph_signature, set(), {}
    state = {**exported.state_dict, **exported.constants, **again}
    for node in exported.graph.nodes:
        if node.op == "placeholder":
            path = signature.inputs_to_buffers.get(node.name) or signature.inputs_to_lifted_tensor_constants.get(node.name)
            if path is not None and isinstance(state.get(path), torch.Tensor) and state[path].device.type != "meta":
                constant.add(node.name)
                tensors[node.name] = state[path]
        elif isinstance(node.meta.get("val"), torch.SymInt):
            constant.add(node.name)
            tensors[node.name] = node.meta["val"].node.hint
        elif node.op == "call_function" and all(each.name in constant for each in node.all_input_nodes):
            if "rand" in str(node.target):
                continue
            value = _computed(node, tensors)
            if value is not None:
                constant.add(node.name)
                tensors[node.name] = value
    return {name: value for name, value in tensors.items() if isinstance(value, torch.Tensor)}


def _computed(node: Any, tensors: dict[str, Any]) -> Any:
    args, kwargs = torch.fx.node.map_arg((node.args, node.kwargs), lambda each: tensors[each.name])
    if kwargs.get("device") is not None:
        kwargs = {**kwargs, "device": "cpu"}
    sizes = [each for each in (node.meta.get("val"),) if isinstance(each, torch.Tensor)]
    if any(math.prod(int(size) if isinstance(size, int) else 1 for size in each.shape) > LARGEST_CONSTANT for each in sizes):
        return None
    try:
        with torch.no_grad():
            return node.target(*args, **kwargs)
    except (RuntimeError, TypeError, ValueError):
        return None
