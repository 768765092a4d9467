"""Checks an exported DTensor module and the app's claims about it, on N gloo processes on this machine.

    python check_dtensor.py EXPORTED.py CLAIMS.json

Inputs and tolerance are those of check_torch.py. EXPORTED.py defines
    MESH     {"dp": 2, "mp": 4}                               axes of the device mesh, whose ranks count up
    INPUTS   {"x": ((16, 8), "float32", [Shard(0), Replicate()])}
    OUTPUTS  {"y": [Shard(0), Replicate()]}
    reference(**inputs) -> {"y": tensor}                      the unsharded program
    place(whole, mesh) -> given                               the inputs as DTensors
    run(given, mesh) -> {"y": DTensor}
CLAIMS.json
    {"slices": {"x": [{"device": 0, "ranges": [[0, 8], [0, 8]]}, ...]},
     "collectives": [{"collective": "all-gather", "groups": [[0, 1], [2, 3]], "bytesPerDevice": 384}, ...]}   in program order
An input may be the weight of a layer instead, LAYERS {"w": ("h", True)}: that of given["layers"].h, transposed.

On CPU meshes DTensor 2.13 has no all-to-all: it gathers and keeps its part, with n times the bytes. What it does on accelerators is claimed, so its own
all-to-all is called here, which gloo has.
"""
import json, math, os, socket, sys, tempfile, warnings
import torch, torch.distributed as dist, torch.multiprocessing as mp
import torch.distributed._functional_collectives as funcol
import torch.distributed.tensor.placement_types as placement_types
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor
from torch.distributed.tensor.debug import CommDebugMode
from check_torch import Recorder, expected, inputs_of, load, same

KINDS_OF_MODE = {"all_gather": "all-gather", "reduce_scatter": "reduce-scatter", "all_reduce": "all-reduce", "all_to_all": "all-to-all", "alltoall": "all-to-all"}


class LocalRecorder(Recorder):
    """Sees what DTensor does on local tensors."""
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if any(issubclass(t, DTensor) for t in types): return NotImplemented
        return super().__torch_dispatch__(func, types, args, kwargs)


def all_to_all(input, gather_dim, shard_dim, mesh, mesh_dim):
    """DTensor's own, as on accelerators."""
    group = funcol._resolve_group((mesh, mesh_dim))
    return torch.ops._dtensor.shard_dim_alltoall(input, gather_dim, shard_dim, funcol._group_or_group_name(group))


def counted(mode):
    """Collectives by kind, as DTensor's own debug mode counts them."""
    counts = {}
    for op, n in mode.get_comm_counts().items():
        kind = next((kind for part, kind in KINDS_OF_MODE.items() if part in str(op)), str(op))
        counts[kind] = counts.get(kind, 0) + n
    return counts


def weight_of(mod, given, name):
    """An input as its DTensor, and whether that is transposed."""
    if name not in getattr(mod, "LAYERS", {}): return given[name], False
    layer, is_turned = mod.LAYERS[name]
    return given["layers"].get_submodule(layer).weight, is_turned


def local_of(mod, given, name):
    weight, is_turned = weight_of(mod, given, name)
    local = weight.to_local().detach()
    return local.T if is_turned else local


def worker(rank, path, world, port, out):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port)); torch.set_num_threads(1); warnings.simplefilter("ignore")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    placement_types.shard_dim_alltoall = all_to_all
    mod = load(path)
    mesh = init_device_mesh("cpu", tuple(mod.MESH.values()), mesh_dim_names=tuple(mod.MESH))
    whole = inputs_of(mod)
    given = mod.place(whole, mesh)
    held = {name: local_of(mod, given, name).clone() for name in whole}
    with torch.no_grad(), CommDebugMode() as mode, LocalRecorder() as rec: result = mod.run(given, mesh)
    made = {name: (list(map(repr, t.placements)), t.to_local().detach().clone()) for name, t in result.items()}
    torch.save((rec.events, counted(mode), held, made), os.path.join(out, f"{rank}.pt"))
    dist.barrier(); dist.destroy_process_group()


def main():
    torch.set_num_threads(1)
    path, claims = sys.argv[1], json.load(open(sys.argv[2]))
    mod = load(path); tol = getattr(mod, "TOLERANCE", 0); world = math.prod(mod.MESH.values())
    sock = socket.socket(); sock.bind(("127.0.0.1", 0)); port = sock.getsockname()[1]; sock.close()
    with tempfile.TemporaryDirectory() as out:
        mp.start_processes(worker, args=(path, world, port, out), nprocs=world, start_method="fork")   # fork: torch is imported once
        got = [torch.load(os.path.join(out, f"{r}.pt")) for r in range(world)]
    whole = inputs_of(mod); ref = mod.reference(**whole)
    passed = failed = 0

    def check(ok, what, detail=""):
        nonlocal passed, failed
        passed, failed = passed + bool(ok), failed + (not ok)
        print(("ok    " if ok else "FAIL  ") + what + ("" if ok else ": " + str(detail)))

    def differs(name, full, local_of_rank, limit):
        """Where a rank holds something else than its claimed slice of the whole."""
        said = {each["device"]: each["ranges"] for each in claims["slices"].get(name, [])}
        if sorted(said) != list(range(world)): return f"no slices are claimed of ranks {[r for r in range(world) if r not in said]}"
        for r in range(world):
            want, have = full[tuple(slice(a, b) for a, b in said[r])].double(), local_of_rank(r).double()
            if want.shape != have.shape: return f"rank {r} holds {tuple(have.shape)}, claimed {said[r]}"
            if want.numel() and float((want - have).abs().max()) > limit: return f"rank {r} differs by {float((want - have).abs().max()):.3g} from {said[r]}"
        return None
    for name, full in whole.items():
        fault = differs(name, full, lambda r: got[r][2][name], 0)
        check(fault is None, f"slices of {name}", fault)
    for name, full in ref.items():
        limit = tol * max(1, float(full.double().abs().max()) if full.numel() else 0)
        fault = differs(name, full, lambda r: got[r][3][name][1], limit)
        check(fault is None, f"numbers and slices of {name}", fault)
        want = list(map(repr, mod.OUTPUTS[name]))
        check(all(got[r][3][name][0] == want for r in range(world)), f"placements of {name}", f"{got[0][3][name][0]}, not {want}")
    for name in sorted(set(claims["slices"]) - set(whole) - set(ref)): check(False, f"slices of {name}", "no such input or output in the module")
    for r in range(world):
        want = [e for e in (expected(s, r) for s in claims["collectives"]) if e]; have = [(k, sorted(g), b) for k, g, b, _ in got[r][0]]
        diff = next((i for i in range(max(len(want), len(have))) if i >= len(want) or i >= len(have) or not same(want[i], have[i])), None)
        check(diff is None, f"collectives of rank {r} ({len(have)})", f"step {diff}: claimed {want[diff] if diff is not None and diff < len(want) else 'none'}, called {have[diff] if diff is not None and diff < len(have) else 'none'}")
        kinds = {}
        for kind, _, _ in want: kinds[kind] = kinds.get(kind, 0) + 1
        check(kinds == got[r][1], f"collectives of rank {r} by CommDebugMode", f"claimed {kinds}, counted {got[r][1]}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
