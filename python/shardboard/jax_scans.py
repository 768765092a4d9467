"""Scans of a jaxpr: over stacked weights they are layers, over data they are written run by run."""

from __future__ import annotations

import re
from typing import Any

import jax

from .graph import Ref
from .jax_maker import Filled

#: A scan over data of more runs is refused.
LONGEST_SCAN = 256


class Scans:
    """The part of the recorder that opens scans."""

    # What the recorder has besides: tables of values, and how equations are run.
    renames: list[tuple[str, str]]
    classes: dict[str, str]
    env: dict[Any, Any]
    stacks: dict[str, dict[int, Any]]
    weights: dict[str, Any]
    read: Any
    node: Any
    known: Any
    shape: Any
    tensor: Any
    constant: Any
    weight: Any
    run: Any

    def scan(self, eqn: Any, stack: list[tuple[str, str]]) -> None:
        params = eqn.params
        consts, carries, length = params["num_consts"], params["num_carry"], params["length"]
        jaxpr = params["jaxpr"].jaxpr
        atoms = [self.read(each) for each in eqn.invars]
        held, carry, over = atoms[:consts], atoms[consts:consts + carries], atoms[consts + carries:]
        if not isinstance(length, int) or length > LONGEST_SCAN and not any(self._stacked(each) for each in over):
            raise NotImplementedError(f"a scan of {length} runs over data is not written yet")
        lead = self._common([path for each in over if (path := self._stacked(each)) is not None])
        made: list[list[Any]] = []
        order = range(length - 1, -1, -1) if params.get("reverse") else range(length)
        for at in order:
            inner = stack
            if lead is not None:
                path = f"{lead}.{at}"
                self.renames.append((lead, path))
                self.classes.setdefault(path, self.classes.get(lead, camel(lead)))
                inner = [*stack, (path, self.classes[path])]
            slices = [self._slice(each, at, lead, aval.aval) for each, aval in zip(over, jaxpr.invars[consts + carries:])]
            for variable, value in zip(jaxpr.constvars, params["jaxpr"].consts):
                self.env[variable] = self.constant(value)
            for variable, value in zip(jaxpr.invars, [*held, *carry, *slices]):
                self.env[variable] = value
            self.run(jaxpr, inner)
            results = [self.read(each) for each in jaxpr.outvars]
            carry = results[:carries]
            made.append(results[carries:])
            if lead is not None:
                self.renames.pop()
        columns = [list(column) for column in zip(*(made[::-1] if params.get("reverse") else made))]
        joined_ = [self._joined(column, out, stack) for column, out in zip(columns, eqn.outvars[carries:])]
        for variable, value in zip(eqn.outvars, [*carry, *joined_]):
            self.env[variable] = value

    def _joined(self, column: list[Any], out: Any, stack: list[tuple[str, str]]) -> Any:
        """What all runs gave, one behind the other."""
        first = type(out.aval)(out.aval.shape[1:], out.aval.dtype)
        return self.node("stack", [[self.tensor(each, first) for each in column], 0], out.aval, stack)

    def _stacked(self, value: Any) -> str | None:
        """The path of a weight that holds those of all layers."""
        if not isinstance(value, Ref):
            return None
        node = self.known(value.name)
        return node.path if node.kind == "parameter" else None

    @staticmethod
    def _common(paths: list[str]) -> str | None:
        """The module in which all stacked weights lie."""
        if not paths:
            return None
        split = [path.split(".")[:-1] for path in paths]
        common = 0
        while all(len(each) > common and each[common] == split[0][common] for each in split):
            common += 1
        return ".".join(split[0][:common]) or "layers"

    def _slice(self, value: Any, at: int, lead: str | None, aval: Any) -> Any:
        """What a run takes of a value: a weight of its own layer, or a part of the data."""
        if not isinstance(value, Ref):
            return Filled(value.value, self.shape(aval.shape))
        node = self.known(value.name)
        if node.kind == "parameter" and lead is not None:
            made = self.stacks.setdefault(node.path, {})
            if at not in made:
                rest = node.path[len(lead) + 1:] if node.path.startswith(f"{lead}.") else node.path
                array = self.weights[node.path]
                piece = array[at] if hasattr(array, "__getitem__") else jax.ShapeDtypeStruct(array.shape[1:], array.dtype)
                ref = self.weight(f"{lead}.{at}.{rest}", "parameter", list(node.shape or [])[1:], node.dtype, piece)
                made[at] = self.known(ref.name)
            return Ref(made[at].name)
        return self.node("select", [value, 0, at], aval, [])


def camel(path: str) -> str:
    """A class for a path: `layers.0.self_attn` is a SelfAttn."""
    parts = [part for part in path.split(".") if not part.isdigit()]
    last = re.sub(r"_call\d+$|_\d+$", "", parts[-1]) if parts else "Model"
    made = "".join(word[:1].upper() + word[1:] for word in last.split("_") if word)
    return made if made.isidentifier() else "Part"
