/** Source of module `dataclasses`. */
export const dataclasses = `
class _Missing:
    def __repr__(self):
        return "<MISSING>"

MISSING = _Missing()

class Field:
    def __init__(self, default, default_factory, init, repr, compare):
        self.name = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.compare = compare

def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, compare=True, hash=None, metadata=None, kw_only=False):
    return Field(default, default_factory, init, repr, compare)

class FrozenInstanceError(AttributeError):
    pass

def _collect(cls):
    found = dict(getattr(cls, "__dataclass_fields__", {}))
    for name in vars(cls).get("__annotations__", ()):
        given = vars(cls).get(name, MISSING)
        entry = given if isinstance(given, Field) else Field(given, MISSING, True, True, True)
        entry.name = name
        if isinstance(entry.default, (list, dict, set)):
            raise ValueError(f"mutable default {type(entry.default)} for field {name} is not allowed: use default_factory")
        if isinstance(given, Field):
            if given.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, given.default)
        found[name] = entry
    return found

def _joined(names):
    if len(names) < 3:
        return " and ".join(names)
    return ", ".join(names[:-1]) + ", and " + names[-1]

def _initializer(cls, entries):
    def __init__(self, *args, **keywords):
        where = f"{cls.__name__}.__init__()"
        wanted = [name for name, entry in entries.items() if entry.init]
        if len(args) > len(wanted):
            needed = sum(1 for n in wanted if entries[n].default is MISSING and entries[n].default_factory is MISSING)
            count = len(wanted) + 1 if needed == len(wanted) else f"from {needed + 1} to {len(wanted) + 1}"
            raise TypeError(f"{where} takes {count} positional arguments but {len(args) + 1} were given")
        given = dict(zip(wanted, args))
        for name, value in keywords.items():
            if name not in wanted and not getattr(cls, "__open_fields__", False):
                raise TypeError(f"{where} got an unexpected keyword argument {name!r}")
            if name in given:
                raise TypeError(f"{where} got multiple values for argument {name!r}")
            given[name] = value
        missing = []
        for name, entry in entries.items():
            if name in given:
                value = given[name]
            elif entry.default_factory is not MISSING:
                value = entry.default_factory()
            elif entry.default is not MISSING:
                value = entry.default
            else:
                if entry.init:
                    missing.append(repr(name))
                continue
            object.__setattr__(self, name, value)
        for name in given:
            if name not in entries:
                object.__setattr__(self, name, given[name])
        if missing:
            plural = "s" if len(missing) > 1 else ""
            raise TypeError(f"{where} missing {len(missing)} required positional argument{plural}: {_joined(missing)}")
        if hasattr(self, "__post_init__"):
            self.__post_init__()
    return __init__

def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False):
    def decorate(cls):
        entries = _collect(cls)
        cls.__dataclass_fields__ = entries
        own = vars(cls)
        def values(self):
            return tuple(getattr(self, name) for name, entry in entries.items() if entry.compare)
        def show(self):
            parts = [f"{name}={getattr(self, name)!r}" for name, entry in entries.items() if entry.repr]
            return f"{type(self).__name__}({', '.join(parts)})"
        def same(self, other):
            if type(other) is not type(self):
                return NotImplemented
            return values(self) == values(other)
        def refuse(self, name, value):
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        if init and "__init__" not in own:
            cls.__init__ = _initializer(cls, entries)
        if repr and "__repr__" not in own:
            cls.__repr__ = show
        if eq and "__eq__" not in own:
            cls.__eq__ = same
        if (frozen and eq) or unsafe_hash:
            cls.__hash__ = lambda self: hash(values(self))
        if order:
            cls.__lt__ = lambda self, other: values(self) < values(other)
            cls.__le__ = lambda self, other: values(self) <= values(other)
            cls.__gt__ = lambda self, other: values(self) > values(other)
            cls.__ge__ = lambda self, other: values(self) >= values(other)
        if frozen:
            cls.__setattr__ = refuse
        cls.__match_args__ = tuple(entries)
        return cls
    return decorate if cls is None else decorate(cls)

def fields(class_or_instance):
    return tuple(class_or_instance.__dataclass_fields__.values())

def is_dataclass(value):
    return hasattr(value, "__dataclass_fields__")

def _plain(value, make):
    if is_dataclass(value) and not isinstance(value, type):
        return make({name: _plain(getattr(value, name), make) for name in value.__dataclass_fields__})
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(item, make) for item in value)
    if isinstance(value, dict):
        return {key: _plain(item, make) for key, item in value.items()}
    return value

def asdict(instance, *, dict_factory=dict):
    return _plain(instance, lambda entries: dict_factory(entries))

def astuple(instance):
    return _plain(instance, lambda entries: tuple(entries.values()))

def replace(instance, /, **changes):
    kept = {name: getattr(instance, name) for name, entry in instance.__dataclass_fields__.items() if entry.init}
    return type(instance)(**{**kept, **changes})
`;
