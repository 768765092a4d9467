"""Has nnScaler generate the code of an exported model under its policy, and compares it with its claims.

    python check_nnscaler.py PLAN.py CLAIMS.json

Claims: `slices` (of weights, per rank, the range of every dim), `adapters` (forward and of the gradient: primitive,
dims and groups, in order), `reducers` (by weight, which ranks add up its gradient). Then the file's own comparison with
the unsharded model is run, a process per rank. One line per check, then `N passed, N failed`; status 1 when one failed.
"""
import json
import pathlib
import sys
import tempfile

import torch
from nnscaler_generated import adapters_of, generated, loaded, patched, reducers_of, run_on_host, slices_of

passed = failed = 0


def check(is_right, what):
    global passed, failed
    passed, failed = passed + is_right, failed + (not is_right)
    print(("ok   " if is_right else "FAIL ") + what)


def compare(what, got, wanted):
    check(got == wanted, f"{what}: {got}" + ("" if got == wanted else f", claimed {wanted}"))


def claimed(steps, rank):
    """What a rank does of some steps."""
    groups = [(step, group) for step in steps for group in step["groups"] if rank in group]
    return [(step["op"], tuple(step["dims"]), tuple(group)) for step, group in groups]


def main(plan_path, claims_path):
    patched()
    plan, claims = loaded(plan_path), json.loads(pathlib.Path(claims_path).read_text())
    given = {name: torch.zeros(shape, dtype=dtype) for name, (shape, dtype) in plan.INPUTS.items()}
    is_own = hasattr(plan, "make")  # a model of its own, or that of the file
    model = plan.make() if is_own else plan.Model()
    given = plan.named(model, given) if is_own else given
    with tempfile.TemporaryDirectory() as folder:
        texts = generated(model, plan.policy, given, claims["devices"], folder, folds=is_own)
    check(len(texts) == claims["devices"], f"{len(texts)} ranks")
    for rank, text in enumerate(texts):
        wanted = [(claimed(each["forward"], rank), claimed(each["backward"], rank)) for each in claims["adapters"]]
        compare(f"rank {rank}: adapters", adapters_of(text), wanted)
        compare(f"rank {rank}: slices", slices_of(text)[0], {name: each[rank] for name, each in claims["slices"].items()})
        groups = {name: group for name, each in claims["reducers"].items() for group in each if rank in group}
        compare(f"rank {rank}: reducers", reducers_of(text), groups)
    with tempfile.TemporaryDirectory() as folder:
        check(run_on_host(plan.verify, claims["devices"], folder), "results and gradients are the unsharded model's")


main(*sys.argv[1:3])
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed or not passed else 0)
