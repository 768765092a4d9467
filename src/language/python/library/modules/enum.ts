/** Source of module `enum`, after CPython 3.11. */
export const enumeration = `
class auto:
    def __init__(self):
        self.value = None
    def __or__(self, other):
        return _Combined(lambda: _number(self) | _number(other))
    def __and__(self, other):
        return _Combined(lambda: _number(self) & _number(other))
    def __xor__(self, other):
        return _Combined(lambda: _number(self) ^ _number(other))
    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

class _Combined(auto):
    def __init__(self, make):
        self.make = make
        self.value = None

def _number(value):
    if isinstance(value, _Combined) and value.value is None:
        value.value = value.make()
    return value.value if isinstance(value, auto) else value

class _Given:
    def __init__(self, value):
        self.value = value

def member(value):
    return _Given(value)

class nonmember(_Given):
    pass

def unique(cls):
    twice = [(name, m.name) for name, m in cls.__members__.items() if name != m.name]
    if twice:
        listed = ", ".join(f"{alias} -> {name}" for alias, name in twice)
        raise ValueError(f"duplicate values found in {cls!r}: {listed}")
    return cls

class EnumType(type):
    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1):
        if names is not None:
            return cls._make(value, names, start)
        return cls._find(value)
    def _make(cls, title, names, start):
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if isinstance(names, dict):
            names = list(names.items())
        pairs = [(n, start + i) if isinstance(n, str) else n for i, n in enumerate(names)]
        return EnumType(title, (cls,), dict(pairs))
    def _find(cls, value):
        if type(value) is cls:
            return value
        for found in cls._member_map_.values():
            if found._value_ == value:
                return found
        found = cls._missing_(value)
        if isinstance(found, cls):
            return found
        if found is not None:
            raise TypeError(f"error in {cls.__name__}._missing_: returned {found!r} instead of None or a valid member")
        raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
    def __iter__(cls):
        return (cls._member_map_[name] for name in cls._member_names_)
    def __reversed__(cls):
        return (cls._member_map_[name] for name in reversed(cls._member_names_))
    def __len__(cls):
        return len(cls._member_names_)
    def __bool__(cls):
        return True
    def __getitem__(cls, name):
        return cls._member_map_[name]
    def __contains__(cls, value):
        if not isinstance(value, Enum):
            raise TypeError(f"unsupported operand type(s) for 'in': '{type(value).__qualname__}' and '{type(cls).__qualname__}'")
        return isinstance(value, cls)
    def __setattr__(cls, name, value):
        if name in cls.__dict__.get("_member_map_", {}):
            raise AttributeError(f"cannot reassign member {name!r}")
        super().__setattr__(name, value)
    def __repr__(cls):
        return f"<{'flag' if issubclass(cls, Flag) else 'enum'} {cls.__name__!r}>"
    def __getattr__(cls, name):
        raise AttributeError(name)
    @property
    def __members__(cls):
        return dict(cls._member_map_)

EnumMeta = EnumType

def _is_member(name, value):
    if name.startswith("__") and name.endswith("__"):
        return False
    if name.startswith("_") and name.endswith("_"):
        return False
    if isinstance(value, (property, classmethod, staticmethod, nonmember)):
        return False
    if isinstance(value, (int, float, str, tuple, list, dict, set, frozenset, auto, _Given)):
        return True
    return not (callable(value) and not isinstance(value, type) or hasattr(value, "__get__"))

class Enum(metaclass=EnumType):
    _member_names_ = []
    _member_map_ = {}
    def __init_subclass__(cls, **keywords):
        for base in cls.__bases__:
            if getattr(base, "_member_names_", None):
                raise TypeError(f"{cls!r} cannot extend {base!r}")
        data = next((t for t in cls.__mro__ if t in (int, str, float, tuple)), None)
        written = [(n, v) for n, v in vars(cls).items() if _is_member(n, v)]
        own = vars(cls)
        for name, value in own.items():
            if isinstance(value, nonmember):
                type.__setattr__(cls, name, value.value)
        members, names, values = {}, [], []
        for name, value in written:
            if name == "mro":
                raise ValueError(f"invalid enum member name(s) {name!r}")
            if isinstance(value, _Given):
                value = value.value
            if isinstance(value, _Combined):
                value = _number(value)
            if isinstance(value, auto):
                value.value = cls._generate_next_value_(name, 1, len(names), values)
                value = value.value
            args = value if isinstance(value, tuple) and data is not tuple else (value,)
            custom = own.get("__new__") or next((vars(t)["__new__"] for t in cls.__mro__ if "__new__" in vars(t)), None)
            if custom is not None:
                made = custom(cls, *args)
            elif data is None:
                made = object.__new__(cls)
            else:
                made = data.__new__(cls, *args)
            if "_value_" not in made.__dict__:
                object.__setattr__(made, "_value_", value if data is None or data is tuple else data(*args))
            object.__setattr__(made, "_name_", name)
            object.__setattr__(made, "__objclass__", cls)
            if hasattr(cls, "__init__") and any("__init__" in vars(t) for t in cls.__mro__ if t is not Enum):
                made.__init__(*args)
            same = next((m for m in members.values() if m._value_ == made._value_), None)
            members[name] = made if same is None else same
            if same is None and (not issubclass(cls, Flag) or _is_single(made._value_)):
                names.append(name)
            values.append(made._value_)
        for name, made in members.items():
            type.__setattr__(cls, name, made)
        type.__setattr__(cls, "_made_", {})
        type.__setattr__(cls, "_member_names_", names)
        type.__setattr__(cls, "_member_map_", members)
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        numbers = [v for v in last_values if isinstance(v, int)]
        return max(numbers) + 1 if numbers else start
    @classmethod
    def _missing_(cls, value):
        return None
    @property
    def name(self):
        return self._name_
    @property
    def value(self):
        return self._value_
    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"
    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"
    def __format__(self, spec):
        return format(str(self), spec)
    def __copy__(self):
        return self
    def __deepcopy__(self, memo):
        return self

def _is_single(value):
    return isinstance(value, int) and value > 0 and value & (value - 1) == 0

class ReprEnum(Enum):
    pass

class IntEnum(int, ReprEnum):
    def __str__(self):
        return int.__repr__(self._value_)
    def __format__(self, spec):
        return format(self._value_, spec)

class StrEnum(str, ReprEnum):
    def __new__(cls, *values):
        if not isinstance(values[0], str):
            raise TypeError(f"{values[0]!r} is not a string")
        return str.__new__(cls, *values)
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()
    def __str__(self):
        return self._value_
    def __format__(self, spec):
        return format(self._value_, spec)

class Flag(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        high = max([v for v in last_values if isinstance(v, int)], default=0)
        return 1 << high.bit_length() if last_values else start
    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            return None
        if value in cls._made_:
            return cls._made_[value]
        every = cls._every()
        if value < 0:
            value = every & value
        if value & ~every:
            raise ValueError(f"{cls!r} invalid value {value!r}\\n    given {value:#b}\\n  allowed {every:#b}")
        made = int.__new__(cls, value) if issubclass(cls, int) else object.__new__(cls)
        object.__setattr__(made, "_value_", value)
        parts = [m._name_ for m in cls if m._value_ & value]
        object.__setattr__(made, "_name_", "|".join(parts) if parts else None)
        cls._made_[value] = made
        return made
    @classmethod
    def _every(cls):
        every = 0
        for found in cls._member_map_.values():
            every |= found._value_
        return every
    def _other(self, other):
        return other._value_ if isinstance(other, type(self)) else other if isinstance(self, int) else None
    def __or__(self, other):
        value = self._other(other)
        return NotImplemented if value is None else type(self)(self._value_ | value)
    def __and__(self, other):
        value = self._other(other)
        return NotImplemented if value is None else type(self)(self._value_ & value)
    def __xor__(self, other):
        value = self._other(other)
        return NotImplemented if value is None else type(self)(self._value_ ^ value)
    def __invert__(self):
        return type(self)(type(self)._every() & ~self._value_)
    def __contains__(self, other):
        if not isinstance(other, type(self)):
            raise TypeError(f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} and {type(self).__qualname__!r}")
        return other._value_ & self._value_ == other._value_
    def __bool__(self):
        return bool(self._value_)
    def __iter__(self):
        return (m for m in type(self) if m._value_ & self._value_)
    def __len__(self):
        return bin(self._value_).count("1")
    def __repr__(self):
        name = f".{self._name_}" if self._name_ is not None else ""
        return f"<{type(self).__name__}{name}: {self._value_!r}>"
    def __str__(self):
        return f"{type(self).__name__}.{self._name_}" if self._name_ is not None else f"{type(self).__name__}({self._value_})"

class IntFlag(int, Flag):
    def __str__(self):
        return int.__repr__(self._value_)
    def __format__(self, spec):
        return format(self._value_, spec)
`;
