"""How a model that is split already lies on its devices, as lines of the text. Needs no framework."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from .steps import dotted

_DIGITS = re.compile(r"(?<=\.)\d+(?=\.|$)|^\d+(?=\.|$)")
_STYLES = ("ColwiseParallel", "PrepareModuleInput", "PrepareModuleOutput", "RowwiseParallel", "SequenceParallel")


@dataclass
class Shared:
    """Modules whose parameters are shared out (`fully_shard`) or copied (`replicate`) together."""

    paths: tuple[str, ...]
    word: str
    axes: tuple[str, ...]
    more: str = ""


@dataclass
class Spread:
    """A mesh, and what lies on it.

    `styles` has for each axis the styles of modules by their paths, `places` the mesh axes of each
    dim of a parameter or an input that no style and no `fully_shard` explains, by its path or name.
    `ranks` are the devices in the order of the mesh, where they do not count up. `notes` are
    sentences about what is not written.
    """

    axes: list[tuple[str, int]] = field(default_factory=list)
    ranks: list[int] | None = None
    styles: dict[str, dict[str, str]] = field(default_factory=dict)
    shared: list[Shared] = field(default_factory=list)
    places: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def has_words(self) -> bool:
        """Whether PyTorch's own words stand in the text, which want a mesh of their own."""
        return bool(self.styles or self.shared)

    def copies(self) -> int:
        """How many devices share a batch by `fully_shard` and `replicate`."""
        sizes = dict(self.axes)
        count = 1
        for axis in {axis for each in self.shared for axis in each.axes}:
            count *= sizes[axis]
        return count

    def imports(self) -> str:
        """The lines behind the other imports."""
        if not self.has_words():
            return ""
        text = "\n".join(style for styles in self.styles.values() for style in styles.values())
        words = {each.word for each in self.shared}
        policies = ["MixedPrecisionPolicy"] if any("MixedPrecisionPolicy" in each.more for each in self.shared) else []
        lines = ["from torch.distributed.device_mesh import " + ("init_device_mesh" if self.ranks is None else "DeviceMesh")]
        if "replicate" in words:
            lines.append("from torch.distributed._composable.replicate_with_fsdp import replicate")
        if "fully_shard" in words or policies:
            lines.append(f"from torch.distributed.fsdp import {', '.join([*policies, *(['fully_shard'] if 'fully_shard' in words else [])])}")
        placements = [word for word in ("Partial", "Replicate", "Shard") if f"{word}(" in text]
        if placements:
            lines.append(f"from torch.distributed.tensor import {', '.join(placements)}")
        if self.styles:
            used = [word for word in _STYLES if f"{word}(" in text]
            lines.append(f"from torch.distributed.tensor.parallel import {', '.join([*used, 'parallelize_module'])}")
        return "\n".join(lines) + "\n"

    def mesh_line(self) -> str:
        """The mesh: our own word where only tensors are placed, else PyTorch's."""
        if not self.has_words():
            given = [f"{name}={size}" for name, size in self.axes]
            return f"mesh = Mesh({', '.join(given + ([f'devices={self.ranks}'] if self.ranks is not None else []))})\n"
        names = _tuple([f'"{name}"' for name, _ in self.axes])
        if self.ranks is None:
            return f'mesh = init_device_mesh("cuda", {_tuple([str(size) for _, size in self.axes])}, mesh_dim_names={names})\n'
        return f'mesh = DeviceMesh("cuda", {_nested(self.ranks, [size for _, size in self.axes])}, mesh_dim_names={names})\n'

    def lines(self, lists: dict[str, int], paths: Iterable[str]) -> list[str]:
        """The lines between the model and its call.

        `lists` has the number of layers of each list of modules; `paths` are those of the modules and
        the parameters that stand in the text.
        """
        made: list[str] = []
        known = Counter(_DIGITS.sub("*", path) for path in set(paths))
        for axis, styles in self.styles.items():
            entries = _alike({path: style for path, style in styles.items() if path in paths}, known)
            if entries:
                made.append(f'parallelize_module(model, mesh["{axis}"], {{')
                made += [f'    "{pattern}": {style},' for pattern, style in entries]
                made.append("})")
        made += _shared_lines(self.shared, lists)
        return made + [f'place("{_named(pattern)}", layout({", ".join(map(dim_text, dims))}))' for pattern, dims in _alike(self.places, known)]

    def left_out(self, paths: Iterable[str]) -> list[str]:
        """Sentences about what has no line."""
        gone = {path: style for styles in self.styles.values() for path, style in styles.items() if path not in paths}
        known = Counter(_DIGITS.sub("*", path) for path in gone)
        return [*self.notes, *(f"Not written: {style} of {pattern}, which has no weights and stands in line here." for pattern, style in _alike(gone, known))]


def _named(pattern: str) -> str:
    """The name of a weight as the text has it: `layers[*].up.weight`."""
    return re.sub(r"\.(\d+|\*)(?=\.|$)", r"[\1]", pattern)


def _tuple(items: list[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _nested(ranks: list[int], sizes: list[int]) -> str:
    if len(sizes) == 1:
        return str(ranks)
    step = len(ranks) // sizes[0]
    return f"[{', '.join(_nested(ranks[at:at + step], sizes[1:]) for at in range(0, len(ranks), step))}]"


def dim_text(axes: tuple[str, ...]) -> str:
    """The axes of a dim as an argument of `layout`."""
    if not axes:
        return "None"
    return f'"{axes[0]}"' if len(axes) == 1 else _tuple([f'"{axis}"' for axis in axes])


def _alike(entries: dict, known: Counter[str]) -> list[tuple[str, object]]:
    """Entries under patterns: places of lists are `*` where all that the pattern fits have the same."""
    groups: dict[str, dict[str, object]] = {}
    for path, value in entries.items():
        groups.setdefault(_DIGITS.sub("*", path), {})[path] = value
    found: list[tuple[str, object]] = []
    for pattern, group in groups.items():
        values = list(group.values())
        if len(group) > 1 and len(group) == known[pattern] and all(each == values[0] for each in values):
            found.append((pattern, values[0]))
        else:
            found += group.items()
    return found


def _shared_lines(shared: list[Shared], lists: dict[str, int]) -> list[str]:
    made: list[str] = []
    loops: dict[tuple[str, str], list[int]] = {}
    for each in shared:
        lead, _, last = each.paths[0].rpartition(".")
        if len(each.paths) == 1 and last.isdigit():
            loops.setdefault((lead, _call(each)), []).append(int(last))
    for each in shared:
        call = _call(each)
        lead, _, last = each.paths[0].rpartition(".")
        group = loops.get((lead, call), []) if len(each.paths) == 1 and last.isdigit() else []
        if len(group) > 1 and sorted(group) == list(range(lists.get(lead, -1))):
            loops[lead, call] = []
            made += [f"for layer in {_at(lead)}:", f"    {call.replace('()', 'layer', 1)}"]
        elif group or len(each.paths) != 1 or not last.isdigit() or (lead, call) not in loops:
            target = _at(each.paths[0]) if len(each.paths) == 1 else f"[{', '.join(_at(path) for path in each.paths)}]"
            made.append(call.replace("()", target, 1))
    return made


def _call(each: Shared) -> str:
    axes = ", ".join(f'"{axis}"' for axis in each.axes)
    return f"{each.word}((), mesh=mesh[{axes}]{each.more})"


def _at(path: str) -> str:
    return f"model.{dotted(path)}" if path else "model"
