def position(mesh, *axes):
    """The position of this rank along some axes, the first outermost."""
    place = 0
    for axis in axes:
        place = place * MESH[axis] + mesh.get_local_rank(axis)
    return place


def place(whole, mesh):
    """The inputs as DTensors, from whole tensors that every rank has."""
    return {
        name: distribute_tensor(x, mesh, INPUTS[name][2], src_data_rank=None)
        for name, x in whole.items()
    }
