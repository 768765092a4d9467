/** The functions that a file needs: collectives on blocks, from those of `torch.distributed`. */
export interface Prologue {
  readonly name: string;
  readonly text: string;
}

/**
 * Process groups list their ranks in ascending order, whatever order they are asked for
 * (engine-torch.md §2): pieces are sorted into the order of the mesh axes here.
 */
export const groupsClass = `class Groups:
    """The process groups of this rank: groups("dp", "mp") varies both axes, the first outermost."""

    def __init__(self):
        self.grid, self.made = torch.tensor(DEVICES).reshape(tuple(MESH.values())), {}
        here = (self.grid == dist.get_rank()).nonzero()[0].tolist()
        self.at = dict(zip(MESH, here))

    def __call__(self, *axes):
        if axes not in self.made:
            for row in self.rows(*axes):
                group = dist.new_group(row)  # every rank makes every group
                if dist.get_rank() in row:
                    self.made[axes] = group, row, sorted(row)
        return self.made[axes]

    def rows(self, *axes):
        """The ranks of every group."""
        names, count = list(MESH), math.prod(MESH[axis] for axis in axes)
        others = [names.index(axis) for axis in names if axis not in axes]
        order = [*others, *(names.index(axis) for axis in axes)]
        return self.grid.permute(order).reshape(-1, count).tolist()

    def index(self, *axes):
        """The position of this rank along the axes."""
        place = 0
        for axis in axes:
            place = place * MESH[axis] + self.at[axis]
        return place


make_groups = Groups
`;

/** Each as the file has it where a step calls it. */
export const prologue: readonly Prologue[] = [
  {
    name: "all_gather",
    text: `def all_gather(x, dim, group):
    group, row, ascending = group
    out = x.new_empty((len(row) * x.shape[0], *x.shape[1:]))
    dist.all_gather_into_tensor(out, x.contiguous(), group=group)
    parts = out.chunk(len(row))
    return torch.cat([parts[ascending.index(rank)] for rank in row], dim)
`,
  },
  {
    name: "reduce_scatter",
    text: `def reduce_scatter(x, dim, group, op=dist.ReduceOp.SUM):
    group, row, ascending = group
    parts = x.chunk(len(row), dim)
    out = torch.empty_like(parts[0], memory_format=torch.contiguous_format)
    given = torch.cat([parts[row.index(rank)] for rank in ascending])
    dist.reduce_scatter_tensor(out, given, op=op, group=group)
    return out
`,
  },
  {
    name: "all_to_all",
    text: `def all_to_all(x, dim, to_dim, group):
    """From a cut along dim to one along to_dim."""
    group, row, ascending = group
    parts = x.chunk(len(row), to_dim)
    given = torch.stack([parts[row.index(rank)] for rank in ascending])
    out = torch.empty_like(given)
    dist.all_to_all_single(out, given, group=group)
    return torch.cat([out[ascending.index(rank)] for rank in row], dim)
`,
  },
  {
    name: "all_reduce",
    text: `def all_reduce(x, group, op=dist.ReduceOp.SUM):
    out = x.clone(memory_format=torch.contiguous_format)
    dist.all_reduce(out, op=op, group=group[0])
    return out
`,
  },
  {
    name: "permute",
    text: `def permute(x, pairs):
    """The block of a pair's first rank goes to its second; who gets none keeps its own."""
    rank, out, messages = dist.get_rank(), x, []
    for sender, receiver in pairs:
        if sender == rank:
            messages.append(dist.P2POp(dist.isend, x.contiguous(), receiver))
        elif receiver == rank:
            out = torch.empty_like(x, memory_format=torch.contiguous_format)
            messages.append(dist.P2POp(dist.irecv, out, sender))
    for work in dist.batch_isend_irecv(messages) if messages else []:
        work.wait()
    return out
`,
  },
];

/** Reads single elements. */
export const elementFunction = `def element(x, *at):
    """The elements of x at some indices; 0 where they lie outside of it."""
    at = torch.broadcast_tensors(*(torch.as_tensor(i).long() for i in at))
    inside = torch.stack([(i >= 0) & (i < n) for i, n in zip(at, x.shape)]).all(0)
    return torch.where(inside, x[tuple(i.clamp(0, n - 1) for i, n in zip(at, x.shape))], 0)
`;
