"""The texts of a family at several configurations as one, with names for sizes."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Any

from family import BATCH, Family, Traced, traced

from shardboard.layout import reflowed
from shardboard.sizes import Explainer


@dataclass
class Line:
    """A line of the merged text: its template, the values in it at each trace, and its conditions."""

    template: str
    slots: list[dict[int, tuple[Any, str]]]
    guard: str = ""


def merged(family: Family) -> tuple[str, list[str], float]:
    """The text with names, the names that it uses, and the largest difference that was found."""
    count = len(BATCH)
    base_keys = [{key: values[at] for key, values in family.sizes.items()} for at in range(count)]
    off = {key: False for key in family.switches}
    traces = [traced(family, {**base_keys[at], **off}, at) for at in range(count)]
    lines = [Line(line, [{0: value} for value in slots]) for line, slots in zip(traces[0].lines, traces[0].slots)]
    for at in range(1, count):
        if traces[at].lines != traces[0].lines:
            apart = [(a, b) for a, b in zip(traces[0].lines, traces[at].lines) if a != b][:3]
            raise ValueError(f"{family.name}: the text depends on sizes: {apart}")
        for line, slots in zip(lines, traces[at].slots):
            for known, value in zip(line.slots, slots):
                known[at] = value
    for key in family.switches:
        more = [traced(family, {**base_keys[at], **off, key: True}, at) for at in range(count)]
        lines = _with_switch(lines, key, more, len(traces))
        traces += more
    explainer = Explainer([trace.env for trace in traces])
    unknown = {op for trace in traces for op in trace.unknown}
    if unknown:
        raise ValueError(f"{family.name}: no word for {', '.join(sorted(unknown))}")
    text = "\n".join(_explained(lines, traces, explainer, family))
    worst = max(trace.apart for trace in traces)
    names = [name for name in traces[0].env if re.search(rf"(?<![.\w]){name}(?!\w)", text)]
    return reflowed(text), names, worst


def _with_switch(lines: list[Line], key: str, more: list[Traced], start: int) -> list[Line]:
    """The lines with those that only stand where the key is true."""
    stand, behind = _standing(lines)
    before, after = [line.template for line in stand], more[0].lines
    for other in more[1:]:
        if other.lines != after:
            raise ValueError(f"with {key} the text depends on sizes")
    made: list[Line] = []

    def new(at: int, guard: str) -> Line:
        slots = [{start + k: trace.slots[at][s] for k, trace in enumerate(more)} for s in range(len(more[0].slots[at]))]
        return Line(after[at], slots, guard)

    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            for line, at in zip(stand[a:b], range(c, d)):
                for k, trace in enumerate(more):
                    for known, value in zip(line.slots, trace.slots[at]):
                        known[start + k] = value
                made += [line, *behind.get(id(line), [])]
            continue
        places = [_bias_place(x, y) for x, y in zip(before[a:b], after[c:d])]
        if b - a == d - c and all(place is not None for place in places):
            for line, at, place in zip(stand[a:b], range(c, d), places):
                for k, trace in enumerate(more):
                    values = [*trace.slots[at][:place], (True, "bias"), *trace.slots[at][place:]]
                    for known, value in zip(line.slots, values):
                        known[start + k] = value
                made += [line, *behind.get(id(line), [])]
            continue
        if any(line.guard for line in stand[a:b]):
            raise ValueError(f"two keys change the same line: {key}, {stand[a].guard}")
        for line in stand[a:b]:
            made += [Line(line.template, line.slots, f"not {key}"), *behind.get(id(line), [])]
        made += [new(at, key) for at in range(c, d)]
    return made


_BIAS = ", bias=\ue000"


def _bias_place(without: str, given: str) -> int | None:
    """The place, among the values of a layer without a bias, of the one that says so; the other has a bias."""
    at = without.find(_BIAS)
    return without[:at].count("\ue000") if at >= 0 and without.replace(_BIAS, "", 1) == given else None


def _standing(lines: list[Line]) -> tuple[list[Line], dict[int, list[Line]]]:
    """The lines that stand where every switch is off, and those of other switches behind each."""
    stand: list[Line] = []
    behind: dict[int, list[Line]] = {}
    for line in lines:
        if line.guard and not line.guard.startswith("not "):
            behind.setdefault(id(stand[-1]), []).append(line)
        else:
            stand.append(line)
    return stand, behind


def _explained(lines: list[Line], traces: list[Traced], explainer: Explainer, family: Family) -> list[str]:
    made, last = [], ""
    cache: dict[tuple[int, ...], Explainer] = {tuple(range(len(traces))): explainer}
    for line in lines:
        parts = line.template.split("\ue000")
        text = parts[0]
        for slot, rest in zip(line.slots, parts[1:]):
            at = tuple(sorted(slot))
            if at not in cache:
                cache[at] = Explainer([traces[k].env for k in at])
            try:
                value = cache[at].explain([slot[k][0] for k in at], slot[at[0]][1])
            except ValueError as error:
                raise ValueError(f"{family.name}: {line.template.strip()}: {error}") from None
            if re.search(r"[\w\])]\s*$|[*/]\s*$|\*\*\s*$", text) and not re.search(r"[(,=\[]\s*$", text) and not re.fullmatch(r"[\w.]+", value):
                value = f"({value})"
            text += value + rest
        indent = text[: len(text) - len(text.lstrip())]
        if line.guard:
            if last != line.guard:
                made.append(f"{indent}if {line.guard}:" if not last.startswith("not ") or last[4:] != line.guard else f"{indent}else:")
            text = f"    {text}"
        last = line.guard
        made.append(text)
    return made
