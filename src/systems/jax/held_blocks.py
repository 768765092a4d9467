BEYOND = 2**30  # a place behind the end of any block: nothing is put there


def held(name):
    """Of every device, in the order of the mesh, the indices along each dim that its block of a tensor has."""
    found = []
    for place in np.ndindex(*MESH_SHAPE):
        at = dict(zip(AXIS_NAMES, zip(place, MESH_SHAPE)))
        number = lambda axes: sum(at[axis][0] * int(np.prod([at[each][1] for each in axes[i + 1:]])) for i, axis in enumerate(axes))
        found.append([np.array(blocks[number(axes)], int) for axes, blocks in HELD[name]])
    return found


def block_shape(name):
    """The lengths of the longest block of a tensor."""
    return [max(len(block) for block in blocks) for _, blocks in HELD[name]]


def group(axes):
    """Of every device the members of its group along some axes, the first axis outermost."""
    axes = (axes,) if isinstance(axes, str) else axes
    grid = np.arange(np.prod(MESH_SHAPE)).reshape(MESH_SHAPE)
    grid = np.moveaxis(grid, [AXIS_NAMES.index(axis) for axis in axes], range(-len(axes), 0))
    rows = grid.reshape(-1, int(np.prod(grid.shape[grid.ndim - len(axes):])))
    return [row for _, row in sorted((int(d), row.tolist()) for row in rows for d in row)]


def overlap(before, after, pairs, ends=None):
    """Per dim, tables of where the indices common to a giver's and a taker's block lie in either, a row for each
    pair (giver, taker, box or None), padded to the longest row."""
    have, want = held(before), held(after)
    gives, takes = [], []
    for dim in range(len(have[0])):
        rows = []
        for giver, taker, box in pairs:
            wanted = want[taker][dim] if box is None else np.intersect1d(want[taker][dim], box[dim])
            both = np.intersect1d(have[giver][dim], wanted)
            rows.append((np.searchsorted(have[giver][dim], both), np.searchsorted(want[taker][dim], both)))
        end = ends[dim] if ends else max(len(give) for give, _ in rows)
        gives.append(np.array([np.pad(give, (0, end - len(give))) for give, _ in rows], int))
        takes.append(np.array([np.pad(take, (0, end - len(take)), constant_values=BEYOND) for _, take in rows], int))
    return gives, takes


def mine(table):
    """The row of this device."""
    return jnp.asarray(table)[lax.axis_index(AXIS_NAMES)]


def kept(x, tables):
    """The elements of a block at the places of this device."""
    return x[jnp.ix_(*(mine(table) for table in tables))]


def placed(parts, tables, name, dtype, out=None):
    """A block made of parts, each at its places."""
    if out is None:
        out = jnp.zeros(block_shape(name), dtype)
    for part, places in zip(parts, tables):
        out = out.at[jnp.ix_(*(mine(table) for table in places))].set(part, mode="drop")
    return out
