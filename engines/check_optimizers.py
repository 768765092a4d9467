"""Ten steps of exported training files against torch.optim:  python check_optimizers.py jax|torch FOLDER...

Each FOLDER holds plan.py, a training step on four devices of the net  loss = (relu(x @ w1) @ w2) ** 2, summed,  and
claims.json with {"optimizer": a class of torch.optim, "options": what it is made with}. The rate falls from step to step,
and after five of them the state goes through a file, by the words of the files' own docstrings. Prints one line per folder.
"""
import importlib.util, json, os, sys, tempfile

TARGET, FOLDERS = "".join(sys.argv[1:2]), sys.argv[2:]
DEVICES, STEPS, KEPT_AFTER, FAR = 4, 10, 5, 1e-5
os.environ["JAX_PLATFORMS"], os.environ["XLA_FLAGS"] = "cpu", f"--xla_force_host_platform_device_count={DEVICES}"
import torch, torch.distributed as dist, torch.multiprocessing as mp


def loaded(folder):
    loader = importlib.util.spec_from_file_location("exported", os.path.join(folder, "plan.py"))
    module = importlib.util.module_from_spec(loader); loader.loader.exec_module(module)
    return module


def rate(step): return 0.02 / step


def starts(module):
    """Whole inputs: states are zeros, and the gradient of the loss is one."""
    torch.manual_seed(0)
    made = {n: torch.randn(shape) * 0.3 for n, (shape, _, _) in sorted(module.INPUTS.items())}
    for name in made:
        if name.endswith(("_m", "_v")): made[name] = torch.zeros_like(made[name])
        if name.endswith("_grad"): made[name] = torch.ones_like(made[name])
    return {name: made[name] for name in module.INPUTS}


def truth(module, optimizer, options):
    given = starts(module)
    weights = {n: given[n].clone().requires_grad_() for n in ("w1", "w2")}
    stepper = getattr(torch.optim, optimizer)(weights.values(), **options)
    for step in range(1, STEPS + 1):
        for group in stepper.param_groups: group["lr"] = rate(step)
        stepper.zero_grad()
        ((given["x"] @ weights["w1"]).relu() @ weights["w2"]).pow(2).sum().backward()
        stepper.step()
    return {name: weight.detach() for name, weight in weights.items()}


def ran_by_jax(module):
    import jax, numpy as np
    from jax.sharding import Mesh
    devices = np.array(jax.devices())[np.array(module.DEVICE_ORDER or range(DEVICES))]
    take = jax.jit(module.plan(Mesh(devices.reshape(module.MESH_SHAPE), module.AXIS_NAMES)))
    given = {name: x.numpy() for name, x in starts(module).items()}
    for step in range(1, STEPS + 1):
        given = module.advanced(given, take(*given.values(), step=step, lr=rate(step)))
        if step == KEPT_AFTER:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "state.npz")
                np.savez(path, **{name: given[name] for name in module.STATE})
                given.update(np.load(path))
    assert take._cache_size() <= 2, "a step is compiled anew for its number or rate"
    return {name: torch.tensor(np.asarray(given[name])) for name in ("w1", "w2")}


def rank_of_torch(rank, folder, port, out):
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=DEVICES)
    module = loaded(folder); groups = module.make_groups()
    given = {name: module.block(x, name, module.INPUTS[name][2], groups) for name, x in starts(module).items()}
    for step in range(1, STEPS + 1):
        given = module.advanced(given, module.run(given, groups, step, rate(step)))
        if step == KEPT_AFTER:
            path = os.path.join(out, f"state-{rank}.pt")
            torch.save({name: given[name] for name in module.STATE}, path)
            given.update(torch.load(path))
    wanted = truth(module, **json.load(open(os.path.join(folder, "claims.json"))))
    far = max((module.block(w, n, module.INPUTS[n][2], groups) - given[n]).abs().max().item() for n, w in wanted.items())
    torch.save(far, os.path.join(out, f"far-{rank}.pt"))
    dist.destroy_process_group()


def far_by_torch(folder):
    import socket
    with socket.socket() as free: free.bind(("127.0.0.1", 0)); port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as out:
        mp.spawn(rank_of_torch, (folder, port, out), DEVICES)
        return max(torch.load(os.path.join(out, f"far-{rank}.pt")) for rank in range(DEVICES))


def far_by_jax(folder):
    module = loaded(folder); got = ran_by_jax(module)
    return max((w - got[n]).abs().max().item() for n, w in truth(module, **json.load(open(os.path.join(folder, "claims.json")))).items())


def main():
    torch.set_num_threads(1)
    failed = 0
    for folder in FOLDERS:
        far = (far_by_jax if TARGET == "jax" else far_by_torch)(folder)
        failed += not far <= FAR
        print(f"{'ok' if far <= FAR else 'FAIL'} {os.path.basename(folder)}: off by {far:.2g} after {STEPS} steps", flush=True)
    sys.exit(1 if failed or not FOLDERS else 0)


if __name__ == "__main__":
    main()
