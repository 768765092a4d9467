/** Source of module `collections`. */
export const collections = `
class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        value = self.pop(key)
        rest = [] if last else list(self.items())
        if not last:
            self.clear()
        self[key] = value
        for other, item in rest:
            self[other] = item
    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        key = list(self)[-1 if last else 0]
        return key, self.pop(key)
    def copy(self):
        return OrderedDict(self)
    def __repr__(self):
        return f"OrderedDict({list(self.items())!r})" if self else "OrderedDict()"

class defaultdict(dict):
    def __init__(self, default_factory=None, *args, **keywords):
        self.default_factory = default_factory
        self.update(*args, **keywords)
    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        self[key] = value = self.default_factory()
        return value
    def __repr__(self):
        return f"defaultdict({self.default_factory!r}, {dict(self)!r})"

class Counter(dict):
    def __init__(self, iterable=None, **keywords):
        self.update(iterable, **keywords)
    def __missing__(self, key):
        return 0
    def update(self, iterable=None, **keywords):
        for source in (iterable, keywords):
            if isinstance(source, dict):
                for key, count in source.items():
                    self[key] = self[key] + count
            elif source is not None:
                for key in source:
                    self[key] = self[key] + 1
    def most_common(self, n=None):
        return sorted(self.items(), key=lambda item: item[1], reverse=True)[:n]
    def elements(self):
        return (key for key, count in self.items() for _ in range(count))
    def total(self):
        return sum(self.values())
    def __add__(self, other):
        return Counter({k: self[k] + other[k] for k in (*self, *other) if self[k] + other[k] > 0})
    def __sub__(self, other):
        return Counter({k: self[k] - other[k] for k in (*self, *other) if self[k] - other[k] > 0})
    def __repr__(self):
        return f"Counter({dict(self.most_common())!r})" if self else "Counter()"

class deque:
    def __init__(self, iterable=(), maxlen=None):
        self.maxlen = maxlen
        self._items = []
        self.extend(iterable)
    def append(self, item):
        self._items.append(item)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            del self._items[0]
    def appendleft(self, item):
        self._items.insert(0, item)
        if self.maxlen is not None and len(self._items) > self.maxlen:
            del self._items[-1]
    def extend(self, iterable):
        for item in iterable:
            self.append(item)
    def extendleft(self, iterable):
        for item in iterable:
            self.appendleft(item)
    def pop(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        return self._items.pop()
    def popleft(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        return self._items.pop(0)
    def rotate(self, n=1):
        if self._items:
            n %= len(self._items)
            self._items = self._items[-n:] + self._items[:-n] if n else self._items
    def clear(self):
        self._items.clear()
    def count(self, item):
        return self._items.count(item)
    def index(self, item):
        return self._items.index(item)
    def remove(self, item):
        self._items.remove(item)
    def reverse(self):
        self._items.reverse()
    def copy(self):
        return deque(self._items, self.maxlen)
    def __len__(self):
        return len(self._items)
    def __iter__(self):
        return iter(self._items)
    def __reversed__(self):
        return reversed(self._items)
    def __getitem__(self, index):
        return self._items[index]
    def __setitem__(self, index, item):
        self._items[index] = item
    def __contains__(self, item):
        return item in self._items
    def __eq__(self, other):
        return isinstance(other, deque) and self._items == other._items
    def __repr__(self):
        bound = "" if self.maxlen is None else f", maxlen={self.maxlen}"
        return f"deque({self._items!r}{bound})"

def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    fields = tuple(field_names)
    values = tuple(defaults or ())
    assumed = dict(zip(fields[len(fields) - len(values):], values))
    def new(cls, *args, **keywords):
        if len(args) > len(fields):
            least = f"from {len(fields) - len(values) + 1} to " if values else ""
            message = f"{typename}.__new__() takes {least}{len(fields) + 1} positional arguments but {len(args) + 1} were given"
            raise TypeError(message)
        given = dict(zip(fields, args))
        for name, value in keywords.items():
            if name not in fields:
                raise TypeError(f"{typename}.__new__() got an unexpected keyword argument {name!r}")
            if name in given:
                raise TypeError(f"{typename}.__new__() got multiple values for argument {name!r}")
            given[name] = value
        whole = {**assumed, **given}
        missing = [repr(name) for name in fields if name not in whole]
        if missing:
            count = f"{len(missing)} required positional argument{'s' if len(missing) > 1 else ''}"
            listed = missing[0] if len(missing) == 1 else ", ".join(missing[:-1]) + (", and " if len(missing) > 2 else " and ") + missing[-1]
            raise TypeError(f"{typename}.__new__() missing {count}: {listed}")
        return tuple.__new__(cls, tuple(whole[name] for name in fields))
    def make(cls, iterable):
        return cls(*iterable)
    def show(self):
        return typename + "(" + ", ".join(f"{name}={value!r}" for name, value in zip(fields, self)) + ")"
    def as_dict(self):
        return dict(zip(fields, self))
    def replace(self, /, **changes):
        return type(self)(**{**as_dict(self), **changes})
    def refuse(self, *value):
        raise AttributeError("can't set attribute")
    members = {
        "__new__": new,
        "_make": classmethod(make),
        "__repr__": show,
        "_asdict": as_dict,
        "_replace": replace,
        "_fields": fields,
        "__match_args__": fields,
        "_field_defaults": assumed,
    }
    for index, name in enumerate(fields):
        members[name] = property(lambda self, index=index: self[index], refuse, refuse)
    return type(typename, (tuple,), members)

class ChainMap(dict):
    def __init__(self, *maps):
        self.maps = list(maps)
        for mapping in reversed(self.maps):
            self.update(mapping)
`;
