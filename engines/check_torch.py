"""Checks an exported PyTorch SPMD module and the app's claims about it, on N gloo processes on this machine; beyond 64
ranks, on as many threads of one process.

    python check_torch.py EXPORTED.py CLAIMS.json

Inputs are seeded small integers, so that sums are exact, and positive for an optimizer's mean of squares (*_v); EXPORTED.py's TOLERANCE (0 unless said) is for exp, division and
narrow types, of the greatest value of the reference. Where a deep net rounds beyond it, the file runs once more with
floats of 64 bits, and must agree there to a billionth.

EXPORTED.py defines
    MESH     {"dp": 2, "mp": 4}                          axes in order, sizes
    DEVICES  [0, 1, ...]                                 rank at each mesh position, row-major (optional)
    INPUTS   {"x": ((16, 8), "float32", "dp,_")}         shape, dtype, layout: one entry per dim, axes joined by *, outermost first;
    OUTPUTS  {"y": "dp,_|mp"}                            partial axes behind | ; names must be results of run and of reference
    HELD     {"x": [(("dp",), [range(0, 3), range(3, 4)]), ...]}   optional: of tensors whose blocks are not equal, per dim the axes
             that tell its blocks apart, and the indices of each
    reference(**inputs) -> {"y": tensor}                 the unsharded program, results may include gradients
    make_groups() -> groups                              called once per rank after init_process_group
    run(local_inputs, groups) -> {"y": local tensor}     the per-device program with explicit collectives
CLAIMS.json
    {"slices": {"x": [{"device": 0, "ranges": [[0, 8], [0, 8]]}, ...]},
     "collectives": [{"collective": "all-gather", "groups": [[0, 1], [2, 3]], "bytesPerDevice": 384}, ...]}   in program order
Where ranks receive unlike many bytes, "received" lists them by rank; a dim of several pieces has a list of ranges. An exchange is
one all_to_all_single with split sizes over a group. For a collective-permute the groups are [source, target] pairs. Bytes are what one device receives (redistribution.md 3.1).
"""
import importlib.util, json, math, os, re, socket, sys, tempfile, threading
import torch, torch.distributed as dist, torch.multiprocessing as mp
from torch.utils._python_dispatch import TorchDispatchMode

KINDS = {"allreduce_": "all-reduce", "all_reduce": "all-reduce", "all_reduce_": "all-reduce", "_allgather_base_": "all-gather", "allgather_": "all-gather",
         "all_gather_into_tensor": "all-gather", "_reduce_scatter_base_": "reduce-scatter", "reduce_scatter_": "reduce-scatter", "reduce_scatter_tensor": "reduce-scatter",
         "alltoall_base_": "all-to-all", "alltoall_": "all-to-all", "all_to_all_single": "all-to-all", "shard_dim_alltoall": "all-to-all", "broadcast_": "broadcast",
         "scatter_": "scatter", "send": "send", "recv_": "recv", "recv_any_source_": "recv"}
INPUT_AT = {"_allgather_base_": 1, "_reduce_scatter_base_": 1, "alltoall_base_": 1, "alltoall_": 1, "allgather_": 1, "reduce_scatter_": 1}


def received(kind, n, local):
    return {"all-gather": (n - 1) * local, "reduce-scatter": (n - 1) * local / n, "all-reduce": 2 * (n - 1) * local / n, "all-to-all": (n - 1) * local / n}[kind]


class Recorder(TorchDispatchMode):
    """Every collective of torch.distributed and of its functional form passes through here."""
    def __init__(self):
        super().__init__()
        self.events = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = "" if isinstance(func, torch._ops.HigherOrderOperator) else func._overloadpacket.__name__
        if getattr(func, "namespace", "") in ("c10d", "_c10d_functional", "_c10d_functional_autograd", "_dtensor") and name in KINDS:
            kind, group = KINDS[name], None
            for a in list(args) + list(kwargs.values()):
                if isinstance(a, torch.ScriptObject):
                    try: group = dist.ProcessGroup.unbox(a)
                    except Exception: pass
                elif isinstance(a, dist.ProcessGroup): group = a
                elif isinstance(a, str):
                    try: group = torch._C._distributed_c10d._resolve_process_group(a)
                    except Exception: pass
            ranks = dist.get_process_group_ranks(group)
            t = args[INPUT_AT.get(name, 0)]
            while isinstance(t, (list, tuple)): t = t[0] if name not in ("alltoall_", "reduce_scatter_") or not isinstance(t[0], torch.Tensor) else torch.cat([x.flatten() for x in t])
            size = t.numel() * t.element_size()
            splits = [a for a in args if isinstance(a, (list, tuple)) and len(a) > 1 and all(isinstance(n, int) for n in a)] if name == "alltoall_base_" else []
            if splits:   # output sizes first: what comes from others is received
                row = splits[0]; own = sorted(ranks).index(dist.get_rank())
                self.events.append(["exchange", sorted(ranks), (sum(row) - row[own]) * t.element_size(), []])
                return func(*args, **kwargs)
            if kind in ("send", "recv"):
                peer = ranks[args[2]]
                if not self.events or self.events[-1][0] != "collective-permute" or kind in self.events[-1][3]: self.events.append(["collective-permute", [], 0, []])
                e = self.events[-1]
                e[1].append([dist.get_rank(), peer] if kind == "send" else [peer, dist.get_rank()]); e[2] += size if kind == "recv" else 0; e[3].append(kind)
            else: self.events.append([kind, sorted(ranks), received(kind, len(ranks), size) if kind not in ("broadcast", "scatter") else size, []])
        return func(*args, **kwargs)


def parse(layout):
    dims, _, partial = layout.partition("|")
    return [[] if d.strip() in ("_", "") else [a.strip() for a in d.split("*")] for d in dims.split(",")], [a.strip() for a in partial.split("*") if a.strip()]


def coordinates(mesh, devices):
    out = {}
    for pos, dev in enumerate(devices):
        c = {}
        for a, s in reversed(list(mesh.items())): c[a] = pos % s; pos //= s
        out[dev] = c
    return out


def ranges(layout, shape, mesh, at):
    out = []
    for axes, size in zip(parse(layout)[0], shape):
        lo, hi = 0, size
        for a in axes:                                    # nested blocks, outermost axis first, rounded up
            b = math.ceil((hi - lo) / mesh[a]); lo, hi = min(hi, lo + at[a] * b), min(hi, lo + (at[a] + 1) * b)
        out.append([lo, hi])
    return out


def indices(mod, name, layout, shape, at):
    """Per dim what a device holds: by the module's own list where blocks are not equal."""
    if name not in getattr(mod, "HELD", {}): return [list(range(a, b)) for a, b in ranges(layout, shape, mod.MESH, at)]
    found = []
    for axes, blocks in mod.HELD[name]:
        place = 0
        for axis in axes: place = place * mod.MESH[axis] + at[axis]
        found.append(list(blocks[place]))
    return found


def as_ranges(held, shape):
    """A range per dim, or a list of several."""
    out = []
    for block, size in zip(held, shape):
        found = []
        for i in block:
            if found and found[-1][1] == i: found[-1][1] = i + 1
            else: found.append([i, i + 1])
        out.append(found if len(found) > 1 else found[0] if found else [size, size])
    return out


def cut(full, held):
    for dim, block in enumerate(held): full = full.index_select(dim, torch.tensor(block, dtype=torch.long))
    return full


def load(path):
    spec = importlib.util.spec_from_file_location("exported", path)
    mod = importlib.util.module_from_spec(spec); sys.modules["exported"] = mod; spec.loader.exec_module(mod)
    return mod


def inputs_of(mod):
    g = torch.Generator().manual_seed(1)
    return {n: torch.randint(1 if n.endswith("_v") else 0 if "int" in d else -4, 5, s, generator=g).to(getattr(torch, d)) for n, (s, d, _) in mod.INPUTS.items()}


def rank_ran(mod, rank, world):
    """What the program of one rank recorded, and what it returned."""
    at = coordinates(mod.MESH, getattr(mod, "DEVICES", range(world)))[rank]; local = {}
    for n, full in inputs_of(mod).items():
        shape, _, layout = mod.INPUTS[n]; local[n] = cut(full, indices(mod, n, layout, shape, at)).clone()
        if any(at[a] for a in parse(layout)[1]): local[n].zero_()   # a partial input: the value on coordinate 0, zeros elsewhere
    groups = mod.make_groups()
    with Recorder() as rec: result = mod.run(local, groups)
    return rec.events, {n: t.detach().clone() for n, t in result.items()}


def worker(rank, path, world, port, out):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port)); torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=world)
    torch.save(rank_ran(load(path), rank, world), os.path.join(out, f"{rank}.pt"))
    dist.barrier(); dist.destroy_process_group()


def as_processes(path, world):
    """What each rank recorded and returned, on gloo."""
    sock = socket.socket(); sock.bind(("127.0.0.1", 0)); port = sock.getsockname()[1]; sock.close()
    with tempfile.TemporaryDirectory() as out:
        mp.start_processes(worker, args=(path, world, port, out), nprocs=world, start_method="fork")   # fork: torch is imported once
        return [torch.load(os.path.join(out, f"{r}.pt")) for r in range(world)]


MOST_PROCESSES = 64   # more of them, each connected with all others, are more than a host has room for


def as_threads(path, world):
    """The same, the ranks being threads of this process, whose collectives torch's own group for threads computes. It
    stands in for the operators that the recorder sees, so that its calls are recorded; it has no point-to-point messages."""
    from torch.testing._internal.distributed import multi_threaded_pg as threaded
    mine, got, faults = threading.local(), [None] * world, []

    def recorded(kind, call, given_at):
        def called(group, *args):
            given = args[given_at][0] if isinstance(args[given_at], (list, tuple)) else args[given_at]
            if hasattr(mine, "events"):
                ranks = sorted(dist.get_process_group_ranks(group))
                mine.events.append([kind, ranks, received(kind, len(ranks), given.numel() * given.element_size()), []])
            return call(group, *args)
        return called

    for name, kind, given_at in [("allreduce", "all-reduce", 0), ("all_gather_single", "all-gather", 1), ("reduce_scatter_single", "reduce-scatter", 1), ("all_to_all_single", "all-to-all", 1)]:
        setattr(threaded.ProcessLocalGroup, name, recorded(kind, getattr(threaded.ProcessLocalGroup, name), given_at))

    def thread(rank, store):
        try:
            dist.init_process_group("threaded", rank=rank, world_size=world, store=store)
            mod = load(path); mine.events = []
            _, outputs = rank_ran(mod, rank, world)
            got[rank] = mine.events, outputs
        except BaseException as fault: faults.append(fault); threaded.ProcessLocalGroup.exception_handle(fault)
    torch._C._distributed_c10d._set_thread_isolation_mode(True); threaded._install_threaded_pg()
    try:
        store = dist.HashStore(); all_ranks = [threading.Thread(target=thread, args=(rank, store)) for rank in range(world)]
        for each in all_ranks: each.start()
        for each in all_ranks: each.join()
    finally: threaded._uninstall_threaded_pg(); torch._C._distributed_c10d._set_thread_isolation_mode(False)
    if faults: raise faults[0]
    return got


def same(want, have):
    """Whether two collectives are the same; a ring of three cuts bytes into thirds."""
    return want[:2] == have[:2] and abs(want[2] - have[2]) < 1e-6


def expected(step, rank):
    """What this rank should do in a claimed step, or None."""
    if step["collective"] == "collective-permute":
        pairs = [p for p in step["groups"] if rank in p and p[0] != p[1]]
        got = step["received"][rank] if "received" in step else step["bytesPerDevice"]
        return ("collective-permute", sorted(pairs), got if any(p[1] == rank for p in pairs) else 0) if pairs else None
    mine = [g for g in step["groups"] if rank in g]
    return (step["collective"], sorted(mine[0]), step["received"][rank] if "received" in step else step["bytesPerDevice"]) if mine and len(mine[0]) > 1 else None


def ran(path):
    """The module, what every rank recorded and returned, and what the unsharded program gives."""
    mod = load(path); world = math.prod(mod.MESH.values())
    got = as_threads(path, world) if world > MOST_PROCESSES else as_processes(path, world)
    full = inputs_of(mod)
    for n, t in full.items():
        if t.is_floating_point(): t.requires_grad_()
    return mod, got, {n: t.detach() for n, t in mod.reference(**full).items()}


def listed(claimed):
    """The indices of claimed ranges, of which a dim may have several."""
    return [[i for a, b in (dim if dim and isinstance(dim[0], list) else [dim]) for i in range(a, b)] for dim in claimed]


def differences(mod, got, ref, claimed, at):
    """Of every output the largest difference from the unsharded program, and its greatest value; or what is wrong with its shape."""
    for n, layout in mod.OUTPUTS.items():
        total, seen, partial = torch.zeros(ref[n].shape, dtype=torch.float64), torch.zeros(ref[n].shape), parse(layout)[1]
        said, worst, note = {s["device"]: s["ranges"] for s in claimed.get(n, [])}, 0.0, ""
        for r in range(len(got)):
            where = listed(said[r]) if r in said else indices(mod, n, layout, ref[n].shape, at[r]); t = got[r][1][n].double()
            if tuple(t.shape) != tuple(map(len, where)): note = f"device {r} holds {tuple(t.shape)}, claimed {said.get(r) or where}"; break
            if partial: place = tuple(slice(block[0], block[-1] + 1) if block else slice(0) for block in where); total[place] += t; seen[place] += 1
            else: worst = max(worst, float((t - cut(ref[n].double(), where)).abs().max()) if t.numel() else 0.0)
        if not note and partial: worst = float((total * math.prod(mod.MESH[a] for a in partial) / seen.clamp(min=1) - ref[n].double()).abs().max())
        yield n, note, worst, max(1, float(ref[n].abs().max()) if ref[n].numel() else 0)


def in_doubles(path, folder):
    """A copy of the file in which every float has 64 bits: there a deep net rounds to nothing, and a wrong plan stays wrong."""
    copy = os.path.join(folder, "doubles.py")
    with open(path) as text, open(copy, "w") as made: made.write(re.sub(r"\b(?:bfloat16|float16|float32)\b", "float64", text.read()))
    return copy


def main():
    torch.set_num_threads(1)
    path, claims = sys.argv[1], json.load(open(sys.argv[2]))
    mod, got, ref = ran(path); tol = getattr(mod, "TOLERANCE", 0); world = len(got); devices = list(getattr(mod, "DEVICES", range(world)))
    passed = failed = 0

    def check(ok, what, detail=""):
        nonlocal passed, failed
        passed, failed = passed + bool(ok), failed + (not ok)
        print(("ok    " if ok else "FAIL  ") + what + ("" if ok else ": " + str(detail)))
    at, claimed = coordinates(mod.MESH, devices), claims.get("slices", {})
    layouts = {**{n: (s, l) for n, (s, _, l) in mod.INPUTS.items()}, **{n: (tuple(ref[n].shape), l) for n, l in mod.OUTPUTS.items()}}
    for n, (shape, layout) in layouts.items():
        own = {r: as_ranges(indices(mod, n, layout, shape, at[r]), shape) for r in range(world)}
        if n in claimed:
            said = {s["device"]: s["ranges"] for s in claimed[n]}
            bad = [r for r in range(world) if said.get(r) != own[r]]
            check(not bad, f"slices of {n}", f"devices {bad}: said {[said.get(r) for r in bad][:2]}, the layout {layout} gives {[own[r] for r in bad][:2]}")
    for n in sorted(set(claimed) - set(layouts)): check(False, f"slices of {n}", "no such input or output in the module")
    found = list(differences(mod, got, ref, claimed, at))
    if tol and not any(note for _, note, _, _ in found) and any(worst > tol * size for _, _, worst, size in found):
        with tempfile.TemporaryDirectory() as folder: found, tol = list(differences(*ran(in_doubles(path, folder)), claimed, at)), 1e-9
    for n, note, worst, size in found: check(not note and worst <= tol * size, f"numbers of {n}", note or f"largest difference {worst:.3g}")
    for r in range(world):
        want = [e for e in (expected(s, r) for s in claims["collectives"]) if e]; have = [(k, sorted(g), b) for k, g, b, _ in got[r][0]]
        diff = next((i for i in range(max(len(want), len(have))) if i >= len(want) or i >= len(have) or not same(want[i], have[i])), None)
        check(diff is None, f"collectives of device {r} ({len(have)})", f"step {diff}: claimed {want[diff] if diff is not None and diff < len(want) else 'none'}, called {have[diff] if diff is not None and diff < len(have) else 'none'}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
