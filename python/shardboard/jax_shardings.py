"""`NamedSharding` of arguments and constraints inside a function, as layouts of the text."""

from __future__ import annotations

from typing import Any

from .graph import Ref
from .spread import Spread, dim_text


def spread_of(found: Any, recorder: Any) -> Spread | None:
    """The mesh of all shardings, and how weights and inputs lie; None where nothing says it.

    Raises NotImplementedError where shardings are of several meshes.
    """
    placed: dict[str, Any] = {}
    names = {node.path or node.name: node for node in recorder.nodes if node.kind in ("parameter", "buffer", "input")}
    for leaf in found.leaves:
        sharding = getattr(leaf.value, "sharding", None)
        if _is_named(sharding):
            placed[leaf.path] = sharding
    for values, shardings in recorder.jitted:
        for value, sharding in zip(values, shardings):
            node = recorder.known(value.name) if isinstance(value, Ref) else None
            if _is_named(sharding) and node is not None and node.kind != "call":
                placed[node.path or node.name] = sharding
    constraints = [sharding for sharding, _, _ in recorder.constraints if _is_named(sharding)]
    meshes = [each.mesh for each in (*placed.values(), *constraints)]
    if not meshes:
        return None
    spread = _on(meshes)
    for path, sharding in placed.items():
        for name, dims in _pieces(path, sharding, recorder, names):
            if any(dims):
                spread.places[name] = dims
            elif names[name].kind == "input":
                spread.places[name] = dims
    if any(open_ for _, _, open_ in recorder.constraints):
        spread.notes.append("Dims that a constraint leaves open are whole here.")
    return spread


def _pieces(path: str, sharding: Any, recorder: Any, names: dict[str, Any]) -> list[tuple[str, list[tuple[str, ...]]]]:
    """The places of a weight, or of its layers where a scan runs over it."""
    layers = recorder.stacks.get(path, {})
    if layers:
        dims = _dims(sharding, len(next(iter(layers.values())).shape or []) + 1)
        if dims[0]:
            recorder_note = f"{path} is cut over its layers, which are apart here"
            raise NotImplementedError(recorder_note)
        return [(node.path, dims[1:]) for node in layers.values()]
    return [(path, _dims(sharding, len(names[path].shape or [])))] if path in names else []


def _is_named(sharding: Any) -> bool:
    return type(sharding).__name__ == "NamedSharding" and sharding.mesh.size > 1


def _dims(sharding: Any, rank: int) -> list[tuple[str, ...]]:
    """The mesh axes of each dim, outermost first."""
    made: list[tuple[str, ...]] = []
    for part in (*sharding.spec, *(None for _ in range(rank - len(sharding.spec)))):
        made.append((part,) if isinstance(part, str) else tuple(part) if isinstance(part, tuple) else ())
    return made


def constraint_of(constraint: tuple[Any, int, list[int]]) -> str | None:
    """A constraint as a layout of the text; None where it says nothing."""
    sharding, rank, _ = constraint
    if not _is_named(sharding):
        return None
    return f"layout({', '.join(dim_text(each) for each in _dims(sharding, rank))})"


def _on(meshes: list[Any]) -> Spread:
    shapes = [dict(mesh.shape) for mesh in meshes]
    if any(list(each.items()) != list(shapes[0].items()) for each in shapes):
        raise NotImplementedError("arguments lie on several meshes")
    ranks = None
    for mesh in meshes:
        devices = getattr(mesh, "devices", None)
        if devices is not None:
            ids = [device.id for device in devices.flat]
            ranks = None if ids == sorted(ids) else [sorted(ids).index(each) for each in ids]
            break
    return Spread(list(shapes[0].items()), ranks)
