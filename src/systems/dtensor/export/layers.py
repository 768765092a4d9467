def on_axis(layer, x, mesh, axis):
    """A layer that lies on one axis of the mesh: along the others, every group of ranks has it on its own part of x."""
    at = mesh.mesh_dim_names.index(axis)
    part = DTensor.from_local(x.to_local(), mesh[axis], [x.placements[at]], run_check=False)
    y = layer(part)
    placements = [*x.placements[:at], *y.placements, *x.placements[at + 1 :]]
    return DTensor.from_local(y.to_local(), mesh, placements, run_check=False)


def place(whole, mesh):
    """The inputs as DTensors and the layers cut by the plans, from whole tensors that every rank has."""
    given = {
        name: distribute_tensor(x, mesh, INPUTS[name][2], src_data_rank=None)
        for name, x in whole.items()
        if name not in LAYERS
    }
    layers = Layers()
    for name, (layer, is_turned) in LAYERS.items():
        weight = whole[name].T.contiguous() if is_turned else whole[name]
        layers.get_submodule(layer).weight = nn.Parameter(weight, requires_grad=False)
    for axis, plan in PLANS.items():
        parallelize_module(layers, mesh[axis], plan, src_data_rank=None)
    given["layers"] = layers
    return given
