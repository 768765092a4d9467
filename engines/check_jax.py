"""Check an exported JAX module against the claims of a plan:  python check_jax.py MODULE.py CLAIMS.json

The module exposes (and touches no device while it is imported)
  MESH_SHAPE (2, 2)   AXIS_NAMES ("x", "y")   DEVICE_ORDER None, or position -> device id
  INPUTS  {name: (shape, dtype, layout)}      OUTPUTS {name: layout}      both in order
  LAYOUTS {name: (shape, layout)}             optional: more tensors whose slices are claimed
  reference(**inputs) -> tuple, unsharded     plan(mesh) -> callable on global arrays -> tuple, as OUTPUTS
  HELD {name: [(axes, [indices, ...]) per dim]}  optional: tensors whose blocks are not equal, by position along axes; JAX has them
                                              side by side, padded with zeros to the longest
  TOLERANCE 0 by default: inputs are seeded small integers, so sums are exact; set it for exp, division, ...
The claims are {"devices": n, "slices": {tensor: [[[start, stop], ...] per device id]} (of several pieces [[start, stop], ...]),
  "collectives": [{"kind", "groups" (device ids; pairs for collective-permute), "bytes", "dtype", "step"}, ...]}
with kinds as HLO spells them, in program order; bytes = received by the busiest device; dtype (of the data) defaults to
float32; step, optional, is the jax.named_scope around the call. Groups of one device are neither claimed nor counted.
"collectives": null (for the jit form, where XLA decides) lists what XLA inserted and checks numbers and slices only.
"""
import importlib.util, json, os, re, sys
from collections import Counter
from math import prod

CLAIMS = json.load(open(sys.argv[2]))
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = (f"--xla_force_host_platform_device_count={CLAIMS['devices']} "
                           "--xla_disable_hlo_passes=cpu-all-reduce-combiner,cse")  # one HLO per written call
import jax, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

KINDS = {"all-reduce": lambda n: 2 * (n - 1) / n, "all-gather": lambda n: n - 1, "reduce-scatter": lambda n: (n - 1) / n,
         "all-to-all": lambda n: (n - 1) / n, "collective-permute": lambda n: 1}
WRITTEN = {"psum": "all-reduce", "psum_invariant": "all-reduce", "pmax": "all-reduce", "pmin": "all-reduce",
           "all_gather": "all-gather", "all_gather_invariant": "all-gather", "reduce_scatter": "reduce-scatter",
           "all_to_all": "all-to-all", "ppermute": "collective-permute"}
results = Counter()

def report(ok, what, detail=""):
    results[bool(ok)] += 1
    print("pass" if ok else "FAIL", what, "" if ok else detail)

def spec(layout):
    return PartitionSpec(*[None if e == "_" else tuple(e.split("*")) for e in layout.split(",") if e])

def iota(text):
    """`[4,2]<=[2,4]T(1,0)`: count to 8 in shape [2,4], transpose, reshape to [4,2]; a lone `[2,4]T(1,0)` keeps its shape."""
    to, source, order = re.match(r"\[([\d,]+)\](?:<=\[([\d,]+)\])?(?:T\(([\d,]+)\))?", text).groups()
    numbers = lambda t: [int(n) for n in t.split(",")]
    ids = np.arange(prod(numbers(source or to))).reshape(numbers(source or to))
    ids = ids.transpose(numbers(order)) if order else ids
    return ids.reshape(numbers(to)) if source else ids

def groups_of(line, n):
    """Replica groups in any of the four spellings, as mesh positions."""
    if pairs := re.search(r"source_target_pairs=\{(.*?)\}(?:,|$) ?(?!\{)", line):
        return [[int(a), int(b)] for a, b in re.findall(r"\{?(\d+),(\d+)", pairs[1])]
    if mesh := re.search(r"replica_groups=mesh\[(.*?)\](?:, device_ids=\((\[.*?\](?:T\([\d,]+\))?)\))? \{(.*?)\}", line):
        if ":(" in mesh[3]: raise ValueError("sub-axis groups are not parsed: " + mesh[3])
        axes = {k: int(v) for k, v in re.findall(r"'([\w.]+)'=(\d+)", mesh[1])}
        use = re.findall(r"'([\w.]+)'", mesh[3])
        names = [a for a in axes if a not in use] + use
        ids = (iota(mesh[2]) if mesh[2] else np.arange(n)).reshape(list(axes.values()))
        return ids.transpose([list(axes).index(a) for a in names]).reshape(-1, prod(axes[a] for a in use)).tolist()
    if short := re.search(r"replica_groups=(\[[\d,]+\]<=\[[\d,]+\](?:T\([\d,]+\))?)", line):
        return iota(short[1]).tolist()
    plain = re.search(r"replica_groups=\{((?:\{[\d,]+\},?)*)\}", line)
    return [[int(i) for i in g.split(",")] for g in re.findall(r"\{([\d,]+)\}", plain[1])] or [list(range(n))]

def canonical(kind, groups):
    """Order within a group decides who gets what, except where everybody gets the same; order of groups never matters."""
    if kind == "collective-permute": groups = [p for p in groups if p[0] != p[1]]
    if kind == "all-reduce": groups = [sorted(g) for g in groups]
    return tuple(sorted(map(tuple, groups)))

def compiled_collectives(text, devices):
    """One record per collective of the compiled module; groups hold positions in the mesh, here mapped to device ids."""
    found, elements = [], {}
    for line in text.splitlines():
        m = re.match(r"\s+(?:ROOT )?(%\S+) = (.*?) ([\w-]+)\((.*?)\)", line)
        if not m: continue
        name, types, op, arguments = m.groups()
        elements[name] = sum(prod(int(n) for n in s.split(",") if n) for s in re.findall(r"\w\[([\d,]*)\]", types))
        kind = op.removesuffix("-start")
        if kind in ("ragged-all-to-all", "collective-broadcast"): raise ValueError("no rule for " + kind)
        if kind not in KINDS: continue
        groups = [[devices[i] for i in g] for g in groups_of(line, len(devices))]
        if len(groups[0]) == 1 or not (groups := canonical(kind, groups)): continue
        local = sum(elements[a] for a in re.findall(r"%[^\s,]+", arguments))
        where = re.search(r'op_name="([^"]*)"', line)
        found.append({"kind": kind, "groups": groups, "elements": local * KINDS[kind](len(groups[0])),
                      "scope": where[1] if where else ""})
    return found

def written_collectives(jaxpr, sizes):
    """Kinds in the order in which the program states them (a loop body counts once)."""
    for e in jaxpr.eqns:
        if e.primitive.name in WRITTEN:
            axes = e.params.get("axes", e.params.get("axis_name"))
            axes = axes if isinstance(axes, (tuple, list)) else (axes,)
            moves = any(a != b for a, b in e.params["perm"]) if "perm" in e.params else prod(sizes[a] for a in axes) > 1
            if moves: yield from [WRITTEN[e.primitive.name]] * (len(e.invars) if "psum" in e.primitive.name else 1)
        for value in e.params.values():
            for v in value if isinstance(value, (tuple, list)) else [value]:
                inner = getattr(v, "jaxpr", v)
                if hasattr(inner, "eqns"): yield from written_collectives(inner, sizes)

def arranged(a, held):
    """The blocks of all devices side by side, each padded with zeros to the longest along its dim."""
    for dim, (_, blocks) in enumerate(held or ()):
        end = max(map(len, blocks)); out = []
        for block in blocks:
            part = np.take(a, np.array(block, int), dim)
            out.append(np.concatenate([part, np.zeros([end - part.shape[dim] if d == dim else n for d, n in enumerate(part.shape)], a.dtype)], dim))
        a = np.concatenate(out, dim)
    return a

def ranges_held(held, shape, at, sizes):
    """Per dim the range of a device, or several, from its coordinates."""
    for (axes, blocks), size in zip(held, shape):
        place = 0
        for axis in axes: place = place * sizes[axis] + at[axis]
        block, found = list(blocks[place]), []
        for i in block:
            if found and found[-1][1] == i: found[-1][1] = i + 1
            else: found.append([i, i + 1])
        yield found if len(found) > 1 else found[0] if found else [size, size]

def main():
    loader = importlib.util.spec_from_file_location("exported", sys.argv[1])
    m = importlib.util.module_from_spec(loader); loader.loader.exec_module(m)
    order = list(m.DEVICE_ORDER or range(prod(m.MESH_SHAPE)))
    mesh = Mesh(np.array(jax.devices())[np.array(order)].reshape(m.MESH_SHAPE), m.AXIS_NAMES)
    rng = np.random.default_rng(0)
    inputs = {n: rng.integers(1 if n.endswith("_v") else 0 if "int" in t else -4, 5, s).astype(jax.numpy.dtype(t)) for n, (s, t, _) in m.INPUTS.items()}
    held, sizes = getattr(m, "HELD", {}), dict(zip(m.AXIS_NAMES, m.MESH_SHAPE))
    placed = [jax.device_put(arranged(a, held.get(n)), NamedSharding(mesh, spec(m.INPUTS[n][2]))) for n, a in inputs.items()]
    step = jax.jit(m.plan(mesh))
    executable = step.lower(*placed).compile()
    outputs, expected = executable(*placed), m.reference(**inputs)

    for name, got, want in zip(m.OUTPUTS, outputs, expected, strict=True):  # numbers: every copy, for copies may disagree
        want = np.asarray(want, np.float64); own = arranged(np.ones(want.shape, bool), held.get(name)); want = arranged(want, held.get(name))
        far = [np.abs(np.asarray(s.data, np.float64) - want[s.index])[own[s.index]].max(initial=0) for s in got.addressable_shards
               if got.shape == want.shape]
        report(far and np.max(far) <= getattr(m, "TOLERANCE", 0) * max(1, np.abs(want).max(initial=0)),
               f"numbers {name}", f"shape {got.shape}, reference {want.shape}, off by {far} per device")

    arrays = dict(zip(inputs, placed)) | dict(zip(m.OUTPUTS, outputs))  # slices
    for name, array in arrays.items():
        want = NamedSharding(mesh, spec(m.OUTPUTS[name] if name in m.OUTPUTS else m.INPUTS[name][2]))
        report(array.sharding.is_equivalent_to(want, array.ndim), f"layout {name}", f"is {array.sharding}")
    for name, claim in CLAIMS["slices"].items():
        if name in arrays: shape, where = arrays[name].shape, arrays[name].sharding
        elif name in getattr(m, "LAYOUTS", {}): shape, where = m.LAYOUTS[name][0], NamedSharding(mesh, spec(m.LAYOUTS[name][1]))
        else: report(False, f"slices {name}", "no such tensor"); continue
        if name in held:   # what JAX has is padded: the module says which indices a device's block has
            whole = dict(zip(m.OUTPUTS, expected))[name].shape if name in m.OUTPUTS else inputs[name].shape
            real = {mesh.devices[at].id: list(ranges_held(held[name], whole, dict(zip(m.AXIS_NAMES, at)), sizes)) for at in np.ndindex(mesh.devices.shape)}
        else: real = {d.id: [list(s.indices(n)[:2]) for s, n in zip(i, shape)] for d, i in where.devices_indices_map(shape).items()}
        wrong = [d for d in range(max(len(claim), len(real))) if d >= len(claim) or real.get(d) != claim[d]]
        report(not wrong, f"slices {name}", f"device {wrong[:1]}: claimed {[claim[d] for d in wrong[:1] if d < len(claim)]}, JAX {[real.get(d) for d in wrong[:1]]}")

    left = compiled_collectives(executable.as_text(), order)  # collectives: as written, in order; then as compiled, one by one
    if CLAIMS["collectives"] is None:  # jit with constraints: XLA decides, so tell and do not judge
        while left: print("info XLA inserted", (h := left.pop(0))["kind"], f"{h['elements']:g} elements received in", h["groups"])
    else:
        written = list(written_collectives(jax.make_jaxpr(step)(*placed).jaxpr, sizes))
        report(written == [c["kind"] for c in CLAIMS["collectives"]], "order of collectives", f"written {written}")
    for c in CLAIMS["collectives"] or []:
        what = f"collective {c.get('step') or '-'} {c['kind']} {c['bytes']:g} B"
        width = jax.numpy.dtype(c.get("dtype", "float32")).itemsize
        same = [h for h in left if h["kind"] == c["kind"] and (not c.get("step") or c["step"] in re.split(r"[/():]", h["scope"]))]
        full = [h for h in same if h["groups"] == canonical(c["kind"], c["groups"]) and abs(h["elements"] * width - c["bytes"]) < 1e-6]
        report(full, what, "in HLO: " + ("; ".join(f"{h['elements'] * width:g} B in {h['groups']}" for h in same) or "none"))
        if full or same: left.remove((full or same)[0])
    if CLAIMS["collectives"] is not None: report(not left, "nothing but the claimed collectives", str([(h["kind"], h["groups"], h["scope"]) for h in left]))
    print(f"{results[True]} passed, {results[False]} failed")
    sys.exit(results[False] > 0)

main()
