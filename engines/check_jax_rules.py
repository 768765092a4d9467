"""Checks exported rules of a parameter tree:  python check_jax_rules.py RULES.py CLAIMS.json

RULES.py's neighbour reference.py is the same program as exported for JAX, whose unsharded `reference` is run under jit with its parameters placed by the
rules. Checked: every parameter has a rule, each device holds the claimed block, the numbers are those of one device, and constraints are taken.
"""
import json, os, re, sys

CLAIMS = json.load(open(sys.argv[2]))
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={CLAIMS['devices']}"
import importlib.util
import jax, numpy as np


def load(path):
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module)
    return module


def main():
    rules, program = load(sys.argv[1]), load(os.path.join(os.path.dirname(sys.argv[1]), "reference.py"))
    mesh, passed, failed = rules.make_mesh(), 0, 0

    def check(ok, what, detail=""):
        nonlocal passed, failed
        passed, failed = passed + bool(ok), failed + (not ok)
        if not ok: print(f"FAIL  {what}: {detail}")
    generator = np.random.default_rng(0)
    held = {re.sub(r"[^A-Za-z0-9_]+", "_", name) for name in [*CLAIMS["parameters"], *rules.ACTIVATIONS]}

    def drawn(name, shape, dtype):
        if "int" in dtype: return generator.integers(0, 4, shape).astype(dtype)
        if name not in held: return np.ones(shape, dtype)   # what an optimizer keeps is divided by
        return generator.integers(-2, 3, shape).astype(dtype)
    whole = {name: drawn(name, shape, dtype) for name, (shape, dtype, *_) in program.INPUTS.items()}
    limit = 0.05 if any("16" in dtype for _, dtype, *_ in program.INPUTS.values()) else 1e-3
    names = {re.sub(r"[^A-Za-z0-9_]+", "_", name): claim for name, claim in CLAIMS["parameters"].items()}
    if missing := names.keys() - whole.keys(): sys.exit(f"FAIL  the program has no {missing}")
    tree = {claim["path"]: whole[name] for name, claim in names.items()}
    nested = {}
    for path, value in tree.items():
        at, (*around, last) = nested, path.split(".")
        for part in around: at = at.setdefault(part, {})
        at[last] = value
    placed = jax.device_put(nested, rules.shardings(mesh, nested))
    flat = {rules.path_text(path): leaf for path, leaf in jax.tree_util.tree_leaves_with_path(placed)}
    for name, claim in names.items():
        held = {s.device.id: [[*i.indices(n)[:2]] for i, n in zip(s.index, whole[name].shape)] for s in flat[claim["path"]].addressable_shards}
        for device, ranges in enumerate(claim["ranges"]):
            check(held[device] == ranges, f"slice of {claim['path']} on device {device}", f"{held[device]}, not {ranges}")
    given = {**whole, **{name: flat[claim["path"]] for name, claim in names.items()}}
    for name in whole.keys() - names.keys():
        if name in rules.ACTIVATIONS: given[name] = jax.jit(lambda x, name=name: rules.constrain(mesh, name, x))(whole[name])
    want, have = jax.jit(program.reference)(**whole), jax.jit(program.reference)(**given)
    for at, (a, b) in enumerate(zip(want, have)):
        off = float(np.max(np.abs(np.asarray(a, dtype="float64") - np.asarray(b, dtype="float64")), initial=0)) / max(1.0, float(np.max(np.abs(np.asarray(a, dtype="float64")), initial=0)))
        check(off <= limit, f"numbers of result {at}", off)
    say = rules.names_of if hasattr(rules, "names_of") else rules.spec_of
    try: say("no.such.parameter")
    except LookupError: check(True, "a path without a rule")
    else: check(False, "a path without a rule", "it has one")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
