"""Reads how a PyTorch model is split: DTensor parameters, styles of `parallelize_module`, FSDP2.

Only what the model itself holds is read; nothing is sent, so one rank may do it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from .graph import joined
from .spread import Shared, Spread

try:
    from torch.distributed.tensor import DTensor
except ImportError:  # a build of torch without distributed
    DTensor = ()  # type: ignore[assignment, misc]

#: The tables of a module that hold hooks of its calls.
_HOOKS = ("_forward_pre_hooks", "_forward_hooks", "_backward_pre_hooks", "_backward_hooks")

#: Weights of a split model above this many bytes are not made whole on one rank.
LARGEST = 4 << 30


def spread_of(model: torch.nn.Module, inputs: dict[str, Any]) -> Spread | None:
    """How a model and its inputs lie; None where nothing is split.

    Raises NotImplementedError where they lie on meshes that are no parts of one.
    """
    tensors = [*model.named_parameters(remove_duplicate=False), *inputs.items()]
    placed = {name: value for name, value in tensors if isinstance(value, DTensor)}
    styles = {path: found for path, module in model.named_modules() if (found := list(_styles(module)))}
    shared = list(_shared(model))
    meshes = [value.device_mesh for value in placed.values()]
    meshes += [mesh for found in styles.values() for mesh, _ in found] + [mesh for _, mesh in shared]
    if not meshes:
        return None
    spread = _on_one_mesh(meshes)
    for path, found in styles.items():
        for mesh, style in found:
            if style.startswith("?"):
                spread.notes.append(f"Not read: {style[1:]} {path or 'the model'}.")
            else:
                _add(spread.styles.setdefault(_names(mesh)[0], {}), path, style)
    spread.shared = [each for each, _ in shared]
    explained = _explained(model, spread)
    for name, value in placed.items():
        if name not in explained and any(not each.is_replicate() for each in value.placements):
            spread.places[name] = _dims(value)
    return spread


def whole(model: torch.nn.Module) -> torch.nn.Module:
    """The same model on one device: plain weights of the whole shapes, and only its own hooks.

    Pieces of other ranks are not fetched: what this rank lacks is drawn at random, or left without
    values (device meta) where the weights would be too large.
    """
    size = sum(value.numel() * value.element_size() for value in model.parameters() if isinstance(value, DTensor))
    return _Twins(size > LARGEST).of(model)


def whole_input(value: Any, copies: int) -> Any:
    """An input as the whole model takes it: rows of all ranks, which are those of this rank again."""
    if isinstance(value, DTensor):
        made = value.to_local()
        for dim, size in enumerate(value.shape):
            made = made.index_select(dim, torch.arange(size) % made.shape[dim])
        return made
    if isinstance(value, torch.Tensor) and value.dim() > 0 and copies > 1:
        return torch.cat([value] * copies)
    return value


class _Twins:
    """Plain copies of modules; shared ones stay shared."""

    def __init__(self, is_meta: bool) -> None:
        self.is_meta = is_meta
        self.made: dict[int, Any] = {}
        self.generator = torch.Generator().manual_seed(0)

    def of(self, module: torch.nn.Module) -> torch.nn.Module:
        if id(module) in self.made:
            return self.made[id(module)]
        cls = type(module)
        if cls.__name__.startswith(("FSDP", "Replicate")) and len(cls.__bases__) > 1 and cls.__bases__[0].__module__.startswith("torch.distributed"):
            cls = cls.__bases__[1]
        twin = self.made[id(module)] = cls.__new__(cls)
        twin.__dict__ = dict(module.__dict__)
        for table in _HOOKS:
            kept = {key: hook for key, hook in getattr(module, table, {}).items() if not _is_torchs(hook)}
            twin.__dict__[table] = type(getattr(module, table))(kept)
        twin.__dict__["_parameters"] = {name: self._tensor(value) for name, value in module._parameters.items()}
        twin.__dict__["_buffers"] = {name: self._tensor(value) for name, value in module._buffers.items()}
        twin.__dict__["_modules"] = {name: child if child is None else self.of(child) for name, child in module._modules.items()}
        return twin

    def _tensor(self, value: Any) -> Any:
        if not isinstance(value, DTensor):
            return value
        if id(value) not in self.made:
            made = self._whole(value)
            self.made[id(value)] = torch.nn.Parameter(made, value.requires_grad) if isinstance(value, torch.nn.Parameter) else made
        return self.made[id(value)]

    def _whole(self, value: Any) -> torch.Tensor:
        own = value.detach().to_local()
        if self.is_meta or own.device.type == "meta":
            return torch.empty(value.shape, dtype=value.dtype, device="meta")
        if tuple(own.shape) == tuple(value.shape):
            return own
        if not value.is_floating_point():
            return torch.zeros(value.shape, dtype=value.dtype)
        scale = float(own.float().square().mean().sqrt()) if own.numel() > 0 else 0.02
        scale = scale if 0 < scale < 1e4 else 0.02
        return (torch.randn(value.shape, generator=self.generator) * scale).to(value.dtype)


def _is_torchs(hook: Any) -> bool:
    inner = getattr(hook, "__wrapped__", hook)
    return str(getattr(inner, "__module__", "")).startswith(("torch.distributed", "torchtitan.distributed"))


def _cells(hook: Any) -> dict[str, Any]:
    """What a hook holds, by name."""
    code, closure = getattr(hook, "__code__", None), getattr(hook, "__closure__", None)
    return {} if code is None or closure is None else dict(zip(code.co_freevars, (cell.cell_contents for cell in closure)))


def _styles(module: torch.nn.Module) -> Iterator[tuple[Any, str]]:
    """The styles of a module with the mesh of each, as they are written; `?` leads one that is not known."""
    held = [_cells(hook) for table in _HOOKS[:2] for hook in getattr(module, table).values() if _is_torchs(hook)]
    applied: dict[str, dict[str, Any]] = {}
    for cells in held:
        mesh, style = cells.get("device_mesh"), cells.get("self")
        function = cells.get("input_fn") or cells.get("output_fn")
        if mesh is None:
            continue
        if style is not None:
            yield mesh, _prepared(style)
        elif function is not None:
            name = getattr(getattr(function, "func", function), "__qualname__", str(function))
            key = "input" if cells.get("input_fn") is not None else "output"
            applied.setdefault(name.split(".")[0], {"mesh": mesh})[key] = getattr(function, "args", ())
    for name, parts in applied.items():
        yield parts["mesh"], _layer_style(name, parts)


def _layer_style(name: str, parts: dict[str, Any]) -> str:
    """ColwiseParallel, RowwiseParallel or SequenceParallel with what differs from their usual arguments."""
    taken, given = parts.get("input", ()), parts.get("output", ())
    if name == "SequenceParallel" and taken:
        dim, local = taken[0][0].dim, given[0] if given else False
        return _written(name, [f"sequence_dim={dim}"] * (dim != 1) + ["use_local_output=True"] * bool(local))
    usual = {"ColwiseParallel": ("Replicate()", "Shard(-1)"), "RowwiseParallel": ("Shard(-1)", "Replicate()")}.get(name)
    if usual is None or len(taken) < 1 or len(given) < 2:
        return "?what distribute_module does with"
    takes, makes = _placement(taken[0]), _placement(given[0])
    return _written(name, [f"input_layouts={takes}"] * (takes != usual[0]) + [f"output_layouts={makes}"] * (makes != usual[1])
                    + ["use_local_output=False"] * (not given[1]))


def _prepared(style: Any) -> str:
    """PrepareModuleInput or PrepareModuleOutput."""
    name = type(style).__name__
    keys = {"PrepareModuleInput": ("input_layouts", "desired_input_layouts", "input_kwarg_layouts", "desired_input_kwarg_layouts"),
            "PrepareModuleOutput": ("output_layouts", "desired_output_layouts")}.get(name)
    if keys is None:
        return f"?the style {name} of"
    given = [f"{key}={_placement(value)}" for key in keys if (value := getattr(style, key, None))]
    usual = name == "PrepareModuleOutput"
    return _written(name, given + [f"use_local_output={style.use_local_output}"] * (style.use_local_output != usual))


def _written(name: str, given: list[str]) -> str:
    return f"{name}({', '.join(given)})"


def _placement(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}": {_placement(each)}' for key, each in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        return _placement(value[0]) if len(value) == 1 else f"({', '.join(map(_placement, value))})"
    if value is None:
        return "None"
    if value.is_shard():
        return f"Shard({value.dim})"
    return "Replicate()" if value.is_replicate() else "Partial()"


def _add(styles: dict[str, str], path: str, style: str) -> None:
    """Two styles of one module are one that says both."""
    before = styles.get(path)
    if before is None or before == style:
        styles[path] = style
        return
    parts = sorted([before, style], key=lambda each: "Output" in each.split("(")[0])
    if [each.split("(")[0] for each in parts] != ["PrepareModuleInput", "PrepareModuleOutput"]:
        raise NotImplementedError(f"{path} has the styles {before} and {style}")
    inputs, outputs = (each.split("(", 1)[1][:-1] for each in parts)
    styles[path] = f"PrepareModuleInputOutput({inputs.replace('use_local_output', 'use_local_input')}, {outputs})"


def _shared(model: torch.nn.Module) -> Iterator[tuple[Shared, Any]]:
    """What `fully_shard` and `replicate` were told, inner modules first."""
    try:
        from torch.distributed._composable_state import _get_module_state
        from torch.distributed.fsdp._fully_shard._fsdp_state import FSDPState
    except ImportError:
        return
    states: dict[int, tuple[Any, list[str]]] = {}
    for path, module in model.named_modules():
        state = _get_module_state(module)
        if isinstance(state, FSDPState):
            states.setdefault(id(state), (state, []))[1].append(path)
    for state, paths in sorted(states.values(), key=lambda each: -len(each[1][0].split(".")) * bool(each[1][0])):
        for group in state._fsdp_param_groups[:1]:
            info = group.mesh_info
            axes, word, more = _names(info.mesh), "fully_shard", ""
            if info.shard_mesh_dim is None:
                word = "replicate"
            elif not state._auto_reshard_after_forward:
                more = f", reshard_after_forward={group.post_forward_mesh_info is not None}"
            yield Shared(tuple(paths), word, tuple(axes), more + _policy(group.mp_policy)), info.mesh


def _policy(policy: Any) -> str:
    """The types that parameters are computed with and gradients are summed in."""
    keys = ("param_dtype", "reduce_dtype", "output_dtype")
    given = [f"{key}={value}" for key in keys if (value := getattr(policy, key, None)) is not None]
    return f", mp_policy=MixedPrecisionPolicy({', '.join(given)})" if given else ""


def _explained(model: torch.nn.Module, spread: Spread) -> set[str]:
    """Parameters whose places follow from a style or from `fully_shard`."""
    styled = {path for styles in spread.styles.values() for path, style in styles.items() if not style.startswith("Prepare")}
    found = {joined(path, name) for path, module in model.named_modules() if path in styled for name in module._parameters}
    tensor_axes = set(spread.styles)
    for each in spread.shared:
        for path in each.paths:
            for name, value in model.named_parameters(prefix="", remove_duplicate=False):
                inside = not path or name.startswith(f"{path}.")
                if inside and isinstance(value, DTensor) and _data_alone(value, each, tensor_axes):
                    found.add(name)
    return found


def _data_alone(value: Any, shared: Shared, tensor_axes: set[str]) -> bool:
    """Whether nothing but `fully_shard` cuts a parameter."""
    return all(placement.is_replicate() or name in shared.axes and name not in tensor_axes
               for name, placement in zip(_names(value.device_mesh), value.placements))


def _dims(value: Any) -> list[tuple[str, ...]]:
    """The mesh axes of each dim, outermost first."""
    found: list[list[str]] = [[] for _ in value.shape]
    late: list[tuple[int, str]] = []
    for name, placement in zip(_names(value.device_mesh), value.placements):
        if placement.is_partial():
            raise NotImplementedError("a tensor that is owed a sum at rest has no line")
        dim = getattr(placement, "dim", None)
        if dim is None:
            continue
        if "Strided" in type(placement).__name__:
            late.append((dim, name))
        else:
            found[dim].append(name)
    for dim, name in late:
        found[dim].append(name)
    return [tuple(axes) for axes in found]


def _names(mesh: Any) -> list[str]:
    return list(mesh.mesh_dim_names or (f"d{at}" for at in range(mesh.ndim)))


def _root(mesh: Any) -> Any:
    ask: Callable[[], Any] | None = getattr(mesh, "_get_root_mesh", None)
    return mesh if ask is None else ask()


def _on_one_mesh(meshes: list[Any]) -> Spread:
    """The mesh of which all others are dims."""
    roots = sorted((_root(mesh) for mesh in meshes), key=lambda root: -root.ndim)
    root = roots[0]
    sizes = dict(zip(_names(root), root.mesh.shape))
    for mesh in [*roots, *meshes]:
        for name, size in zip(_names(mesh), mesh.mesh.shape):
            if sizes.get(name) != size:
                raise NotImplementedError(f"the axis {name} of {size} devices is no dim of the mesh {', '.join(sizes)}")
    ranks = root.mesh.flatten().tolist()
    return Spread(list(sizes.items()), None if ranks == list(range(len(ranks))) else ranks)
