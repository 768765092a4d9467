"""Finds runs of equal calls: the layers of a list, each of which reads what the one before made."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .regions import Region
from .steps import Body, Step, dotted

_LAYER = re.compile(r"^(.*)\.(\d+)$")


@dataclass
class Run:
    """Calls of neighbouring modules of a list. `carried` pairs what goes in with what comes out."""

    steps: list[Step]
    over: str
    carried: list[tuple[str, str]]
    #: The one module that is called, over and over, where the calls are not those of a list.
    again: str = ""


def runs(steps: list[Step], gives: list[str], path: str) -> list[Step | Run]:
    """The steps with every run of two or more layers as one."""
    found: list[Step | Run] = []
    at = 0
    while at < len(steps):
        run = _run_at(steps, at, gives, path)
        found.append(run if run is not None else steps[at])
        at += len(run.steps) if run is not None else 1
    return found


def aligned(steps: list[Step], bodies: dict[Region, Body]) -> None:
    """Gives layers of one list and class the arguments of those that take most, so that one loop calls all.

    Nothing is given that is made only behind the first of them.
    """
    lists: dict[tuple[str, str], list[Step]] = {}
    for step in steps:
        place = _place(step)
        if place is not None and step.call is not None and step.call in bodies:
            lists.setdefault((place[0], step.call.cls), []).append(step)
    for group in lists.values():
        most = max(group, key=lambda step: len(step.reads))
        longest = bodies[most.call] if most.call is not None else Body("")
        late = {name for step in steps[steps.index(group[0]):] for name in step.makes}
        if not set(most.reads[1:]).isdisjoint(late):
            continue
        for step in group:
            if step.call is None or len(step.reads) == len(most.reads) or not set(step.reads[1:]) <= set(most.reads[1:]):
                continue
            body = bodies[step.call]
            names = dict(zip(body.takes, body.args))
            words = set(re.findall(r"\w+", "\n".join(body.lines)))
            given = [names.get(take) or (arg if arg not in words else f"_{arg}") for take, arg in zip(longest.takes, longest.args)]
            body.args = body.args[:1] + given[1:]
            body.takes = body.takes[:1] + longest.takes[1:]
            step.reads = list(body.takes)


def _again_at(steps: list[Step], at: int, gives: list[str], path: str) -> Run | None:
    """One module that is called over and over."""
    call = steps[at].call
    if call is None:
        return None
    end = at + 1
    while end < len(steps) and (other := steps[end].call) is not None and other.path == call.path and _follows(steps[end - 1], steps[end], steps[at]):
        end += 1
    run = steps[at:end]
    if len(run) < 2 or _read_outside(steps, run, at, end, gives):
        return None
    return Run(run, "", _names_carried(run), "self." + dotted(call.path[len(path) + 1:] if path else call.path))


def _names_carried(run: list[Step]) -> list[tuple[str, str]]:
    return [(run[0].reads[k], run[-1].makes[m]) for k, m in _carried(run[0], run[1])]


def _run_at(steps: list[Step], at: int, gives: list[str], path: str) -> Run | None:
    if (again := _again_at(steps, at, gives, path)) is not None:
        return again
    first = _place(steps[at])
    if first is None:
        return None
    end = at + 1
    while end < len(steps) and _place(steps[end]) == (first[0], first[1] + end - at) and _follows(steps[end - 1], steps[end], steps[at]):
        end += 1
    run = steps[at:end]
    if len(run) < 2 or _read_outside(steps, run, at, end, gives):
        return None
    whole = "self." + dotted(first[0][len(path) + 1:] if path else first[0])
    start, count = first[1], len(run)
    over = whole if start == 0 and not _goes_on(steps, end, first[0]) else f"{whole}[{start or ''}:{'' if not _goes_on(steps, end, first[0]) else start + count}]"
    return Run(run, over, _names_carried(run))


def _goes_on(steps: list[Step], end: int, path: str) -> bool:
    return any((place := _place(step)) is not None and place[0] == path for step in steps[end:])


def _place(step: Step) -> tuple[str, int] | None:
    found = _LAYER.match(step.call.path) if step.call is not None else None
    return (found[1], int(found[2])) if found else None


def _carried(before: Step, after: Step) -> list[tuple[int, int]]:
    """Which arguments of a call are results of the one before: (argument, result)."""
    return [(k, before.makes.index(name)) for k, name in enumerate(after.reads) if name in before.makes]


def _follows(before: Step, after: Step, first: Step) -> bool:
    if len(before.reads) != len(after.reads) or len(before.makes) != len(after.makes):
        return False
    carried = dict(_carried(before, after))
    if not carried or len(set(carried.values())) != len(after.makes):
        return False
    return all(k in carried or name == first.reads[k] for k, name in enumerate(after.reads))


def _read_outside(steps: list[Step], run: list[Step], at: int, end: int, gives: list[str]) -> bool:
    """Whether somebody reads what a layer made that is not the last."""
    inner = {name for step in run[:-1] for name in step.makes}
    return any(name in inner for step in steps[:at] + steps[end:] for name in step.reads) or any(name in inner for name in gives)
