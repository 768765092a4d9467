# `x[key]` and `x[key] = value` as MindSpore 2.10 composes them on Ascend. A key is a pair: its kind and what it holds.


def _rows(input, places):
    """Rows by their places, of which those below 0 count from the end."""
    return P.Gather()(input, _from_end(places, input.shape[0]), 0)


def _from_end(places, size):
    is_back = P.LessScalar()(places, 0)
    return P.Select()(is_back, P.Add()(places, size), places)


def _picked(input, keys):
    """Elements at places that tensors or lists name."""
    keys = _whole(keys, input.ndim)
    for dim, (kind, _) in enumerate(keys):
        if kind == "none":
            input = P.ExpandDims()(input, dim)
    keys = [_every if kind == "none" else (kind, held) for kind, held in keys]
    return P.GatherNd()(input, _places(input.shape, keys, False))


_every = ("slice", (None, None, None))


def _whole(keys, rank):
    """Keys with a range in the place of every dim that `...` stands for."""
    kinds = [kind for kind, _ in keys]
    taken = len([kind for kind in kinds if kind != "none" and kind != "all"])
    if taken > rank:
        raise IndexError(f"too many indices: {taken} for a tensor of {rank} dims")
    if "all" not in kinds:
        return keys
    at = kinds.index("all")
    return keys[:at] + [_every] * (rank - taken) + keys[at + 1 :]


def _places(shape, keys, is_set):
    """One tensor of the places in all dims that keys name, its last dim as long as there are keys."""
    sizes = [len(_span(held, shape[at])) for at, (kind, held) in enumerate(keys) if kind == "slice"]
    others = [at for at, (kind, _) in enumerate(keys) if kind != "slice"]
    common = _broadcast([_shape_of(keys[at]) for at in others])
    if is_set and len(sizes) == 0 and len(common) < 2:
        common = (1,) + common
    first = _first_of(others)
    final = tuple(sizes[:first]) + common + tuple(sizes[first:])
    placed, passed = [], 0
    for dim, (kind, held) in enumerate(keys):
        if kind == "slice":
            at = passed if passed < first else passed + len(common)
            span = _span(held, shape[dim])
            placed.append(P.places((span.start, span.step), _alone(len(span), at, len(final)), final))
            passed = passed + 1
            continue
        if kind == "tensor":
            placed.append(_spread(held, shape[dim], common, first, final, is_set))
            continue
        own = _shape_of((kind, held))
        lead = first + len(common) - len(own)
        own = (1,) * lead + own + (1,) * (len(final) - lead - len(own))
        placed.append(P.places(_checked(held, shape[dim]), own, final))
    return P.Concat(-1)([P.ExpandDims()(each, -1) for each in placed])


def _spread(places, size, common, first, final, is_set):
    """A tensor of places as wide as all of them are together."""
    if is_set:
        places = _from_end(places, size)
    if len(common) > 0:
        places = P.BroadcastTo(common)(places)
    wide = (1,) * first + common + (1,) * (len(final) - first - len(common))
    if wide != tuple(places.shape):
        places = P.Reshape()(places, wide)
    return P.BroadcastTo(final)(places)


def _first_of(others):
    """Where the dims of tensors stand: in front unless they are neighbours."""
    return others[0] if len(others) > 0 and others[-1] - others[0] == len(others) - 1 else 0


def _alone(size, at, rank):
    return (1,) * at + (size,) + (1,) * (rank - at - 1)


def _shape_of(key):
    kind, held = key
    if kind == "int":
        return ()
    if kind == "tensor":
        return tuple(held.shape)
    if isinstance(held, int):
        return ()
    return (len(held),) + _shape_of((kind, held[0]))


def _broadcast(shapes):
    rank = 0
    for shape in shapes:
        rank = len(shape) if len(shape) > rank else rank
    joint = [1] * rank
    for shape in shapes:
        for at, size in enumerate(shape):
            at = at + rank - len(shape)
            if size != 1 and joint[at] != 1 and joint[at] != size:
                raise ValueError(f"indices of shapes {shapes} cannot be broadcast together")
            joint[at] = size if size != 1 else joint[at]
    return tuple(joint)


def _checked(held, size):
    """Places of a list, each of them counted from the front."""
    if isinstance(held, int):
        if held < -size or held >= size:
            raise IndexError(f"Index {held} is out of bounds for dimension with size {size}")
        return [held % size]
    found = []
    for each in held:
        found = found + _checked(each, size)
    return found


def _span(key, size):
    """The places of a range."""
    start, stop, step = key
    step = 1 if step is None else step
    if step > 0:
        start = 0 if start is None else start
        stop = size if stop is None else stop
        start = _least(start + size) if start < 0 else _most(start, size)
        stop = _least(stop + size) if stop < 0 else _most(stop, size)
        return range(start, stop, step)
    start = _backwards(size - 1 if start is None else start, size)
    stop = _backwards(-size - 1 if stop is None else stop, size)
    start = start + size if start < 0 else start
    return range(start, stop + size if stop < 0 else stop, step)


def _set_item(input, keys, is_alone, value):
    """`x[key] = value`: what the name holds afterwards."""
    if isinstance(value, (list, tuple)):
        value = P.constant((len(value),), input.dtype)
    if not is_alone:
        return _set_places(input, keys, value)
    kind, held = keys[0]
    if kind == "none" or kind == "all":
        return _set_all(input, value)
    if kind == "bool":
        return _set_all(input, value) if held else input
    if kind == "int":
        held = held + input.shape[0] if held < 0 else held
        if held < -input.shape[0] or held >= input.shape[0]:
            raise IndexError(f"index {held} is out of bounds for axis 0 with size {input.shape[0]}")
        return _scattered(input, P.places([held], (1, 1), (1, 1)), value)
    if kind == "slice":
        span = _span(held, input.shape[0])
        if len(span) == 0:
            return input
        rows = (len(span), 1)
        updates = _updates(input, value, (len(span),) + tuple(input.shape[1:]))
        places = P.places((span.start, span.step), rows, rows)
        return P.TensorScatterUpdate()(input, places, updates)
    if kind == "mask":
        return _set_masked(input, held, value)
    return _set_rows(input, _listed(held) if kind == "list" else held, value)


def _listed(held):
    """A list of numbers as the constant that it becomes."""
    return P.places(held, (len(held),), (len(held),))


def _item_of_list(input, held):
    return _rows(input, _listed(held))


def _set_all(input, value):
    if _is_number(value):
        return P.constant(tuple(input.shape), input.dtype, value, 0)
    return P.BroadcastTo(tuple(input.shape))(value)


def _set_rows(input, places, value):
    if places.ndim == 0:
        places = P.ExpandDims()(places, -1)
    updates = _updates(input, value, tuple(places.shape) + tuple(input.shape[1:]))
    places = P.ExpandDims()(_from_end(places, input.shape[0]), -1)
    return _updated(input, places, updates)


def _set_masked(input, mask, value):
    shape = tuple(input.shape)
    if isinstance(mask, list):
        mask = P.constant((len(mask),), "bool")
    mask = P.BroadcastTo(shape)(_with_ones(mask, len(shape)))
    if _is_number(value):
        value = P.constant(shape, input.dtype, value)
    else:
        value = P.BroadcastTo(shape)(_with_ones(value, len(shape)))
    return P.Select()(mask, value, input)


def _with_ones(input, rank):
    if input.ndim >= rank:
        return input
    return P.Reshape()(input, tuple(input.shape) + (1,) * (rank - input.ndim))


def _set_places(input, keys, value):
    keys = _whole(keys, input.ndim)
    if not _is_number(value):
        value = _without_new_dims(input, keys, value)
    keys = [key for key in keys if key[0] != "none"]
    for at, (kind, held) in enumerate(keys):
        if kind == "slice" and len(_span(held, input.shape[at])) == 0:
            return input
    if len(keys) == 0:
        return _set_all(input, value)
    return _scattered(input, _places(input.shape, keys, True), value)


def _without_new_dims(input, keys, value):
    """The value without the dims of 1 element that stand over a `None`."""
    flags, first, last, size, dim = [], -1, -1, 0, 0
    for at, key in enumerate(keys):
        kind = key[0]
        if kind == "none" or kind == "slice":
            flags.append(kind == "slice")
        else:
            if first == -1:
                first = len(flags)
            elif at - last > 1:
                first = 0
            last = at
            size = len(_shape_of(key)) if len(_shape_of(key)) > size else size
        dim = dim if kind == "none" else dim + 1
    if first != -1:
        flags = flags[:first] + [True] * size + flags[first:]
    flags = flags + [True] * (input.ndim - dim)
    lead = len(flags) - value.ndim
    if lead < 0:
        raise ValueError(f"unable to broadcast {tuple(value.shape)}")
    kept = tuple([each for each, flag in zip(value.shape, flags[lead:]) if flag])
    return value if kept == tuple(value.shape) else P.Reshape()(value, kept)


def _scattered(input, places, value):
    depth = places.shape[-1]
    shape = tuple(places.shape[:-1]) + tuple(input.shape[depth:])
    return _updated(input, places, _updates(input, value, shape))


def _updated(input, places, updates):
    if P.is_parameter(input):
        P.ScatterNdUpdate()(input, places, updates)
        return input
    return P.TensorScatterUpdate()(input, places, updates)


def _updates(input, value, shape):
    if _is_number(value):
        return P.constant(shape, input.dtype, value)
    return P.BroadcastTo(shape)(value)
