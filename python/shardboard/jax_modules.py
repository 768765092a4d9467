"""What a JAX function is given: weights at their paths, and the modules of Flax that hold them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import jax

#: What leads a component of a name stack that is the path of a module of NNX.
MARK = "path:"
_COLLECTIONS = ("params", "value")


@dataclass
class Leaf:
    """An array that the function is given: a weight at a path, or an input with a name."""

    kind: str
    path: str
    value: Any


@dataclass
class Given:
    """A function of plain arrays, the arrays with their names, and the classes of modules by path."""

    call: Callable[..., Any]
    leaves: list[Leaf]
    title: str
    classes: dict[str, str] = field(default_factory=dict)
    held: dict[int, str] = field(default_factory=dict)


def given(fn: Any, args: tuple, kwargs: dict) -> Given:
    """A function and its arguments with every array apart.

    A module of Flax and any other container is weights, an array by itself an input; integers among
    weights are buffers. Of several containers each has the argument's name in front of its paths.
    """
    names = _names(fn, len(args))
    if _is_linen(fn):
        fn, names = fn.apply, ["variables", *names][: len(args)]
    values: list[tuple[str, Any]] = [*zip(names, args), *kwargs.items()]
    if _is_nnx(fn):
        values, inner, model = [("", fn), *values], fn, None
        call: Callable[..., Any] = lambda model, *rest, **more: model(*rest, **more)
        title = type(inner).__name__
    else:
        call, title = fn, getattr(getattr(fn, "__self__", None), "__class__", type(None)).__name__
        title = title if title != "NoneType" else getattr(fn, "__name__", "Model")
    found = Given(call, [], _class_name(title))
    count = sum(_holds_weights(value) for _, value in values)
    builders: list[Callable[[Iterator[Any]], Any]] = [_taken(found, name if count > 1 and name else "", name, value) for name, value in values]
    keys = list(kwargs)

    def flat(*arrays: Any) -> Any:
        rest = iter(arrays)
        made = [build(rest) for build in builders]
        cut = len(made) - len(keys)
        return call(*made[:cut], **dict(zip(keys, made[cut:])))

    found.call = flat
    found.held = _held(fn, found)
    return found


def _taken(found: Given, lead: str, name: str, value: Any) -> Callable[[Iterator[Any]], Any]:
    """Notes the arrays of an argument, and gives what makes the argument from them."""
    if _is_nnx(value):
        from flax import nnx

        definition, state = nnx.split(value)
        for path, node in nnx.iter_graph(value):
            if isinstance(node, nnx.Module):
                found.classes[_dotted(lead, path)] = type(node).__name__
        flat, tree = jax.tree_util.tree_flatten_with_path(state)
        found.leaves += [_weight(lead, path, leaf) for path, leaf in flat]
        return lambda rest: nnx.merge(definition, jax.tree_util.tree_unflatten(tree, [next(rest) for _ in flat]))
    if _holds_weights(value):
        flat, tree = jax.tree_util.tree_flatten_with_path(value)
        found.leaves += [_weight(lead, path, leaf) for path, leaf in flat]
        return lambda rest: jax.tree_util.tree_unflatten(tree, [next(rest) for _ in flat])
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        found.leaves.append(Leaf("input", name or "x", value))
        return next
    return lambda rest: value


def _weight(lead: str, path: tuple, value: Any) -> Leaf:
    kind = "parameter" if jax.numpy.issubdtype(value.dtype, jax.numpy.floating) else "buffer"
    return Leaf(kind, _dotted(lead, [_key(each) for each in path]), value)


def _key(part: Any) -> str:
    return str(getattr(part, "key", getattr(part, "idx", getattr(part, "name", part))))


def _dotted(lead: str, path: Any) -> str:
    parts = [str(each) for each in path]
    if parts and parts[-1] == "value":
        parts = parts[:-1]
    if parts and parts[0] in _COLLECTIONS:
        parts = parts[1:]
    return ".".join([lead, *parts] if lead else parts)


def _holds_weights(value: Any) -> bool:
    return _is_nnx(value) or not hasattr(value, "shape") and bool(jax.tree_util.tree_leaves(value)) and not isinstance(value, (int, float, bool, str))


def _is_nnx(value: Any) -> bool:
    try:
        from flax import nnx
    except ImportError:
        return False
    return isinstance(value, nnx.Module)


def _is_linen(value: Any) -> bool:
    try:
        from flax import linen
    except ImportError:
        return False
    return isinstance(value, linen.Module)


def _names(fn: Any, count: int) -> list[str]:
    try:
        is_module = _is_nnx(fn) or _is_linen(fn)
        target = type(fn).__call__ if is_module else fn
        names = [each.name for each in inspect.signature(target).parameters.values() if each.kind.name.startswith("POSITIONAL")][int(is_module):]
    except (TypeError, ValueError):
        names = []
    return [*names, *(f"x{at}" for at in range(len(names), count))][:count]


def _held(fn: Any, found: Given) -> dict[int, str]:
    """The paths of the arrays of Flax modules that a function holds by itself, by identity."""
    if _is_nnx(fn) or _is_linen(fn):
        return {}
    inner = getattr(fn, "__wrapped__", fn)
    code, names = getattr(inner, "__code__", None), {}
    if code is not None:
        names = {name: inner.__globals__.get(name) for name in code.co_names}
        names.update(zip(code.co_freevars, (cell.cell_contents for cell in inner.__closure__ or ())))
    models = {name: each for name, each in names.items() if _is_nnx(each)}
    paths: dict[int, str] = {}
    for name, model in models.items():
        from flax import nnx

        lead = name if len(models) > 1 else ""
        for path, node in nnx.iter_graph(model):
            if isinstance(node, nnx.Module):
                found.classes[_dotted(lead, path)] = type(node).__name__
        for path, variable in nnx.state(model).flat_state():
            paths[id(variable.get_raw_value())] = _dotted(lead, path)
    return paths


def _class_name(name: str) -> str:
    words = re.split(r"\W+|_+", name)
    made = "".join(word[:1].upper() + word[1:] for word in words if word)
    return made if made.isidentifier() else "Model"


@contextmanager
def watched(found: Given) -> Iterator[None]:
    """While it lasts, every operator knows inside which module of Flax it is made."""
    with ExitStack() as stack:
        _watch_linen(found, stack)
        _watch_nnx(found, stack)
        yield


def _watch_linen(found: Given, stack: ExitStack) -> None:
    try:
        from flax import linen
    except ImportError:
        return

    def named(call: Any, args: Any, kwargs: Any, context: Any) -> Any:
        path = ".".join(str(part) for part in context.module.path)
        found.classes.setdefault(path, type(context.module).__name__)
        if context.method_name != "__call__":
            return call(*args, **kwargs)
        with jax.named_scope(MARK + path):
            return call(*args, **kwargs)

    stack.enter_context(linen.intercept_methods(named))


def _watch_nnx(found: Given, stack: ExitStack) -> None:
    try:
        from flax import nnx
    except ImportError:
        return
    paths: dict[int, tuple[str, Any]] = {}

    def path_of(module: Any) -> str | None:
        if id(module) not in paths:
            for path, node in nnx.iter_graph(module):
                if isinstance(node, nnx.Module):
                    paths.setdefault(id(node), (_dotted("", path), node))
        return paths[id(module)][0]

    def named(call: Callable[..., Any]) -> Callable[..., Any]:
        def inner(self: Any, *args: Any, **kwargs: Any) -> Any:
            with jax.named_scope(MARK + (path_of(self) or "")):
                return call(self, *args, **kwargs)

        return inner

    seen: set[type] = set()
    for cls in _subclasses(nnx.Module):
        if "__call__" in cls.__dict__ and cls not in seen:
            seen.add(cls)
            before = cls.__dict__["__call__"]
            setattr(cls, "__call__", named(before))
            stack.callback(setattr, cls, "__call__", before)


def _subclasses(cls: type) -> Iterator[type]:
    for each in cls.__subclasses__():
        yield each
        yield from _subclasses(each)
