/** Source of module `itertools`. */
export const itertools = `
class chain:
    def __init__(self, *iterables):
        self._items = (item for iterable in iterables for item in iterable)
    @classmethod
    def from_iterable(cls, iterables):
        made = cls()
        made._items = (item for iterable in iterables for item in iterable)
        return made
    def __iter__(self):
        return self
    def __next__(self):
        return next(self._items)

def count(start=0, step=1):
    while True:
        yield start
        start += step

def cycle(iterable):
    saved = []
    for item in iterable:
        yield item
        saved.append(item)
    while saved:
        yield from saved

def repeat(object, times=None):
    if times is None:
        while True:
            yield object
    for _ in range(times):
        yield object

def accumulate(iterable, func=None, *, initial=None):
    items = iter(iterable)
    total = initial
    if initial is None:
        try:
            total = next(items)
        except StopIteration:
            return
    yield total
    for item in items:
        total = total + item if func is None else func(total, item)
        yield total

def islice(iterable, *bounds):
    limits = slice(*bounds)
    start, stop, step = limits.start or 0, limits.stop, limits.step or 1
    index = 0
    wanted = start
    if stop is not None and wanted >= stop:
        return
    for item in iterable:
        if index == wanted:
            yield item
            wanted += step
        index += 1
        if stop is not None and wanted >= stop:
            return

def starmap(function, iterable):
    for args in iterable:
        yield function(*args)

def takewhile(predicate, iterable):
    for item in iterable:
        if not predicate(item):
            return
        yield item

def dropwhile(predicate, iterable):
    items = iter(iterable)
    for item in items:
        if not predicate(item):
            yield item
            break
    yield from items

def filterfalse(predicate, iterable):
    for item in iterable:
        if not (item if predicate is None else predicate(item)):
            yield item

def compress(data, selectors):
    return (item for item, chosen in zip(data, selectors) if chosen)

def pairwise(iterable):
    items = iter(iterable)
    before = next(items, None)
    for item in items:
        yield before, item
        before = item

def zip_longest(*iterables, fillvalue=None):
    iterators = [iter(iterable) for iterable in iterables]
    active = len(iterators)
    if not active:
        return
    while True:
        values = []
        for index, iterator in enumerate(iterators):
            try:
                value = next(iterator)
            except StopIteration:
                active -= 1
                if not active:
                    return
                iterators[index] = repeat(fillvalue)
                value = fillvalue
            values.append(value)
        yield tuple(values)

def product(*iterables, repeat=1):
    pools = [tuple(pool) for pool in iterables] * repeat
    def rest(index):
        if index == len(pools):
            yield ()
        else:
            for item in pools[index]:
                for others in rest(index + 1):
                    yield (item, *others)
    return rest(0)

def permutations(iterable, r=None):
    pool = tuple(iterable)
    size = len(pool) if r is None else r
    for indices in product(range(len(pool)), repeat=size):
        if len(set(indices)) == size:
            yield tuple(pool[i] for i in indices)

def combinations(iterable, r):
    pool = tuple(iterable)
    def rest(start, left):
        if left == 0:
            yield ()
        else:
            for index in range(start, len(pool) - left + 1):
                for others in rest(index + 1, left - 1):
                    yield (pool[index], *others)
    return rest(0, r)

def combinations_with_replacement(iterable, r):
    pool = tuple(iterable)
    for indices in product(range(len(pool)), repeat=r):
        if list(indices) == sorted(indices):
            yield tuple(pool[i] for i in indices)

def groupby(iterable, key=None):
    group = []
    current = None
    for item in iterable:
        value = item if key is None else key(item)
        if group and value != current:
            yield current, iter(group)
            group = []
        current = value
        group.append(item)
    if group:
        yield current, iter(group)

def tee(iterable, n=2):
    items = list(iterable)
    return tuple(iter(items) for _ in range(n))
`;
