"""Where DTensor of PyTorch 2.13 computes something else than the whole program: each case run, on gloo processes.

    python replay_dtensor.py

A wrong form must differ from the whole tensors, and its safe rewriting must equal them. One line per check, then
`N passed, N failed`; status 1 when one failed.
"""
import os, socket, sys, tempfile, warnings
import torch, torch.distributed as dist, torch.multiprocessing as mp
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor
from torch.distributed.tensor.experimental import local_map

RANKS = 4


def same(got, want):
    got = got.to_local() if isinstance(got, DTensor) else got
    return got.shape == want.shape and torch.equal(got, want)


def cut_and_gathered(mesh, x):
    """A whole tensor, cut along dim 0 by every axis and gathered again."""
    whole = DTensor.from_local(x, mesh, [Replicate()] * mesh.ndim, run_check=False)
    return whole.redistribute(placements=[Shard(0)] * mesh.ndim).redistribute(placements=[Replicate()] * mesh.ndim)


def rows(order):
    x = torch.arange(8.0).reshape(8, 1)
    return same(cut_and_gathered(DeviceMesh("cpu", order), x), x)


def flattened(grid, length, is_flat):
    mesh = DeviceMesh("cpu", grid, mesh_dim_names=("a", "b"))
    if is_flat: mesh["a", "b"]._flatten("a_b")
    x = torch.arange(float(length)).reshape(length, 1)
    blocks = x.chunk(2)[mesh.get_coordinate()[0]].chunk(2)
    mine = blocks[mesh.get_coordinate()[1]] if mesh.get_coordinate()[1] < len(blocks) else x[:0]
    held = DTensor.from_local(mine, mesh, [Shard(0)] * 2, run_check=False, shape=x.shape, stride=x.stride())
    return same(held.redistribute(placements=[Replicate()] * 2), x)


def uneven(is_told):
    mesh = init_device_mesh("cpu", (RANKS,))
    x = torch.arange(6.0)
    mine = x[2 * dist.get_rank() : 2 * dist.get_rank() + 2]
    told = {"shape": x.shape, "stride": x.stride()} if is_told else {}
    return tuple(DTensor.from_local(mine, mesh, [Shard(0)], run_check=False, **told).shape) == (6,)


def convolution(is_mapped, of_x=Replicate(), of_w=Shard(0)):
    """Output channels cut, or what else is said of the image and the filter."""
    mesh = init_device_mesh("cpu", (RANKS,))
    x, w = torch.arange(256.0).reshape(4, 1, 8, 8) % 5, torch.arange(72.0).reshape(8, 1, 3, 3) % 3
    want = torch.nn.functional.conv2d(x, w, padding=1)
    laid = [distribute_tensor(t, mesh, [p], src_data_rank=None) for t, p in ((x, of_x), (w, of_w))]
    call = lambda x, w: torch.nn.functional.conv2d(x, w, padding=1)
    if is_mapped: call = local_map(call, out_placements=[Shard(1)], in_placements=([Replicate()], [Shard(0)]), device_mesh=mesh)
    got = call(*laid)
    mine = distribute_tensor(want, mesh, got.placements, src_data_rank=None).to_local()
    return got.shape == want.shape and same(got, mine)


# What the product warns of, how it is run, and whether it is computed wrongly.
ASCENDING, TRANSPOSED = [[0, 1], [2, 3]], [[0, 2], [1, 3]]
CASES = [
    ("rows-not-ascending", lambda: rows([2, 0, 3, 1]), True),
    ("rows-not-ascending in two axes", lambda: rows([[1, 0], [3, 2]]), True),
    ("rows-not-ascending, ranks that count up", lambda: rows([0, 1, 2, 3]), False),
    ("flattened-transpose", lambda: flattened(TRANSPOSED, 8, True), True),
    ("flattened-transpose, one axis at a time", lambda: flattened(TRANSPOSED, 8, False), False),
    ("flattened-uneven", lambda: flattened(ASCENDING, 5, True), True),
    ("flattened-uneven, one axis at a time", lambda: flattened(ASCENDING, 5, False), False),
    ("flattened-uneven, the same blocks flattened", lambda: flattened(ASCENDING, 7, True), False),
    ("uneven-from-local", lambda: uneven(False), True),
    ("uneven-from-local, told the shape", lambda: uneven(True), False),
    ("cut-convolution", lambda: convolution(False), True),
    ("cut-convolution, its width", lambda: convolution(False, Shard(3), Replicate()), True),
    ("cut-convolution, its height", lambda: convolution(False, Shard(2), Replicate()), True),
    ("cut-convolution, the batch", lambda: convolution(False, Shard(0), Replicate()), False),
    ("cut-convolution, on blocks", lambda: convolution(True), False),
]


def worker(rank, port, out):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port)); torch.set_num_threads(1); warnings.simplefilter("ignore")
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    equal = []
    for _, run, _ in CASES:
        try: equal.append(bool(run()))
        except Exception as error: equal.append(repr(error)[:200])
        dist.barrier()
    torch.save(equal, os.path.join(out, f"{rank}.pt"))
    dist.destroy_process_group()


def main():
    sock = socket.socket(); sock.bind(("127.0.0.1", 0)); port = sock.getsockname()[1]; sock.close()
    with tempfile.TemporaryDirectory() as out:
        mp.start_processes(worker, args=(port, out), nprocs=RANKS, start_method="fork")
        got = [torch.load(os.path.join(out, f"{rank}.pt")) for rank in range(RANKS)]
    passed = failed = 0
    for at, (name, _, is_wrong) in enumerate(CASES):
        seen = [each[at] for each in got]
        told = [each for each in seen if isinstance(each, str)]
        ok = not told and (not all(seen)) == is_wrong
        passed, failed = passed + ok, failed + (not ok)
        print(f"{'ok   ' if ok else 'FAIL '} {name} is computed {'wrongly' if not all(seen) else 'rightly'}", *told[:1])
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
