"""Checks an exported parallelize.py on the class that it is for, on N gloo processes on this machine.

    python check_parallelize.py PLAN.py CLAIMS.json

MODEL.py lies beside PLAN.py: the text that was planned. Its classes and `model` are run as they stand; tensors of the text are drawn at random, and
lines of the plan itself do nothing. A rank is given its rows of the batch along the claimed axes. Compared with the plain model: the result,
every gradient, the parameters after steps of two optimizers, the names of the state dict, the result after a state dict of the plain model was loaded, the parameters that are cut, and how often a
forward pass and a backward pass run each collective of a style, which DTensor's own debug mode counts.
"""
import copy, json, math, os, socket, sys, tempfile, types, warnings
import torch, torch.distributed as dist, torch.multiprocessing as mp
import torch.nn.functional as F
import torch.distributed.tensor.placement_types as placement_types
from torch.distributed.checkpoint.state_dict import StateDictOptions, set_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Shard
from torch.distributed.tensor.debug import CommDebugMode, _comm_mode
from torch.distributed.tensor.parallel import loss_parallel
from check_dtensor import all_to_all
from check_torch import load

_comm_mode._CommModeModuleTracker._fw_set_module_hook = lambda *_: None   # what it keeps by module is not asked for, and some classes break it

MARK = "# The plan."
TOLERANCE = 2e-5
ROUNDED = 5e-2   # where parameters are computed with in a narrow type
STEPS = {"sgd": lambda parameters: torch.optim.SGD(parameters, lr=0.1), "adamw": lambda parameters: torch.optim.AdamW(parameters, lr=0.1, eps=1.0)}   # a large eps: no sign of noise
KINDS = {"all_gather": "all-gather", "reduce_scatter": "reduce-scatter", "all_reduce": "all-reduce", "all_to_all": "all-to-all", "alltoall": "all-to-all"}


def nothing(*_, **__):
    return types.SimpleNamespace()


class Text:
    """The text: its classes, the model, its inputs in order, and what is computed of them."""
    def __init__(self, path):
        classes, plan = open(path).read().split(MARK, 1)
        self.names = {"__name__": "text", "Mesh": nothing, "layout": nothing, "place": nothing, "strategy": nothing, "train": nothing}
        exec(compile(classes, path, "exec"), self.names)
        self.given, self.rest = {}, []
        for line in plan.strip().splitlines():
            if line.startswith("model = "): self.made = line
            elif " = Tensor(" in line: self.given[line.split(" = ")[0]] = line
            elif line.startswith("train("): break
            else: self.rest.append(line)

        self.results = self.rest[0].split(" = ")[0]   # out = model(ids, mask), or out, loss = model(ids, labels)

    def model(self, seed):
        torch.manual_seed(seed)
        exec(self.made, self.names)
        for parameter in self.names["model"].parameters():   # nothing may stay zero, or a fault would not show
            if not parameter.any() or (parameter == 1).all(): parameter.data += torch.randn_like(parameter) * 0.1
        return self.names["model"]

    def inputs(self, seed):
        generator = torch.Generator().manual_seed(seed)
        def tensor(shape, dtype="f32"):
            if "int" in dtype: return torch.randint(0, 8, shape, generator=generator)
            return torch.randn(shape, generator=generator)
        names = {"Tensor": tensor}
        for line in self.given.values(): exec(line, names)
        return {name: names[name] for name in self.given}

    def run(self, model, inputs, forward=False):
        names = {**self.names, **inputs, "model": model}
        exec(self.rest[0], names)
        if forward: return
        exec("\n".join(self.rest[1:]), names)
        return names[self.results.split(",")[0]], names["loss"]


def whole(tensor):
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def difference(have, want):
    return float((have - want).abs().max()) / max(1.0, float(want.abs().max()))


def rows_of(mesh, axes, inputs):
    """The rows of the batch that this rank is given, and their part of the whole."""
    at, count = 0, 1
    for axis in axes: at, count = at * mesh[axis].size() + mesh[axis].get_local_rank(), count * mesh[axis].size()
    return {name: each.chunk(count)[at] for name, each in inputs.items()}, at, count


def counted(mode, exchanged):
    counts = {"all-to-all": len(exchanged)} if exchanged else {}
    for op, n in mode.get_comm_counts().items():
        if "functional" not in str(op): continue   # those of fully_shard are c10d's own
        kind = next((kind for part, kind in KINDS.items() if part in str(op)), str(op))
        counts[kind] = counts.get(kind, 0) + n
    return counts


def cut_along(parameter, axis):
    """The dim of a parameter that an axis cuts."""
    if axis is None or not isinstance(parameter, DTensor) or axis not in parameter.device_mesh.mesh_dim_names: return None
    placement = parameter.placements[parameter.device_mesh.mesh_dim_names.index(axis)]
    return placement.dim if isinstance(placement, Shard) or "StridedShard" in type(placement).__name__ else None


class Dims:
    """The meshes of torchtitan's ParallelDims, by its names."""
    def __init__(self, mesh, claims):
        tensor = claims.get("tensorAxis")
        data = [axis for axis in claims["mesh"] if axis != tensor and axis in claims["dataAxes"]]
        self.spmd_backend, shard = (("spmd_types", "dp_shard") if tensor else ("partial_dtensor", "fsdp"))   # both forms of 0.3
        self.mesh, self.names = mesh, {"tp": tensor, shard: data[-1] if data else None, "dp_replicate": data[0] if data else None}

    def get_mesh(self, names):
        axes = [self.names[name] for name in ([names] if isinstance(names, str) else names)]
        return self.mesh[tuple(axes)] if len(axes) > 1 else self.mesh[axes[0]]


def worker(rank, path, claims, world, port, out):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port)); torch.set_num_threads(1); warnings.simplefilter("ignore")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    exchanged = []   # gloo has no all-to-all, so what stands in its place is counted here
    placement_types.shard_dim_alltoall = lambda *given: exchanged.append(1) or all_to_all(*given)
    lines, limit = [], ROUNDED if "computed" in claims else TOLERANCE
    def check(ok, what, detail=""): lines.append((bool(ok), what, str(detail)))
    text = Text(os.path.join(os.path.dirname(path), "model.py"))
    mesh = init_device_mesh("cpu", tuple(claims["mesh"].values()), mesh_dim_names=tuple(claims["mesh"]))
    plain, inputs = text.model(0), text.inputs(1)
    written = load(path)
    parallel = written.parallelize_fn(copy.deepcopy(plain), Dims(mesh, claims))   # which calls parallelize
    own, at, count = rows_of(mesh, claims["dataAxes"], inputs)
    want, loss = text.run(plain, inputs); loss.backward()
    with CommDebugMode() as mode: text.run(parallel, own, forward=True)
    forward = counted(mode, exchanged)
    with loss_parallel():
        have, own_loss = text.run(parallel, own)
        exchanged.clear()
        with CommDebugMode() as mode: own_loss.backward()
    backward = counted(mode, exchanged)
    mine = want.chunk(count)[at]
    check(have.shape == mine.shape, "shape of the result", f"{tuple(have.shape)}, not {tuple(mine.shape)}")
    if have.shape == mine.shape: check(difference(whole(have), mine) <= limit, "numbers of the result", difference(whole(have), mine))
    check(forward == claims["forward"], "collectives of a forward pass", f"claimed {claims['forward']}, counted {forward}")
    kinds = {*backward, *claims["backward"]} - {"all-reduce"}   # gradients of parameters that are whole may be added later, where they are read
    check(all(backward.get(kind) == claims["backward"].get(kind) for kind in kinds) and backward.get("all-reduce", 0) <= claims["backward"].get("all-reduce", 0),
          "collectives of a backward pass", f"claimed {claims['backward']}, counted {backward}")
    wanted, held = dict(plain.named_parameters()), dict(parallel.named_parameters())
    check(list(parallel.state_dict()) == list(plain.state_dict()), "names of the state dict", set(parallel.state_dict()) ^ set(plain.state_dict()))
    for name in wanted.keys() & held.keys():
        gradient = held[name].grad
        off = difference(whole(gradient), wanted[name].grad) if gradient is not None else math.inf
        check(off <= limit, f"gradient of {name}", off)
        dim = cut_along(held[name], claims.get("tensorAxis"))
        check(dim == claims["cut"].get(name), f"cut of {name}", f"claimed {claims['cut'].get(name)}, found {dim}")
    for kind, optimizer in STEPS.items():   # gradients may lie otherwise than their parameters
        for model in (plain, parallel): optimizer(model.parameters()).step()
        for name in wanted.keys() & held.keys():
            off = difference(whole(held[name].detach()), wanted[name].detach())
            check(off <= limit, f"{name} after a step of {kind}", off)
    if hasattr(written, "train"):   # the loop beside the plain model, on the loss of this rank's rows before each step
        loop, options = {}, []
        class Told:   # the optimizer that the loop makes, and its options
            def __getattr__(self, name): return lambda parameters, **given: options.append((name, given)) or getattr(torch.optim, name)(parameters, **{**given, "lr": 1e-2})
        written.torch = types.SimpleNamespace(optim=Told())
        with loss_parallel():
            steps = written.train(parallel, [own] * 3, lambda model, batch: text.run(model, batch)[1])
            for step in range(3):
                have = float(whole(next(steps)))
                if step == 0: optimizer = getattr(torch.optim, options[0][0])(plain.parameters(), **{**options[0][1], "lr": 1e-2})
                with torch.no_grad(): want = float(text.run(plain, own)[1])
                check(abs(have - want) <= limit * max(1.0, abs(want)) * 10, f"loss of step {step} of the loop", f"{have}, not {want}")
                loop[step] = want
                optimizer.zero_grad(); text.run(plain, inputs)[1].backward(); optimizer.step()
        check(len(set(loop.values())) == 3, "the loop takes steps", loop)
    other = text.model(7)
    set_model_state_dict(parallel, other.state_dict(), options=StateDictOptions(full_state_dict=True))
    with torch.no_grad(), loss_parallel(): off = difference(whole(text.run(parallel, own)[0]), text.run(other, inputs)[0].chunk(count)[at])
    check(off <= limit, "numbers with another state dict", off)
    torch.save(lines, os.path.join(out, f"{rank}.pt"))
    dist.barrier(); dist.destroy_process_group()


def main():
    torch.set_num_threads(1)
    path, claims = sys.argv[1], json.load(open(sys.argv[2]))
    world = math.prod(claims["mesh"].values())
    sock = socket.socket(); sock.bind(("127.0.0.1", 0)); port = sock.getsockname()[1]; sock.close()
    with tempfile.TemporaryDirectory() as out:
        mp.start_processes(worker, args=(path, claims, world, port, out), nprocs=world, start_method="fork")
        got = [torch.load(os.path.join(out, f"{r}.pt")) for r in range(world)]
    passed = failed = 0
    for rank, lines in enumerate(got):
        for ok, what, detail in lines:
            passed, failed = passed + ok, failed + (not ok)
            if not ok: print(f"FAIL  {what} on rank {rank}: {detail}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
