def low(name):
    return 1 if name.endswith("_v") else -4  # a mean of squares is positive


def verify():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        torch.set_default_device("cuda")
    mesh = init_device_mesh(device, tuple(MESH.values()), mesh_dim_names=tuple(MESH))
    torch.manual_seed(0)
    whole = {
        name: torch.randint(low(name), 5, shape).to(getattr(torch, dtype))
        for name, (shape, dtype, _) in INPUTS.items()
    }
    with torch.no_grad():
        got = run(place(whole, mesh), mesh)
    for name, want in reference(**whole).items():
        assert list(got[name].placements) == OUTPUTS[name], f"{name} lies as {got[name].placements}"
        mine = distribute_tensor(want, mesh, OUTPUTS[name], src_data_rank=None).to_local().double()
        far = (got[name].to_local().double() - mine).abs().max().item() if mine.numel() else 0
        assert far <= TOLERANCE * max(1, want.double().abs().max().item()), f"{name} is off by {far}"
    if dist.get_rank() == 0:
        print("the plan equals the unsharded program")
    dist.destroy_process_group()


if __name__ == "__main__":
    verify()
