def exchange(x, before, after, rounds):
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


def all_gather(x, before, after, axes):
    members, got = group(axes), lax.all_gather(x, axes)
    parts, takes = [], []
    for j in range(len(members[0])):
        give, take = overlap(before, after, [(row[j], d, None) for d, row in enumerate(members)])
        parts, takes = [*parts, kept(got[j], give)], [*takes, take]
    return placed(parts, takes, after, x.dtype)


def psum_scatter(x, before, after, axes):
    members, ends = group(axes), block_shape(after)
    parts = []
    for j in range(len(members[0])):
        give, _ = overlap(before, after, [(d, row[j], None) for d, row in enumerate(members)], ends)
        parts.append(kept(x, give))
    return lax.psum_scatter(jnp.stack(parts), axes, scatter_dimension=0)


def all_to_all(x, before, after, axes):
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


def own_part(x, before, after):
    """What a device keeps of its block."""
    return kept(x, overlap(before, after, [(d, d, None) for d in range(np.prod(MESH_SHAPE))])[0])


def arranged(x, name):
    """A tensor as an array of JAX has it, where its blocks are not equal: side by side, shorter ones ending in zeros."""
    for dim, (_, blocks) in enumerate(HELD.get(name, ())):
        end = max(len(block) for block in blocks)
        parts = [np.take(x, np.array(block, int), dim) for block in blocks]
        padding = [[(0, end - part.shape[dim] if each == dim else 0) for each in range(x.ndim)] for part in parts]
        x = np.concatenate([np.pad(part, wide) for part, wide in zip(parts, padding)], dim)
    return x
