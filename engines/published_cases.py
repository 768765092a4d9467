"""What the recorders of small published models share: numbers of inputs by a rule, and how results are written.

Number `k` of input `j` is `low + step * ((37 k + 11 j) mod count)`, so that a table holds three numbers an input.
"""

import json

import numpy as np

# Rules of inputs: low, step, count. Each number is exact in every type that has it.
FLOATS = (-1.375, 0.125, 23)
POSITIVE = (0.25, 0.125, 17)
WHOLE = (-4, 1, 9)
COUNTS = (0, 1, 7)
TRUTHS = (0, 1, 2)


def numbers_of(rule, at, shape):
    low, step, count = rule
    index = np.arange(int(np.prod(shape)), dtype=np.int64)
    return (low + step * ((37 * index + 11 * at) % count)).reshape(shape)


def written(array):
    """The numbers of an array, row-major, with the words of JSON for those that are none."""
    flat = np.asarray(array).astype(np.float64).ravel()
    return [number(each) for each in flat]


def number(value):
    if np.isnan(value):
        return "nan"
    if np.isinf(value):
        return "inf" if value > 0 else "-inf"
    short = float(f"{value:.6g}") if abs(value) < 1e6 else float(value)
    return int(short) if short == int(short) and abs(short) < 2**53 else short


def save(path, cases):
    """A case a line; `npx biome check --write` gives the file the form of the repository's."""
    lines = ",\n".join(json.dumps(case, separators=(",", ":"), allow_nan=False) for case in cases)
    path.write_text(f"[\n{lines}\n]\n")
    print(f"{len(cases)} cases, {path.stat().st_size} bytes")
