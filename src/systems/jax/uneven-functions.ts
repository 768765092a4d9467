/** A function that a file needs where its tensors are not in equal blocks, and those that it calls. */
export interface FileFunction {
  readonly name: string;
  readonly text: string;
}

/**
 * Redistributions of unequal blocks. All devices of JAX have arrays of one shape: blocks are padded to
 * the longest, and so is what is sent, as the plan counts it. Every device looks up its own places in tables
 * that are made while the program is traced.
 */
export const unevenFunctions: readonly FileFunction[] = [
  {
    name: "exchange",
    text: `def exchange(x, before, after, rounds):
    """Rounds of (giver, taker, box): a device gets one box at most in each, and keeps what it has already."""
    have = np.arange(np.prod(MESH_SHAPE))
    give, take = overlap(before, after, [(d, d, None) for d in have])
    out = placed([kept(x, give)], [take], after, x.dtype)
    for sent in rounds:
        give, take = overlap(before, after, sent)
        givers, takers = ([pair[end] for pair in sent] for end in (0, 1))
        give = [np.array([row[givers.index(d)] if d in givers else 0 * row[0] for d in have]) for row in give]
        take = [np.array([row[takers.index(d)] if d in takers else 0 * row[0] + BEYOND for d in have]) for row in take]
        got = lax.ppermute(kept(x, give), AXIS_NAMES, [(giver, taker) for giver, taker, _ in sent])
        out = placed([got], [take], after, x.dtype, out)
    return out
`,
  },
  {
    name: "all_gather",
    text: `def all_gather(x, before, after, axes):
    members, got = group(axes), lax.all_gather(x, axes)
    parts, takes = [], []
    for j in range(len(members[0])):
        give, take = overlap(before, after, [(row[j], d, None) for d, row in enumerate(members)])
        parts, takes = [*parts, kept(got[j], give)], [*takes, take]
    return placed(parts, takes, after, x.dtype)
`,
  },
  {
    name: "psum_scatter",
    text: `def psum_scatter(x, before, after, axes):
    members, ends = group(axes), block_shape(after)
    parts = []
    for j in range(len(members[0])):
        give, _ = overlap(before, after, [(d, row[j], None) for d, row in enumerate(members)], ends)
        parts.append(kept(x, give))
    return lax.psum_scatter(jnp.stack(parts), axes, scatter_dimension=0)
`,
  },
  {
    name: "all_to_all",
    text: `def all_to_all(x, before, after, axes):
    members = group(axes)
    pairs = [(d, member, None) for d, row in enumerate(members) for member in row]
    ends = [table.shape[1] for table in overlap(before, after, pairs)[0]]
    parts, takes = [], []
    for j in range(len(members[0])):
        give, _ = overlap(before, after, [(d, row[j], None) for d, row in enumerate(members)], ends)
        _, take = overlap(before, after, [(row[j], d, None) for d, row in enumerate(members)], ends)
        parts, takes = [*parts, kept(x, give)], [*takes, take]
    got = lax.all_to_all(jnp.stack(parts), axes, 0, 0, tiled=True)
    return placed(got, takes, after, x.dtype)
`,
  },
  {
    name: "own_part",
    text: `def own_part(x, before, after):
    """What a device keeps of its block."""
    return kept(x, overlap(before, after, [(d, d, None) for d in range(np.prod(MESH_SHAPE))])[0])
`,
  },
];

/** What the functions above are made of. */
export const heldFunctions = `BEYOND = 2**30  # a place behind the end of any block: nothing is put there


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
`;

/** How an array of JAX has unequal blocks, for the check of a file. */
export const arrangedFunction = `def arranged(x, name):
    """A tensor as an array of JAX has it, where its blocks are not equal: side by side, shorter ones ending in zeros."""
    for dim, (_, blocks) in enumerate(HELD.get(name, ())):
        end = max(len(block) for block in blocks)
        parts = [np.take(x, np.array(block, int), dim) for block in blocks]
        padding = [[(0, end - part.shape[dim] if each == dim else 0) for each in range(x.ndim)] for part in parts]
        x = np.concatenate([np.pad(part, wide) for part, wide in zip(parts, padding)], dim)
    return x
`;
