import type { Prologue } from "./prologue.ts";

/**
 * Functions that redistribute unequal blocks. The collectives of `torch.distributed` take equal ones:
 * messages are padded to the longest, as the plan counts them, and trimmed on arrival. An exchange
 * sends messages of their own lengths.
 */
export const unevenFunctions: readonly Prologue[] = [
  {
    name: "all_gather_uneven",
    text: `def all_gather_uneven(x, before, after, group):
    group, row, ascending = group
    given = padded(x, max(volume(held(before, rank)) for rank in DEVICES))
    out = x.new_empty(len(row) * len(given))
    dist.all_gather_into_tensor(out, given, group=group)
    mine, parts = held(after, dist.get_rank()), dict(zip(ascending, out.chunk(len(row))))
    return placed(x, mine, ((held(before, rank), parts[rank]) for rank in row))
`,
  },
  {
    name: "reduce_scatter_uneven",
    text: `def reduce_scatter_uneven(x, before, after, group, op=dist.ReduceOp.SUM):
    group, row, ascending = group
    rank, most = dist.get_rank(), max(volume(held(after, rank)) for rank in DEVICES)
    given = torch.cat([padded(kept(x, held(before, rank), held(after, other)), most) for other in ascending])
    out = x.new_empty(most)
    dist.reduce_scatter_tensor(out, given, op=op, group=group)
    mine = held(after, rank)
    return placed(x, mine, [(mine, out)])
`,
  },
  {
    name: "all_to_all_uneven",
    text: `def all_to_all_uneven(x, before, after, axes, groups):
    group, row, ascending = groups(*axes)
    rank = dist.get_rank()
    most = max(volume(common(held(before, giver), held(after, taker))) for row in groups.rows(*axes) for giver in row for taker in row)
    given = torch.cat([padded(kept(x, held(before, rank), held(after, other)), most) for other in ascending])
    out = torch.empty_like(given)
    dist.all_to_all_single(out, given, group=group)
    mine, parts = held(after, rank), zip(ascending, out.chunk(len(row)))
    return placed(x, mine, ((common(held(before, other), mine), part) for other, part in parts))
`,
  },
  {
    name: "permute_uneven",
    text: `def permute_uneven(x, after, pairs):
    """The block of a pair's first rank goes to its second; who gets none keeps its own."""
    rank, out, messages = dist.get_rank(), x, []
    for sender, receiver in pairs:
        if sender == rank:
            messages.append(dist.P2POp(dist.isend, x.contiguous(), receiver))
        elif receiver == rank:
            out = x.new_empty([len(indices) for indices in held(after, rank)])
            messages.append(dist.P2POp(dist.irecv, out, sender))
    for work in dist.batch_isend_irecv(messages) if messages else []:
        work.wait()
    return out
`,
  },
  {
    name: "exchange",
    text: `def exchange(x, before, after, sent, group):
    """Boxes of (giver, taker, ranges), each of its own size; what a rank has already it keeps."""
    group, row, ascending = group
    rank = dist.get_rank()
    had, mine = held(before, rank), held(after, rank)
    to = {other: [box for giver, taker, box in sent if (giver, taker) == (rank, other)] for other in ascending}
    of = {other: [box for giver, taker, box in sent if (giver, taker) == (other, rank)] for other in ascending}
    given = [torch.cat([x.new_empty(0), *(kept(x, had, box).flatten() for box in to[other])]) for other in ascending]
    sizes = [sum(volume(box) for box in of[other]) for other in ascending]
    out = x.new_empty(sum(sizes))
    dist.all_to_all_single(out, torch.cat(given), sizes, [len(part) for part in given], group=group)
    parts = [(common(had, mine), kept(x, had, mine).flatten())]
    for other, part in zip(ascending, out.split(sizes)):
        parts += zip(of[other], part.split([volume(box) for box in of[other]]))
    return placed(x, mine, parts)
`,
  },
  {
    name: "own_part",
    text: `def own_part(x, before, after):
    """What this rank keeps of its block."""
    rank = dist.get_rank()
    return kept(x, held(before, rank), held(after, rank))
`,
  },
];

/** Functions that the functions above call. */
export const heldFunctions = `def held(name, rank):
    """The indices along each dim that a rank's block of a tensor has."""
    place, at = DEVICES.index(rank), {}
    for axis in reversed(MESH):
        place, at[axis] = divmod(place, MESH[axis])
    found = []
    for axes, blocks in HELD[name]:
        number = 0
        for axis in axes:
            number = number * MESH[axis] + at[axis]
        found.append(list(blocks[number]))
    return found


def volume(box):
    return math.prod(len(indices) for indices in box)


def common(box, other):
    """The indices along each dim that two boxes share."""
    return [sorted(set(a) & set(b)) for a, b in zip(box, other)]


def places(block, box):
    """Where the indices of a box lie in a block."""
    at = [torch.tensor([list(all).index(i) for i in some], dtype=torch.long) for all, some in zip(block, box)]
    return torch.meshgrid(*at, indexing="ij")


def kept(x, block, box):
    """The part of a block that lies in a box."""
    return x[places(block, common(block, box))]


def padded(x, size):
    return torch.cat([x.flatten(), x.new_zeros(size - x.numel())])


def placed(x, block, parts):
    """A block made of (box, elements), the elements padded at their end."""
    out = x.new_zeros([len(indices) for indices in block])
    for box, part in parts:
        shared = common(box, block)
        part = part[: volume(box)].reshape([len(indices) for indices in box])
        out[places(block, shared)] = part[places(box, shared)]
    return out
`;
