"""Explains the values of a text as expressions over the sizes of a configuration.

The same model is traced at several configurations, whose sizes are all different. A value that
changes is the expression over names that gives it at every one of them, or it has none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .holes import ByIndex, Ctor, plain

Env = dict[str, Any]


class Unexplained(ValueError):
    """A value that is no small expression over the names."""


@dataclass(frozen=True)
class _Expression:
    text: str
    rank: int
    cost: int

    def inside(self, rank: int) -> str:
        return f"({self.text})" if self.rank < rank else self.text


_CONSTANTS = (1, 2, 3, 4, 8)


class Explainer:
    """Finds expressions over the names of `envs`, the sizes at each configuration."""

    def __init__(self, envs: list[Env]) -> None:
        self.envs = envs
        self.names = [name for name in envs[0] if all(name in env for env in envs)]
        self._tell_apart()
        self.ints = self._search()
        self._twos: dict[tuple[int, ...], _Expression] | None = None

    def _tell_apart(self) -> None:
        """Two sizes that are alike everywhere would be taken for one another."""
        seen: dict[tuple, str] = {}
        for name in self.names:
            column = tuple(env[name] for env in self.envs)
            if all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in column):
                if seen.setdefault(column, name) != name:
                    raise ValueError(f"{seen[column]} and {name} are both {column}")

    def explain(self, values: list[Any], hint: str = "") -> str:
        """The text of a value that is `values[k]` at the k-th configuration."""
        first = values[0]
        if any(isinstance(each, ByIndex) for each in values):
            return self._by_index([each.values if isinstance(each, ByIndex) else None for each in values])
        if all(isinstance(each, Ctor) for each in values) and len({(each.name, each.keys) for each in values}) == 1:
            parts = [self.explain([each.values[k] for each in values], key) for k, key in enumerate(first.keys)]
            named = [f"{key}={part}" if len(first.keys) > 1 else part for key, part in zip(first.keys, parts)]
            return f"{first.name}({', '.join(named)})"
        if all(type(each) is type(first) and each == first for each in values):
            return plain(first)
        if all(isinstance(each, bool) for each in values):
            return self._flag(values)
        if all(isinstance(each, int) for each in values):
            found = self.ints.get(tuple(values)) or self._long_sum(tuple(values))
            if found is not None:
                return f"max(1, {found.text})" if hint == "capacity" else found.text
        if hint == "capacity" and (found := self._capacity(values)):
            return found
        if all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in values):
            found_text = self._real(values)
            if found_text is not None:
                return found_text
        for name in self.names:
            if [env[name] for env in self.envs] == values:
                return name
        raise Unexplained(f"{hint}: {values} at {len(values)} configurations is no expression over {', '.join(self.names)}")

    def _flag(self, values: list[bool]) -> str:
        for name in self.names:
            column = [bool(env[name]) for env in self.envs]
            if column == values:
                return name
            if [not each for each in column] == values:
                return f"not {name}"
        raise Unexplained(f"{values} follows no key")

    def _capacity(self, values: list[int]) -> str:
        for column, found in self.ints.items():
            if [max(1, each) for each in column] == values:
                return f"max(1, {found.text})"
        return ""

    def _search(self) -> dict[tuple[int, ...], _Expression]:
        """All small expressions over whole numbers, the shortest for each column of values."""
        found: dict[tuple[int, ...], _Expression] = {}
        level: dict[tuple[int, ...], _Expression] = {}
        for name in self.names:
            column = tuple(env[name] for env in self.envs)
            if all(isinstance(each, int) and not isinstance(each, bool) for each in column):
                level.setdefault(column, _Expression(name, 9, 1))
        simple = dict(level)
        constants = {(each,) * len(self.envs): _Expression(str(each), 9, 1) for each in _CONSTANTS}
        found.update(level)
        self._chunks(found)
        self._pools(found, simple)
        for _ in range(2):
            made: dict[tuple[int, ...], _Expression] = {}
            for a, left in level.items():
                for b, right in [*simple.items(), *constants.items()]:
                    for column, text in _combined(a, left, b, right):
                        if column not in found and column not in made or column in made and made[column].cost > text.cost:
                            made[column] = text
            found.update({column: text for column, text in made.items() if column not in found})
            level = made
        self._sums(found, simple)
        self._shares(found)
        return found

    def _chunks(self, found: dict[tuple[int, ...], _Expression]) -> None:
        """How many chunks a sequence has, and by how much it is filled up to whole ones."""
        if "S" not in self.names:
            return
        lengths = [env["S"] for env in self.envs]
        for name in self.names:
            if "chunk" not in name:
                continue
            chunks = [env[name] for env in self.envs]
            count = tuple(-(-a // b) for a, b in zip(lengths, chunks))
            whole = f"-(-S // {name})"
            found.setdefault(count, _Expression(whole, 6, 8))
            found.setdefault(tuple(each + 1 for each in count), _Expression(f"{whole} + 1", 5, 9))
            found.setdefault(tuple(a * b for a, b in zip(count, chunks)), _Expression(f"{whole} * {name}", 6, 9))
            found.setdefault(tuple(-a % b for a, b in zip(lengths, chunks)), _Expression(f"-S % {name}", 6, 8))

    @staticmethod
    def _pools(found: dict[tuple[int, ...], _Expression], simple: dict[tuple[int, ...], _Expression]) -> None:
        """How many patches of an image are pooled along a side, so that so many tokens are left of it."""
        named = {each.text: column for column, each in simple.items()}
        sides = [(column, text) for text, column in named.items() if text.endswith("_per_side")]
        for image, whole in named.items():
            patch = named.get(image.replace("image_size", "patch_size"))
            if patch is None or patch is whole:
                continue
            for column, side in sides:
                pooled = tuple(a // b // c for a, b, c in zip(whole, patch, column))
                found.setdefault(pooled, _Expression(f"{image} // {image.replace('image_size', 'patch_size')} // {side}", 6, 7))

    def _shares(self, found: dict[tuple[int, ...], _Expression]) -> None:
        """`int(a // b * share)`, the part of a head that is turned."""
        short = [(column, each) for column, each in found.items() if each.cost <= 4]
        for name in self.names:
            share = [env[name] for env in self.envs]
            if not all(isinstance(each, float) and 0 < each <= 1 for each in share) or "factor" not in name:
                continue
            for column, each in short:
                made = tuple(int(x * y) for x, y in zip(column, share))
                found.setdefault(made, _Expression(f"int({each.inside(6)} * {name})", 9, each.cost + 4))

    @staticmethod
    def _sums(found: dict[tuple[int, ...], _Expression], simple: dict[tuple[int, ...], _Expression]) -> None:
        """`a + 2 · b · (c // d)` and `a · b + c · d`, which fused projections need, and squares of quotients."""
        simple = {column: each for column, each in simple.items() if not _is_batch(each)}
        pairs = [(tuple(x * y for x, y in zip(a, b)), _Expression(f"{p.inside(6)} * {q.inside(7)}", 6, 3))
                 for a, p in simple.items() for b, q in simple.items()]
        quotients = [(column, each) for column, each in found.items() if each.cost == 4 and " // " in each.text]
        for column, each in quotients:
            found.setdefault(tuple(x * x for x in column), _Expression(f"{each.inside(9)} ** 2", 7, 5))
            found.setdefault(tuple(x * x + 1 for x in column), _Expression(f"{each.inside(9)} ** 2 + 1", 5, 7))
        wide = [(tuple(x * y for x, y in zip(a, b)), _Expression(f"{p.text} * ({q.text})", 6, 6))
                for a, p in simple.items() for b, q in quotients]
        for first, second in (([*simple.items()], wide), (pairs, pairs), ([*simple.items()], pairs)):
            for a, p in first:
                for b, q in second:
                    for times in (1, 2):
                        column = tuple(x + times * y for x, y in zip(a, b))
                        more = q.text if times == 1 else f"2 * {q.text}"
                        found.setdefault(column, _Expression(f"{p.text} + {more}", 5, 6 + times))

    def _long_sum(self, values: tuple[int, ...]) -> _Expression | None:
        """A sum of three sizes or products of two, each once or twice, which wide projections need."""
        terms = self._terms()
        if self._twos is None:
            self._twos = {}
            for at, (a, first) in enumerate(terms):
                for b, second in terms[at + 1:]:
                    _keep(self._twos, tuple(x + y for x, y in zip(a, b)), _sum(first, second))
        best: dict[tuple[int, ...], _Expression] = {}
        for a, first in terms:
            rest = self._twos.get(tuple(x - y for x, y in zip(values, a)))
            if rest is not None:
                _keep(best, values, _sum(rest, first) if rest.cost >= first.cost else _sum(first, rest))
        return best.get(values)

    def _terms(self) -> list[tuple[tuple[int, ...], _Expression]]:
        """Sizes and products of two of them, and twice each, the shortest for each column of values."""
        columns = [(tuple(env[name] for env in self.envs), _Expression(name, 9, 1)) for name in self.names if name not in ("B", "N")]
        sizes = [(column, each) for column, each in columns if all(type(value) is int for value in column)]
        made: dict[tuple[int, ...], _Expression] = {}
        for at, (a, first) in enumerate(sizes):
            _keep(made, a, first)
            for b, second in sizes[at:]:
                _keep(made, tuple(x * y for x, y in zip(a, b)), _Expression(f"{first.text} * {second.text}", 6, 3))
        for column, each in list(made.items()):
            _keep(made, tuple(2 * x for x in column), _Expression(f"2 * {each.text}", 6, each.cost + 1))
        return list(made.items())

    def _real(self, values: list[float]) -> str | None:
        for name in self.names:
            column = [env[name] for env in self.envs]
            if all(isinstance(each, (int, float)) for each in column) and _near(column, values):
                return name
        for power, text in ((-2, " ** -0.5"), (2, " ** 0.5"), (-1, "1 / ")):
            column = tuple(round(each**power) if each > 0 else 0 for each in values)
            found = self.ints.get(column)
            if found is not None and all(column) and _near([each ** (1 / power) for each in column], values):
                return f"1 / {found.inside(7)}" if power == -1 else found.inside(8) + text
        for name in self.names:
            column = [env[name] for env in self.envs]
            if all(isinstance(each, float) and each > 0 for each in column):
                if _near([2 * each for each in column], values):
                    return f"2 * {name}"
                for power, text in ((-0.5, " ** -0.5"), (0.5, " ** 0.5")):
                    if _near([each**power for each in column], values):
                        return name + text
        return None

    def _by_index(self, columns: list[tuple[Any, ...] | None]) -> str:
        """A value by the place `i` in a list: a condition, and a text for each side."""
        if any(column is None for column in columns):
            raise Unexplained("a value depends on the place in some configurations only")
        found = self._rule([list(enumerate(column or ())) for column in columns], 2)
        if found is not None:
            return found
        raise Unexplained(f"{[tuple(column or ())[:8] for column in columns]} follows no rule of the place")

    def _rule(self, columns: list[list[tuple[int, Any]]], depth: int) -> str | None:
        """The text of values by their places; a side of a condition may be a condition again."""
        if all(all(value == column[0][1] for _, value in column) for column in columns):
            try:
                return self.explain([column[0][1] for column in columns])
            except Unexplained:
                return None
        if depth == 0:
            return None
        for rest in range(depth):
            for text, test in self._tests():
                sides = [[[each for each in column if bool(test(each[0], env)) == side] for column, env in zip(columns, self.envs)] for side in (True, False)]
                if not all(part for side in sides for part in side):
                    continue
                made = [self._rule(side, rest) for side in sides]
                if all(each is not None for each in made):
                    yes, no = (f"({each})" if " if " in str(each) else str(each) for each in made)
                    return f"{yes} if {text} else {no}"
        return None

    def _tests(self) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = [("i == 0", lambda i, env: i == 0)]
        for name in self.names:
            sample = [env[name] for env in self.envs]
            if all(isinstance(each, (list, tuple)) for each in sample):
                found += _of_lists(name, sample)
            elif all(isinstance(each, int) and not isinstance(each, bool) and each > 0 for each in sample):
                found.append((f"i < {name}", lambda i, env, n=name: i < env[n]))
                found.append((f"(i + 1) % {name} == 0", lambda i, env, n=name: (i + 1) % env[n] == 0))
                found.append((f"i % {name} == 0", lambda i, env, n=name: i % env[n] == 0))
        for period in (2, 3, 4, 6):
            for rest in range(period):
                found.append((f"i % {period} == {rest}", lambda i, env, p=period, r=rest: i % p == r))
        return found


def _of_lists(name: str, sample: list[Any]) -> list[tuple[str, Any]]:
    kinds = list(dict.fromkeys(each for column in sample for each in column if isinstance(each, (str, int))))
    found: list[tuple[str, Any]] = []
    for kind in kinds[:4]:
        if isinstance(kind, str) or kind in (0, 1):
            found.append((f"{name}[i] == {plain(kind)}", lambda i, env, n=name, k=kind: i < len(env[n]) and env[n][i] == k))
    found.append((f"i in {name}", lambda i, env, n=name: i in env[n]))
    return found


def _combined(a: tuple, left: _Expression, b: tuple, right: _Expression) -> list[tuple[tuple, _Expression]]:
    cost = left.cost + right.cost + 1
    made = [(tuple(x * y for x, y in zip(a, b)), _product(left, right, cost))]
    if not (_is_batch(left) or _is_batch(right)):
        made.append((tuple(x + y for x, y in zip(a, b)), _Expression(f"{left.inside(5)} + {right.inside(6)}", 5, cost + 3)))
        made.append((tuple(x - y for x, y in zip(a, b)), _Expression(f"{left.inside(5)} - {right.inside(6)}", 5, cost + 4)))
    if all(b) and all(x % y == 0 for x, y in zip(a, b)) or all(b) and left.rank == 6:
        made.append((tuple(x // y for x, y in zip(a, b)), _Expression(f"{left.inside(6)} // {right.inside(7)}", 6, cost + 1)))
    return made


def _keep(made: dict[tuple[int, ...], _Expression], column: tuple[int, ...], each: _Expression) -> None:
    """Puts an expression down for its values, where none is shorter."""
    if column not in made or made[column].cost > each.cost:
        made[column] = each


def _sum(first: _Expression, second: _Expression) -> _Expression:
    return _Expression(f"{first.text} + {second.text}", 5, first.cost + second.cost + 1)


def _is_batch(each: _Expression) -> bool:
    """A batch is a factor and no summand: how many rows there are changes no size of a layer."""
    return each.text in ("B", "N")


def _product(left: _Expression, right: _Expression, cost: int) -> _Expression:
    if right.text.isdigit():
        left, right = right, left
    return _Expression(f"{left.inside(6)} * {right.inside(7)}", 6, cost)


def _near(column: list[Any], values: list[Any]) -> bool:
    return all(math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-12) for a, b in zip(column, values))
